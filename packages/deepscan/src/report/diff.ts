import * as z from 'zod'
import { type Finding, findingSchema } from '../finding/finding.ts'
import { normaliseQuote } from '../finding/fingerprint.ts'
import { comparePlaces } from '../reduce/prepare.ts'

/** What became of a finding between two scans. */
export const changes = ['new', 'fixed', 'persisting'] as const

export const changedSchema = z.object({
  change: z.enum(changes),
  finding: findingSchema,
  was: z
    .object({ path: z.string(), line: z.number().int().min(1) })
    .optional()
    .describe('Where it stood before'),
})
export type Changed = z.infer<typeof changedSchema>

/** Fewer letters and digits than this do not name one defect in another file. */
const tellingMin = 12

/**
 * Findings of two scans by what became of them: the same fingerprint is the same finding, wherever its lines are now.
 * What was moved to another file is known by rule and quote where these name one only.
 */
export function diffFindings(before: readonly Finding[], after: readonly Finding[]): Changed[] {
  const old = new Map(before.map((finding) => [finding.id, finding]))
  const current = new Map(after.map((finding) => [finding.id, finding]))
  const gone = [...old.values()].filter(({ id }) => !current.has(id))
  const come = [...current.values()].filter(({ id }) => !old.has(id))
  const moved = pairMoved(gone, come)
  const movedFrom = new Set(moved.values())
  const changed: Changed[] = [...current.values()].map((finding) => {
    const was = old.get(finding.id) ?? moved.get(finding)
    if (was === undefined) return { change: 'new', finding }
    return { change: 'persisting', finding, was: { path: was.path, line: was.line } }
  })
  for (const finding of gone) if (!movedFrom.has(finding)) changed.push({ change: 'fixed', finding })
  return changed.sort(
    (a, b) => changes.indexOf(a.change) - changes.indexOf(b.change) || comparePlaces(a.finding, b.finding),
  )
}

function pairMoved(gone: readonly Finding[], come: readonly Finding[]): ReadonlyMap<Finding, Finding> {
  const [from, to] = [byQuote(gone), byQuote(come)]
  const pairs = new Map<Finding, Finding>()
  for (const [key, [one, another]] of to) {
    const [was, other] = from.get(key) ?? []
    if (one !== undefined && was !== undefined && another === undefined && other === undefined) pairs.set(one, was)
  }
  return pairs
}

function byQuote(findings: readonly Finding[]): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>()
  for (const finding of findings) {
    if ((finding.quote.match(/[\p{L}\p{N}]/gu) ?? []).length < tellingMin) continue
    const key = JSON.stringify([finding.rule, normaliseQuote(finding.quote)])
    found.set(key, [...(found.get(key) ?? []), finding])
  }
  return found
}
