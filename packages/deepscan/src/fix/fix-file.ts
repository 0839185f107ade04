import { Failure } from '@switchyard/ground/failure'
import type { Fix, Wanted } from '../finding/finding.ts'
import { changedLines } from '../rule/rewrite.ts'
import type { Edit } from '../rule/rule.ts'
import { findLanguage } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import { decodeSource, encodeSource } from '../text/source-text.ts'
import { containedFile } from '../walk/containment.ts'
import { readSourceFile } from '../walk/source-file.ts'
import { type MendOptions, mendAll } from './mend-all.ts'
import { isOfRuff, mendAllWithRuff } from './mend-ruff.ts'
import { replaceFile } from './replace-file.ts'

const fileBytesMax = 16_000_000

type FixOptions = MendOptions & { isDry: boolean; env: Readonly<Record<string, string | undefined>> }

/** What became of the findings of one file: what was mended, and why the others were left. */
export type FixedFile = { fixes: readonly Fix[]; left: readonly Failure[] }

/**
 * Mends findings of one file below `top` and writes it at once, unless `isDry`. Exits 1 when the file cannot be
 * mended at all, 2 when its path leads out, 3 when it is gone, 5 when somebody changed it meanwhile.
 */
export async function fixFile(
  top: string,
  wanted: readonly [Wanted, ...Wanted[]],
  { isDry, env, ...options }: FixOptions,
): Promise<FixedFile> {
  const { path } = wanted[0]
  const absolute = containedFile(top, path)
  const language = findLanguage(path)
  if (language === undefined) throw new Failure('failed', `there are no rules for files such as ${path}`)
  const file = readSourceFile(absolute, fileBytesMax)
  if (file === 'vanished') throw new Failure('notFound', `there is no ${path} here to mend`)
  if (typeof file === 'string') throw new Failure('failed', `${path} cannot be mended: ${file}`)
  const source = decodeSource(file.bytes)
  const [linted, ours] = [wanted.filter(isOfRuff), wanted.filter((one) => !isOfRuff(one))]
  const parse = await loadParser(language)
  const { text: ruled, mended, left } = mendAll(parse, { path, language, text: source.text }, ours, options)
  const ruffed = linted.length === 0 ? { text: ruled, mended: [], left: [] } : await mendAllWithRuff(ruled, linted, env)
  const isChanged = mended.length + ruffed.mended.length > 0
  if (!isDry && isChanged) replaceFile({ absolute, path, ...file }, encodeSource(source, ruffed.text))
  const fixOf = (finding: Pick<Fix, 'id' | 'rule' | 'line'>, edits: readonly Edit[], from: string): Fix => {
    const { before, after } = changedLines(from, edits)
    const { id, rule, line } = finding
    return { v: 1, type: 'fix', applied: !isDry, id, rule, path, line, before, after }
  }
  const fixes = [
    ...mended.map(({ match, edits, from }) => fixOf(match.finding, edits, from)),
    ...ruffed.mended.map(({ wanted: { id, rule }, line, edits, from }) => fixOf({ id, rule, line }, edits, from)),
  ]
  return { fixes, left: [...left, ...ruffed.left] }
}
