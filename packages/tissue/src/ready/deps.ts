// Linking issues, and taking links back.
import { Failure } from '@switchyard/ground/failure'
import { findNewCircle, renderCircle } from '../graph/circle.ts'
import { depsIn, findIssue, findIssues } from '../issue/issue.ts'
import { asOne, type Draft, type NewEntry } from '../log/draft.ts'
import { depKey, type Ledger } from '../log/fold.ts'
import { depKinds } from '../schema/event.check.ts'
import type { Dep, DepKind } from '../schema/event-schema.ts'
import { parseWord } from '../text/parse-word.ts'

/** A kind of link by its name. Exits 2 on any other word. */
export function parseDepKind(word: string): DepKind {
  return parseWord('a kind of link', word, depKinds)
}

/** The links that words name, each once. Exits 2 on an unknown kind, 3 and 4 as `findIssue` does. */
export function findDeps(ledger: Ledger, words: { from: string; kind: string; to: readonly string[] }): Dep[] {
  const kind = parseDepKind(words.kind)
  const from = findIssue(ledger, words.from)
  return findIssues(ledger, words.to).map((to) => ({ kind, from, to }))
}

/**
 * What adds links, all or none; nothing for those that are there. Exits 2 when an issue is linked to itself and 5 when
 * a circle would come of it or an issue would get a second parent; with `force` it leaves its first one.
 */
export function decideLinks(ledger: Ledger, deps: readonly Dep[], options: { force?: boolean } = {}): NewEntry[] {
  return asOne(draftsOfLinks(ledger, deps, options))
}

/** Drafts of links, for a write that says more than these. */
export function draftsOfLinks(ledger: Ledger, deps: readonly Dep[], { force = false } = {}): Draft[] {
  const fresh = deps.filter((dep) => !ledger.deps.get(depKey(dep))?.value.present)
  if (isHarmless(ledger, fresh)) return fresh.map(draftOfLink)
  const inForce = [...depsIn(ledger)]
  const left = force ? rivalParents(inForce, fresh) : []
  const stay = inForce.filter((dep) => !left.includes(dep))
  refuseBeside(stay, fresh)
  return [...left.map(draftOfUnlink), ...fresh.map(draftOfLink)]
}

/**
 * Whether there is nothing to refuse: no link, or one to an issue that has none yet, so that nothing leads around. A
 * batch has very many such links, and does not go through those in force for each.
 */
function isHarmless(ledger: Ledger, fresh: readonly Dep[]): boolean {
  const [only, ...more] = fresh
  if (!only) return true
  const { kind, from, to } = only
  if (more.length > 0 || from === to) return false
  return !isLinked(ledger, to) || (kind !== 'parent' && !isLinked(ledger, from))
}

function isLinked(ledger: Ledger, id: string): boolean {
  for (const { value } of ledger.deps.values()) if (value.dep.from === id || value.dep.to === id) return true
  return false
}

/**
 * Refuses new links beside those in force: exits 2 when an issue is linked to itself, and 5 when a circle would come of
 * it, naming the way around, or an issue would get a second parent. `nameOf` is what an id is called.
 */
export function refuseLinks(ledger: Ledger, fresh: readonly Dep[], nameOf?: (id: string) => string): void {
  if (!isHarmless(ledger, fresh)) refuseBeside([...depsIn(ledger)], fresh, nameOf)
}

function refuseBeside(inForce: readonly Dep[], fresh: readonly Dep[], nameOf = (id: string) => id): void {
  const self = fresh.find(({ from, to }) => from === to)
  if (self) throw new Failure('usage', `expected two issues, got ${nameOf(self.from)} twice`)
  const [rival] = rivalParents([...inForce, ...fresh], fresh)
  if (rival)
    throw new Failure(
      'conflict',
      `expected ${nameOf(rival.to)} to have no parent yet, it is a child of ${nameOf(rival.from)}`,
      {
        hint: 'tissue dep add --force moves it',
        retryable: false,
      },
    )
  const circle = findNewCircle(inForce, fresh)
  if (circle)
    throw new Failure('conflict', `expected no circle, this would make one: ${renderCircle(circle, nameOf)}`, {
      hint: 'remove one link with tissue dep rm',
      retryable: false,
    })
}

/** What removes links; nothing for those that are not there. */
export function decideUnlinks(ledger: Ledger, deps: readonly Dep[]): NewEntry[] {
  const links = deps.map((dep) => ledger.deps.get(depKey(dep))?.value)
  return asOne(links.flatMap((link) => (link?.present ? draftOfUnlink(link.dep) : [])))
}

/** Links of `deps` that give another parent to a child of a new one. */
function rivalParents(deps: readonly Dep[], fresh: readonly Dep[]): Dep[] {
  const parents = new Map(fresh.flatMap(({ kind, from, to }) => (kind === 'parent' ? [[to, from]] : [])))
  if (parents.size === 0) return []
  return deps.filter(({ kind, from, to }) => {
    const parent = kind === 'parent' ? parents.get(to) : undefined
    return parent !== undefined && parent !== from
  })
}

function draftOfLink({ kind, from, to }: Dep): Draft {
  return { type: 'linked', issue: from, kind, target: to }
}

function draftOfUnlink({ kind, from, to }: Dep): Draft {
  return { type: 'unlinked', issue: from, kind, target: to }
}
