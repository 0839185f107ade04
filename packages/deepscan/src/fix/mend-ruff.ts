import { cleanEnv } from '@switchyard/exec'
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { Wanted } from '../finding/finding.ts'
import { describeComplaints } from '../linters/describe-complaints.ts'
import { type RuffDiagnostic, ruffComplaints } from '../linters/ruff.ts'
import { ruffRules } from '../linters/ruff-rules.ts'
import { withRuff } from '../linters/run-ruff.ts'
import { applyEdits } from '../rule/rewrite.ts'
import type { Edit } from '../rule/rule.ts'

type Check = (text: string) => Promise<readonly RuffDiagnostic[]>

/** Whether a finding is one that ruff mends. */
export function isOfRuff({ rule }: Wanted): boolean {
  return rule.startsWith('ruff/')
}

/** Applies ruff's own fixes of findings of one text, one after the other; each proven as `mendWithRuff` says. */
export async function mendAllWithRuff(
  source: string,
  all: readonly Wanted[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ text: string; mended: readonly (MendedByRuff & { wanted: Wanted; from: string })[]; left: Failure[] }> {
  return await withRuff(cleanEnv(env), async (check) => {
    const mended: (MendedByRuff & { wanted: Wanted; from: string })[] = []
    const left: Failure[] = []
    let text = source
    for (const wanted of all) {
      try {
        const one = await mendWithRuff(text, wanted, check)
        mended.push({ ...one, wanted, from: text })
        text = one.text
      } catch (error) {
        if (!isFailure(error)) throw error
        left.push(error)
      }
    }
    return { text, mended, left }
  })
}

/** What ruff's fix makes of a text, and the line that it was about. */
type MendedByRuff = { line: number; edits: readonly Edit[]; text: string }

/**
 * Applies ruff's own fix of one finding, where its rule has a safe one, and proves it by running ruff over the result:
 * there is one complaint of the rule less, and no more of any other. Exits 1 when there is no such fix, 3 when ruff has
 * nothing to say there any more.
 */
async function mendWithRuff(text: string, wanted: Wanted, check: Check): Promise<MendedByRuff> {
  const code = wanted.rule.slice('ruff/'.length)
  if (ruffRules.get(code)?.hasSafeFix !== true) throw noFix(wanted)
  const before = await check(text)
  const found = nearest(
    text,
    before.filter((diagnostic) => diagnostic.code === code),
    wanted,
  )
  if (found === undefined) {
    throw new Failure('notFound', `${wanted.rule} has nothing to mend in ${wanted.path}: what it quoted is gone`)
  }
  const edits = (found.diagnostic.fix?.edits ?? []).map(({ content, location, end_location }) => ({
    start: offsetOf(text, location),
    end: offsetOf(text, end_location),
    text: content ?? '',
  }))
  const ordered = edits.sort((a, b) => a.start - b.start)
  if (ordered.length === 0 || ordered.some((edit) => losesMore(text, edit))) throw noFix(wanted)
  const mended = applyEdits(text, ordered)
  const [was, is] = [countCodes(before), countCodes(await check(mended))]
  const isWorse = [...is].some(([other, count]) => count > (was.get(other) ?? 0) - (other === code ? 1 : 0))
  if (isWorse) throw noFix(wanted)
  return { line: found.line, edits: ordered, text: mended }
}

function noFix({ rule, path, line }: Wanted): Failure {
  return new Failure('failed', `${rule} has no safe rewrite for ${path}:${line}`, { hint: 'mend it by hand' })
}

/** Whether an edit takes away a comment, or code that may do something when it runs. */
function losesMore(text: string, edit: Edit): boolean {
  const count = (code: string) => (code.match(/[(#]|:=|\b(?:await|yield)\b/g) ?? []).length
  return count(text.slice(edit.start, edit.end)) > count(edit.text)
}

function nearest(text: string, diagnostics: readonly RuffDiagnostic[], wanted: Wanted) {
  const file = { path: wanted.path, text, language: 'python', encoding: 'utf8', bytesBefore: 0 } as const
  const placed = diagnostics.flatMap((diagnostic) =>
    describeComplaints(file, ruffComplaints([diagnostic])).map(({ line, quote }) => ({ diagnostic, line, quote })),
  )
  const same = placed.filter(({ quote }) => quote === wanted.quote)
  return same.sort((a, b) => Math.abs(a.line - wanted.line) - Math.abs(b.line - wanted.line))[0]
}

function offsetOf(text: string, { row, column }: { row: number; column: number }): number {
  let start = 0
  for (let line = 1; line < row; line++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  return Math.min(text.length, start + column - 1)
}

function countCodes(diagnostics: readonly RuffDiagnostic[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of diagnostics) counts.set(code ?? 'syntax', (counts.get(code ?? 'syntax') ?? 0) + 1)
  return counts
}
