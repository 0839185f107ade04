import { Failure } from '@switchyard/ground/failure'
import type { Fix, Wanted } from '../finding/finding.ts'
import { changedLines } from '../rule/rewrite.ts'
import { findLanguage } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import { decodeSource, encodeSource } from '../text/source-text.ts'
import { containedFile } from '../walk/containment.ts'
import { readSourceFile } from '../walk/source-file.ts'
import { type MendOptions, mendAll } from './mend-all.ts'
import { replaceFile } from './replace-file.ts'

const fileBytesMax = 16_000_000

/** What became of the findings of one file: what was mended, and why the others were left. */
export type FixedFile = { fixes: readonly Fix[]; left: readonly Failure[] }

/**
 * Mends findings of one file below `top` and writes it at once, unless `isDry`. Exits 1 when the file cannot be
 * mended at all, 2 when its path leads out, 3 when it is gone, 5 when somebody changed it meanwhile.
 */
export async function fixFile(
  top: string,
  wanted: readonly [Wanted, ...Wanted[]],
  { isDry, ...options }: MendOptions & { isDry: boolean },
): Promise<FixedFile> {
  const { path } = wanted[0]
  const absolute = containedFile(top, path)
  const language = findLanguage(path)
  if (language === undefined) throw new Failure('failed', `there are no rules for files such as ${path}`)
  const file = readSourceFile(absolute, fileBytesMax)
  if (file === 'vanished') throw new Failure('notFound', `there is no ${path} here to mend`)
  if (typeof file === 'string') throw new Failure('failed', `${path} cannot be mended: ${file}`)
  const source = decodeSource(file.bytes)
  const parse = await loadParser(language)
  const { text, mended, left } = mendAll(parse, { path, language, text: source.text }, wanted, options)
  if (!isDry && mended.length > 0) replaceFile({ absolute, path, ...file }, encodeSource(source, text))
  const fixes = mended.map(({ match, edits, from }): Fix => {
    const { before, after } = changedLines(from, edits)
    const { id, rule, line } = match.finding
    return { v: 1, type: 'fix', applied: !isDry, id, rule, path, line, before, after }
  })
  return { fixes, left }
}
