import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import type { BlobReader } from '../walk/blobs.ts'
import type { TreeEntry } from '../walk/git.ts'
import { addIgnoreFile, isIgnored, noRules } from '../walk/ignore-rules.ts'
import { sha256Of } from '../walk/measure.ts'
import type { SkipReason } from '../walk/skip-reason.ts'
import type { WalkedFile } from '../walk/walk-files.ts'
import type { ReadContent } from './collect-entries.ts'

const link = '120000'
const submodule = '160000'

/** Rules of the `.deepscanignore` files that a commit has. */
export async function rulesOfCommit(entries: readonly TreeEntry[], blobs: BlobReader) {
  let rules = noRules
  for (const { path, hash, mode } of entries) {
    if (mode === link || !/(^|\/)\.deepscanignore$/.test(path)) continue
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    rules = addIgnoreFile(rules, folder, (await blobs.read(hash)).toString('utf8'))
  }
  return rules
}

/** The files of a commit as a walk finds them; `absolute` is the hash of the content. `named`: the paths asked for. */
export function* walkCommit(
  entries: readonly TreeEntry[],
  rules: Awaited<ReturnType<typeof rulesOfCommit>>,
  { maxFileBytes, named }: { maxFileBytes: number; named: readonly string[] },
): Generator<WalkedFile> {
  for (const { path, hash, bytes, mode } of entries) {
    const above = named.filter((one) => one !== '' && path.startsWith(`${one}/`)).sort((a, b) => b.length - a.length)[0]
    const below = above === undefined ? path : path.slice(above.length + 1)
    const skip = reasonOf(mode, bytes > maxFileBytes, isIgnored(rules, path))
    yield { absolute: hash, path, below, skip, ...(named.includes(path) && { isNamed: true as const }) }
  }
}

function reasonOf(mode: string, isLarge: boolean, isOut: boolean): SkipReason | null {
  if (mode === submodule) return 'nested repository'
  if (isOut) return 'ignored'
  if (mode === link) return 'symlink'
  return isLarge ? 'too large' : null
}

/**
 * Reads files of a commit and keeps their content in `folder`, by its hash: the commit may go, and readers of the scan
 * need no git.
 */
export function readFromCommit(blobs: BlobReader, folder: string): ReadContent {
  return async ({ absolute: hash }) => {
    const bytes = await blobs.read(hash)
    const path = join(folder, sha256Of(bytes))
    if (lstatAt(path) === undefined) writeFileSync(path, bytes, { mode: 0o600 })
    return { bytes, mtimeMs: 0 }
  }
}
