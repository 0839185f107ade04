// Dependencies: adding one must not close a circle.
import { Failure } from '@switchyard/cli-kit/failure'
import type { Draft } from './draft.ts'
import type { Dep, DepKind } from './event-schema.ts'
import { depKey, type Ledger } from './fold.ts'
import { depKinds } from './guard.ts'
import { findIssue } from './issue.ts'

const sentences = {
  blocks: 'blocks',
  relates: 'relates to',
  parent: 'is the parent of',
  'discovered-from': 'was discovered from',
  duplicates: 'duplicates',
  supersedes: 'supersedes',
  'caused-by': 'is caused by',
} as const satisfies Record<DepKind, string>

/** A dependency as a sentence. */
export function renderDep({ kind, from, to }: Dep): string {
  return `${from} ${sentences[kind]} ${to}`
}

/** The dependency that words name. Exits 2 on an unknown kind, 3 and 4 as `findIssueId` does. */
export function findDep(ledger: Ledger, words: { from: string; kind: string; to: string }): Dep {
  const kind = depKinds.find((name) => name === words.kind)
  if (!kind)
    throw new Failure('usage', `expected a kind of link, got "${words.kind}"`, {
      hint: `one of ${depKinds.join(', ')}`,
    })
  return { kind, from: findIssue(ledger, words.from), to: findIssue(ledger, words.to) }
}

/**
 * What adds a dependency; nothing when it is there. Exits 5, naming the circle, when an issue would come to wait for
 * itself.
 */
export function decideLink(ledger: Ledger, dep: Dep): Draft[] {
  if (dep.from === dep.to) throw new Failure('usage', `expected two issues, got ${dep.from} twice`)
  if (ledger.deps.get(depKey(dep))?.value.present) return []
  const circle = dep.kind === 'relates' ? undefined : findPath(ledger, dep.kind, dep.to, dep.from)
  if (circle) {
    const path = [dep.from, ...circle].join(` ${sentences[dep.kind]} `)
    throw new Failure('conflict', `expected no circle, this would make one: ${path}`, {
      hint: 'remove one link with tissue dep rm',
      retryable: false,
    })
  }
  return [{ type: 'linked', issue: dep.from, kind: dep.kind, target: dep.to }]
}

/** What removes a dependency; nothing when it is not there. */
export function decideUnlink(ledger: Ledger, dep: Dep): Draft[] {
  const link = ledger.deps.get(depKey(dep))?.value
  return link?.present ? [{ type: 'unlinked', issue: link.dep.from, kind: dep.kind, target: link.dep.to }] : []
}

/** The issues on a way from one to another along links of one kind, both ends included. */
export function findPath(ledger: Ledger, kind: DepKind, from: string, to: string): string[] | undefined {
  const next = new Map<string, string[]>()
  for (const { value } of ledger.deps.values()) {
    if (!value.present || value.dep.kind !== kind) continue
    next.set(value.dep.from, [...(next.get(value.dep.from) ?? []), value.dep.to])
  }
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  for (const here of cameFrom.keys()) {
    if (here === to) return walkBack(cameFrom, to)
    for (const there of next.get(here) ?? []) {
      if (!cameFrom.has(there)) cameFrom.set(there, here)
    }
  }
  return undefined
}

function walkBack(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const path: string[] = []
  for (let here: string | undefined = end; here !== undefined; here = cameFrom.get(here)) path.unshift(here)
  return path
}
