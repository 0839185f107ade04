// A change of somebody else's file: whole or not at all, never over a change that was made meanwhile, with a copy of
// what was there before us.

import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lstatAt, statAt } from '@switchyard/ground/at-path'
import { makeFolder, orRefused, readIfThere, realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'

/** What is to be there: a text, or nothing. `backup`: keep the text of before, or forget the kept one. */
export type FileChange = { readonly text: string | undefined; readonly backup?: 'keep' | 'forget' }

/** Where the copy of a file lies that was made before a tool's first change. */
export const backupPath = (path: string, tool: string) => `${path}.before-${tool}`

/** What a change makes of a file's text and of the kept copy. */
export type Decide = (before: string | undefined, kept: string | undefined) => FileChange

/** The text of a file before and after its change; undefined where there is no file. */
export type Changed = { readonly before: string | undefined; readonly after: string | undefined }

/** What a change would do, without doing it. */
export function foreseeChange(path: string, tool: string, decide: Decide): Changed {
  const before = readIfThere(path)
  return { before, after: decide(before, readIfThere(backupPath(path, tool))).text }
}

/**
 * Changes a file on behalf of a tool, after which the copy is named; when it is as it is to be, nothing is written. A link is followed. Failure `conflict` when the file
 * has changed meanwhile.
 */
export async function changeFile(path: string, tool: string, decide: Decide): Promise<Changed> {
  const foreseen = foreseeChange(path, tool, decide)
  if (foreseen.after === foreseen.before) return foreseen
  orRefused(`${dirname(path)} was to be made`, () => makeFolder(dirname(path)))
  const real = realPath(path)
  return transact(real, () => {
    const before = readIfThere(real)
    const { text, backup } = decide(before, readIfThere(backupPath(path, tool)))
    if (text === before) return { before, after: text }
    if (backup === 'keep' && before !== undefined) write(backupPath(path, tool), before, real)
    if (readIfThere(real) !== before) throw changedMeanwhile(path)
    if (text === undefined) orRefused(`${real} was to be removed`, () => rmSync(real))
    else write(real, text, real)
    if (backup === 'forget') orRefused(`${path} was changed`, () => rmSync(backupPath(path, tool), { force: true }))
    return { before, after: text }
  })
}

/** Settings may hold keys, so at no moment is a copy more open than the file. */
function write(path: string, text: string, like: string): void {
  const draft = `${path}.draft`
  orRefused(`${path} was to be written`, () => {
    const mode = statAt(like)?.mode
    rmSync(draft, { force: true })
    if (mode !== undefined) {
      writeFileSync(draft, '', { mode: 0o600 })
      chmodSync(draft, mode & 0o777)
    }
    writeWhole(path, draft, text)
  })
}

function realPath(path: string): string {
  const real = realPathIfThere(path)
  if (real !== undefined) return real
  if (lstatAt(path)?.isSymbolicLink() !== true) return path
  throw new Failure('failed', `expected a file at ${path}, got a link that leads nowhere`, { hint: 'mend the link' })
}

function changedMeanwhile(path: string): Failure {
  return new Failure('conflict', `${path} was changed by another while it was to be changed`, { hint: 'run it again' })
}
