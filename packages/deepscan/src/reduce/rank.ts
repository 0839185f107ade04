import type { Finding } from '../finding/finding.ts'
import { comparePlaces } from './prepare.ts'
import type { Weights } from './weights.ts'
import { wordingOf } from './words.ts'

const saturation = 1.2
const lengthShare = 0.75

/**
 * Findings by severity × how sure they are × how near to the query, the first the most worth a look; equals by path
 * and line. Without a query nearness does not count.
 */
export function rankFindings(findings: readonly Finding[], query: string | undefined, weights: Weights): Finding[] {
  const relevance = relevanceTo(query, findings)
  const ranked = findings.map((finding, index) => {
    const near = relevance[index] ?? 0
    const score = finding.score === undefined ? undefined : { ...finding.score, relevance: near }
    const worth = weights.severity[finding.severity] * (score?.total ?? 1) * (1 + near)
    return { finding: score === undefined ? finding : { ...finding, score }, worth }
  })
  return ranked.sort((a, b) => b.worth - a.worth || comparePlaces(a.finding, b.finding)).map(({ finding }) => finding)
}

/** BM25 of each finding's words, as a share of the nearest one's. */
function relevanceTo(query: string | undefined, findings: readonly Finding[]): readonly number[] {
  const asked = query === undefined ? [] : wordingOf(query).words
  if (asked.length === 0) return findings.map(() => 0)
  const texts = findings.map(countWords)
  const meanLength = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length)
  const rarity = asked.map((word) => {
    const having = texts.filter(({ counts }) => counts.has(word)).length
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
  })
  const scores = texts.map(({ counts, length }) =>
    asked.reduce((sum, word, index) => {
      const count = counts.get(word) ?? 0
      const bound = count + saturation * (1 - lengthShare + (lengthShare * length) / meanLength)
      return sum + (rarity[index] ?? 0) * (count === 0 ? 0 : (count * (saturation + 1)) / bound)
    }, 0),
  )
  const highest = scores.reduce((most, score) => Math.max(most, score), 0)
  return scores.map((score) => (highest === 0 ? 0 : Math.round((score / highest) * 1000) / 1000))
}

function countWords({ title, message, path, rule }: Finding): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>()
  const { words } = wordingOf(
    `${title} ${message} ${path.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} ${rule.replace('/', ' ')}`,
  )
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, length: words.length }
}
