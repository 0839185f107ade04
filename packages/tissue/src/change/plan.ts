// Issues that are made together and call each other by names of their own: all of them or none.

import { findIssue, findKeyed } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import { depKey, type Ledger } from '../log/fold.ts'
import { refuseLinks } from '../ready/deps.ts'
import type { Dep } from '../schema/event-schema.ts'
import type { PlannedIssue } from '../schema/plan-schema.ts'
import { openFaults } from '../text/faults.ts'
import { parseNew } from './input.ts'
import { draftsOfNew, type IdSource, linksOfNew, makeIds, type NewIssue, type NewLink } from './new-issue.ts'
import { type LinkWords, linksFrom } from './new-links.ts'

/** One issue of a plan; `at` says where it stands there. */
type Planned = { readonly name: string; readonly at: string; readonly issue: NewIssue; readonly words: LinkWords }

/** What became of one issue of a plan: `created` is false for one that was there under its key. */
export type PlanRow = {
  readonly name: string
  readonly id: string
  readonly issue: NewIssue
  readonly created: boolean
}

/**
 * The issues of a plan with their values read; `key` is that of the whole plan. Exits 2, naming all faults, when a
 * value is none, or a name or a key stands for two.
 */
export function parsePlan(
  issues: readonly PlannedIssue[],
  { now, me, key }: { now: number; me: () => string; key: string | undefined },
): Planned[] {
  const faults = openFaults('a plan')
  const names = new Set<string>()
  const keys = new Set<string>()
  const planned = issues.flatMap((fields, index) => {
    const { name } = fields
    const at = `issues[${index}] (${name})`
    if (names.has(name)) faults.add(`${at}: the name stands for another issue already`)
    names.add(name)
    const read = faults.collect(at, () => parseNew(fields, now, me))
    if (read === undefined) return []
    const ownKey = fields.key ?? (key === undefined ? undefined : `${key}/${name}`)
    if (ownKey !== undefined && keys.has(ownKey)) faults.add(`${at}: the key stands for another issue already`)
    if (ownKey !== undefined) keys.add(ownKey)
    return { name, at, words: read.words, issue: { ...read.issue, key: ownKey } }
  })
  faults.refuse()
  return planned
}

/**
 * What makes the issues of a plan that are not there yet. Exits 2, naming all of them, on names that stand for no
 * issue, and 5, naming the circle, when an issue would come to wait for itself.
 */
export function decidePlan(
  ledger: Ledger,
  planned: readonly Planned[],
  source: IdSource,
): { drafts: Draft[]; rows: PlanRow[] } {
  const rows = rowsOf(ledger, planned, source)
  const ids = new Map(rows.map(({ name, id }) => [name, id]))
  const names = new Map(rows.map(({ name, id }) => [id, name]))
  const news = new Map(rows.filter(({ created }) => created).map((row) => [row.id, [] as NewLink[]]))
  const fresh = new Map<string, Dep>()
  const faults = openFaults('a plan')
  planned.forEach(({ at, words }, index) => {
    const id = rows[index]?.id ?? ''
    const links = faults.collect(at, () => linksFrom(words, (name) => ids.get(name) ?? findIssue(ledger, name)))
    for (const dep of linksOfNew(id, { links: links ?? [] })) {
      const owner = news.has(dep.to) ? dep.to : dep.from
      if (!news.has(owner) || fresh.has(depKey(dep))) continue
      fresh.set(depKey(dep), dep)
      news.get(owner)?.push(owner === dep.to ? { kind: dep.kind, from: dep.from } : { kind: dep.kind, to: dep.to })
    }
  })
  faults.refuse()
  refuseLinks(ledger, [...fresh.values()], (id) => names.get(id) ?? id)
  const made = rows.filter(({ created }) => created)
  const issues = made.map(({ id, issue }) => ({ ...issue, id, links: news.get(id) ?? [] }))
  return { drafts: draftsOfNew(ledger, issues, source), rows }
}

function rowsOf(ledger: Ledger, planned: readonly Planned[], source: IdSource): PlanRow[] {
  const known = planned.map(({ issue }) => (issue.key === undefined ? undefined : findKeyed(ledger, issue.key)))
  const fresh = planned.filter((_, index) => known[index] === undefined).map(({ issue }) => issue)
  const ids = makeIds(ledger, fresh, source).values()
  return planned.map(({ name, issue }, index) => {
    const id = known[index]
    return { name, issue, id: id ?? ids.next().value ?? '', created: id === undefined }
  })
}
