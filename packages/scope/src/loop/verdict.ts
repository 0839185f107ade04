// The verdict of a check. Work is accepted where every gate has passed and the judge says so in the one way that is
// agreed; whatever cannot be understood is no acceptance.

export type Word = 'accept' | 'retry' | 'terminate'

/** Whether a criterion holds, by its number in the rubric, from 1. */
export type Mark = { readonly number: number; readonly passed: boolean }

/** How a judge sees the work; `unparsed` when it gave no verdict that can be understood. */
export type Judgement = {
  readonly verdict: Word | 'unparsed'
  readonly marks: readonly Mark[]
  readonly feedback: string
}

const words = new Map<string, Word>([
  ['ACCEPT', 'accept'],
  ['RETRY', 'retry'],
  ['TERMINATE', 'terminate'],
])

/** The verdict in an answer: its last line that is not empty, and nothing but the agreed words in it. */
export function verdictIn(answer: string): Word | 'unparsed' {
  const last = answer.split(/\r\n|\r|\n/).findLast((line) => line.trim() !== '')
  const word = /^(?:VERDICT: )?(ACCEPT|RETRY|TERMINATE)$/.exec(last?.trim() ?? '')?.[1]
  return words.get(word ?? '') ?? 'unparsed'
}

/** The lines of an answer that say whether a criterion holds; one that is marked in two ways fails. */
export function marksIn(answer: string): Mark[] {
  const lines = answer.matchAll(/^[ \t]*CRITERION (\d{1,4}): (PASS|FAIL)[ \t]*\r?$/gm)
  return onePerNumber([...lines].map(([, number, word]) => ({ number: Number(number), passed: word === 'PASS' })))
}

function onePerNumber(marks: readonly Mark[]): Mark[] {
  const passed = new Map<number, boolean>()
  for (const mark of marks) passed.set(mark.number, mark.passed && passed.get(mark.number) !== false)
  return [...passed].map(([number, holds]) => ({ number, passed: holds }))
}

type Said = { readonly verdict: Word; readonly criteria: readonly Mark[]; readonly message: string }

/**
 * What a judge has said: by `scope verdict`, in its last message, or both. Where the two differ, the harder one counts;
 * to accept work although a criterion fails is to ask for another try.
 */
export function judgementOf(answer: string, said: Said | undefined): Judgement {
  const written = verdictIn(answer)
  const marks = onePerNumber([...marksIn(answer), ...(said?.criteria ?? [])])
  const feedback = [said?.message ?? '', answer].filter((text) => text.trim() !== '').join('\n\n')
  const both = [said?.verdict, written === 'unparsed' && said !== undefined ? undefined : written]
  const verdict = both.includes('terminate')
    ? 'terminate'
    : both.includes('retry')
      ? 'retry'
      : both.includes('unparsed')
        ? 'unparsed'
        : 'accept'
  const isRefuted = verdict === 'accept' && marks.some(({ passed }) => !passed)
  return { verdict: isRefuted ? 'retry' : verdict, marks, feedback }
}

/** The verdict of a whole check. Without a judge the gates decide, of which there must be one. */
export function verdictOf(
  gates: readonly { readonly passed: boolean }[],
  judgement: Judgement | undefined,
): Judgement['verdict'] {
  if (judgement?.verdict === 'terminate') return 'terminate'
  if (gates.some(({ passed }) => !passed)) return 'retry'
  if (judgement !== undefined) return judgement.verdict
  return gates.length > 0 ? 'accept' : 'unparsed'
}
