// What an issue waits for: its own blockers, and those of the issues it is a part of.
import type { Dep } from '../log/event-schema.ts'

/**
 * An issue that has to be over first. `through` is the ancestor that it blocks, when it holds this issue back only as
 * a part of that one.
 */
export type Wait = { readonly on: string; readonly through?: string }

type Links = { readonly blockers: Map<string, string[]>; readonly parents: Map<string, string[]> }

/**
 * What each issue waits for, out of the dependencies in force; its own blockers first. A blocked parent holds its
 * children back, but not with a blocker that is itself among that parent's descendants: an epic that waits for its
 * children could never begin otherwise. Blockers that are over hold nobody back; a parent that is over passes nothing
 * on.
 */
export function waitsOf(deps: Iterable<Dep>, isOver: (id: string) => boolean): (id: string) => readonly Wait[] {
  const { blockers, parents } = linksOf(deps, isOver)
  const open = (id: string) => blockers.get(id) ?? []
  return (id) => {
    const waits: Wait[] = open(id).map((on) => ({ on }))
    const known = new Set(waits.map(({ on }) => on))
    for (const ancestor of ancestorsOf(parents, id)) {
      for (const on of open(ancestor)) {
        if (known.has(on) || on === id || isPartOf(parents, on, ancestor)) continue
        known.add(on)
        waits.push({ on, through: ancestor })
      }
    }
    return waits
  }
}

/** The issues that one is a part of, nearest first. Merged clones may have given it two parents, or made a circle. */
export function ancestorsOf(parents: ReadonlyMap<string, readonly string[]>, id: string): string[] {
  const found = new Set(parents.get(id))
  for (const ancestor of found) for (const next of parents.get(ancestor) ?? []) found.add(next)
  found.delete(id)
  return [...found]
}

/** Whether an issue is another's descendant. */
export function isPartOf(parents: ReadonlyMap<string, readonly string[]>, id: string, whole: string): boolean {
  return parents.has(id) && ancestorsOf(parents, id).includes(whole)
}

/** Blockers and parents of each issue that has any, as far as neither end is over. */
export function linksOf(deps: Iterable<Dep>, isOver: (id: string) => boolean = () => false): Links {
  const links: Links = { blockers: new Map(), parents: new Map() }
  for (const { kind, from, to } of deps) {
    const side = kind === 'blocks' ? links.blockers : kind === 'parent' ? links.parents : undefined
    if (!side || isOver(from) || isOver(to)) continue
    const known = side.get(to)
    if (known) known.push(from)
    else side.set(to, [from])
  }
  return links
}
