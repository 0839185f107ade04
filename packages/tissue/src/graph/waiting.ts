// What an issue waits for: its own blockers, and those of the issues it is a part of.
import type { Dep } from '../schema/event-schema.ts'

/**
 * An issue that has to be over first. `through` is the ancestor that it blocks, when it holds this issue back only as
 * a part of that one.
 */
export type Wait = { readonly on: string; readonly through?: string }

type By = ReadonlyMap<string, readonly string[]>
type Links = { readonly blockers: By; readonly parents: By }

/**
 * What each issue waits for, out of the dependencies in force; its own blockers first. A blocked parent holds its
 * children back, but not with a blocker that is itself among that parent's descendants: an epic that waits for its
 * children could never begin otherwise. Blockers that are over hold nobody back; a parent that is over passes nothing
 * on.
 */
export function waitsOf(deps: Iterable<Dep>, isOver: (id: string) => boolean): (id: string) => readonly Wait[] {
  return waitsAlong(linksOf(deps, isOver))
}

/** Reasons to wait, out of the links of `linksOf`. A chain of parents is walked once for all below it, however long. */
export function waitsAlong({ blockers, parents }: Links): (id: string) => readonly Wait[] {
  const outside = new Map<string, readonly string[]>()
  const outsideOf = (ancestor: string): readonly string[] => {
    const found =
      outside.get(ancestor) ?? blockers.get(ancestor)?.filter((on) => !isPartOf(parents, on, ancestor)) ?? []
    outside.set(ancestor, found)
    return found
  }
  const above = wayUp(parents, (id) => outsideOf(id).length > 0)
  return (id) => {
    const waits: Wait[] = (blockers.get(id) ?? []).map((on) => ({ on }))
    const known = new Set([id, ...waits.map(({ on }) => on)])
    const ancestors = new Set(above(id))
    for (const ancestor of ancestors) {
      for (const next of above(ancestor)) ancestors.add(next)
      if (ancestor === id) continue
      for (const on of outsideOf(ancestor)) {
        if (known.has(on)) continue
        known.add(on)
        waits.push({ on, through: ancestor })
      }
    }
    return waits
  }
}

/** Steps from an issue to those that it is a part of, past all that have one parent and do not stop anything. */
function wayUp(parents: By, isStop: (id: string) => boolean): (id: string) => string[] {
  const landings = new Map<string, string>()
  const landingOf = (start: string) => {
    const passed = new Set<string>()
    let here = start
    while (!passed.has(here) && !isStop(here)) {
      const [only, ...more] = parents.get(here) ?? []
      if (only === undefined || more.length > 0) break
      passed.add(here)
      here = landings.get(only) ?? only
    }
    for (const id of passed) landings.set(id, here)
    return here
  }
  return (id) => (parents.get(id) ?? []).map(landingOf)
}

/** The issues that one is a part of, nearest first. Merged clones may have given it two parents, or made a circle. */
function* ancestorsOf(parents: By, id: string): Generator<string> {
  const found = new Set(parents.get(id))
  for (const ancestor of found) {
    if (ancestor !== id) yield ancestor
    for (const next of parents.get(ancestor) ?? []) found.add(next)
  }
}

/** Whether an issue is another's descendant. */
export function isPartOf(parents: By, id: string, whole: string): boolean {
  for (const ancestor of ancestorsOf(parents, id)) if (ancestor === whole) return true
  return false
}

/** Blockers and parents of each issue that has any, as far as neither end is over. */
export function linksOf(deps: Iterable<Dep>, isOver: (id: string) => boolean = () => false): Links {
  const links = { blockers: new Map<string, string[]>(), parents: new Map<string, string[]>() }
  for (const { kind, from, to } of deps) {
    const side = kind === 'blocks' ? links.blockers : kind === 'parent' ? links.parents : undefined
    if (!side || isOver(from) || isOver(to)) continue
    const known = side.get(to)
    if (known) known.push(from)
    else side.set(to, [from])
  }
  return links
}
