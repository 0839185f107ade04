import { type Finding, type Occurrence, type Verification, verifications } from '../finding/finding.ts'
import { severities } from '../finding/severity.ts'
import type { Prepared } from './prepare.ts'
import { comparePlaces } from './prepare.ts'
import type { Weights } from './weights.ts'

/** One finding for a group: the best of it, with every place, who found it, and how sure it is. */
export function mergeGroup(group: readonly (readonly Prepared[])[], weights: Weights): Finding {
  const places = group.map((place) => place.map(({ finding }) => finding).sort(compareWorth))
  const best = places.flat().sort(compareWorth)[0]
  if (best === undefined) throw new Error('bug: a group without a finding')
  const others = places.flatMap(([first]) => (first === undefined ? [] : [first])).sort(comparePlaces)
  const occurrences = distinctPlaces([best, ...others].flatMap(placesOf))
  const support = Math.max(...places.map((place) => new Set(place.map(voiceOf)).size))
  const sources = [...new Set(places.flat().map(sourceOf))].sort()
  const asksAgain = places.flat().some((finding) => finding.verification_required)
  return {
    ...best,
    ...(asksAgain ? { verification_required: true } : {}),
    sources,
    support,
    occurrences,
    score: scoreOf(best, support, weights),
  }
}

/** The places of a finding, its own first: one that was found in equal files stands in each. */
function placesOf(finding: Finding): readonly Occurrence[] {
  const { id, path, line, column, occurrences = [] } = finding
  return [{ id, path, line, column }, ...occurrences]
}

function distinctPlaces(places: readonly Occurrence[]): Occurrence[] {
  const known = new Map<string, Occurrence>()
  for (const place of places) {
    const key = JSON.stringify([place.path, place.line, place.column])
    if (!known.has(key)) known.set(key, place)
  }
  return [...known.values()]
}

/** Better evidence first, then what can be mended, then what is surer and worse. */
function compareWorth(a: Finding, b: Finding): number {
  return (
    trust(a) - trust(b) ||
    Number(b.fixable) - Number(a.fixable) ||
    severities.indexOf(b.confidence) - severities.indexOf(a.confidence) ||
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    comparePlaces(a, b) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

function trust({ verification }: Finding): number {
  return verifications.indexOf(verification ?? 'unverified')
}

/** Who speaks: two agents, or two chunks that one agent read, are independent; a rule is one voice. */
function voiceOf({ analyser = 'rules', agent, chunk }: Finding): string {
  return JSON.stringify([analyser, agent, chunk])
}

function sourceOf({ analyser = 'rules', agent, chunk, rule }: Finding): string {
  return analyser === 'agent' ? [agent ?? 'agent', chunk].filter(Boolean).join('#') : `${analyser}:${rule}`
}

function scoreOf(finding: Finding, support: number, weights: Weights): NonNullable<Finding['score']> {
  const base = weights.confidence[finding.confidence]
  const verification = weights.verification[verificationOf(finding)]
  const factor = 1 + weights.support * (1 - 1 / support)
  const total = Math.min(1, base * verification * factor)
  return { base, verification: verification, support: round(factor), relevance: 0, total: round(total) }
}

/** A rule quotes what it matched, which needs no second look until the file changes. */
function verificationOf({ verification, analyser = 'rules' }: Finding): Verification {
  return verification ?? (analyser === 'agent' ? 'unverified' : 'verified')
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
