import type { Answer } from './read-answer.ts'

/** What measures an answer: how many of its quotes stand in the chunk, and how many rules found something there. */
export type Measured = { readonly located: number; readonly ruleHits: number }

/**
 * Why an answer is of low quality, in words; undefined when it is not. More than half of its quotes are nowhere in the
 * chunk, or it has no finding where rules have.
 */
export function lowQuality({ findings, status }: Answer, { located, ruleHits }: Measured): string | undefined {
  const missing = findings.length - located
  if (missing * 2 > findings.length) return `${missing} of ${findings.length} quotes are not in the code`
  if (status === 'completed' && findings.length === 0 && ruleHits > 0) {
    return `no finding where rules found ${ruleHits}`
  }
  return undefined
}
