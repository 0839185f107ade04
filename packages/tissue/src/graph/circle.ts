// Circles of links. A kind with a direction must have none of its own, and waiting must have none either: an issue
// waits for its blockers, a parent for its children, and a child for what holds its parent back.

import { depKinds } from '../schema/event.check.ts'
import type { Dep, DepKind } from '../schema/event-schema.ts'
import { componentsOf, type Edge, type Next, nextOf, wayBetween } from './digraph.ts'
import { linkWords } from './link-text.ts'
import { isPartOf, linksOf } from './waiting.ts'

/** What a circle is made of: one kind of link, or several by which each issue waits for the next. */
type CircleKind = DepKind | 'waits'

/** A step of a circle: the link that makes it, and how it reads. */
type Step = { readonly dep: Dep; readonly text: string }

/** Links that lead from an issue back to it. */
export type Circle = { readonly kind: CircleKind; readonly steps: readonly Edge<Step>[] }

const circleKinds: readonly CircleKind[] = [...depKinds.filter((kind) => kind !== 'relates'), 'waits']
const stepsShownMax = 12

/** Marks the node for an issue's children to begin; the bare id is the node for the issue to end. */
const gate = '^'

/**
 * A circle that new links would close with those in force. Circles that are there already, as a merge can bring them,
 * do not count. Linear in the number of links, however many of them are new.
 */
export function findNewCircle(inForce: readonly Dep[], fresh: readonly Dep[]): Circle | undefined {
  const deps = [...inForce, ...fresh]
  const isFresh = new Set(fresh)
  for (const kind of circleKinds) {
    if (!fresh.some((dep) => isOfKind(dep, kind))) continue
    const edges = edgesOf(deps, kind)
    const next = nextFrom(edges)
    const news = edges.filter(({ label }) => isFresh.has(label.dep))
    const starts = news.map(({ to }) => to)
    const components = componentsOf(starts, next)
    const closing = news.find(({ from, to }) => components.get(from) === components.get(to))
    if (closing) return { kind, steps: circleThrough(closing, next) }
  }
  return undefined
}

/** The circles among these links: one of each knot, that is of issues which all lead to each other. */
export function circlesIn(deps: readonly Dep[]): Circle[] {
  const circles: Circle[] = []
  for (const kind of circleKinds) {
    const edges = edgesOf(deps, kind)
    const next = nextFrom(edges)
    const starts = edges.map(({ from }) => from)
    const components = componentsOf(starts, next)
    const nodes = kind === 'waits' ? circles.flatMap(({ steps }) => steps.map(({ from }) => from)) : []
    const named = new Set(nodes.flatMap((node) => [components.get(node), components.get(gate + node)]))
    named.delete(undefined)
    for (const edge of edges) {
      const knot = components.get(edge.from)
      if (knot !== components.get(edge.to) || named.has(knot)) continue
      named.add(knot)
      circles.push({ kind, steps: circleThrough(edge, next) })
    }
  }
  return circles
}

/** The issues of a circle in order; the first is also the last. */
export function pathOf({ steps }: Circle): string[] {
  return steps.flatMap(({ from, to }, index) => (index === 0 ? [issueOf(from), issueOf(to)] : [issueOf(to)]))
}

/** A circle as a sentence; of a long one both ends. */
export function renderCircle({ kind, steps }: Circle, nameOf = (id: string) => id): string {
  const joint = kind === 'waits' ? ', which ' : ' '
  const parts = steps.map(({ to, label }) => `${label.text} ${nameOf(issueOf(to))}`)
  const left = parts.length - stepsShownMax
  if (left > 1) parts.splice(stepsShownMax / 2, left, `… ${left} more …`)
  return `${nameOf(issueOf(steps[0]?.from ?? ''))} ${parts.join(joint)}`
}

function circleThrough(edge: Edge<Step>, next: Next<Step>): Edge<Step>[] {
  return [edge, ...(wayBetween(edge.to, edge.from, next) ?? [])]
}

function isOfKind(dep: Dep, kind: CircleKind): boolean {
  return kind === 'waits' ? dep.kind === 'blocks' || dep.kind === 'parent' : dep.kind === kind
}

function edgesOf(deps: readonly Dep[], kind: CircleKind): Edge<Step>[] {
  const some = deps.filter((dep) => isOfKind(dep, kind))
  if (kind === 'waits') return waitingEdges(some)
  return some.map((dep) => ({ from: dep.from, to: dep.to, label: { dep, text: linkWords[kind][0] } }))
}

/**
 * An issue ends after its blockers and its children have; its children begin after what holds it back has ended. The
 * gates keep that linear: a blocker is one edge for the parent, not one for each of its descendants.
 */
function waitingEdges(deps: readonly Dep[]): Edge<Step>[] {
  const { parents } = linksOf(deps)
  const whole = new Set(deps.flatMap(({ kind, from }) => (kind === 'parent' ? from : [])))
  return deps.flatMap((dep) => {
    const { kind, from, to } = dep
    const edge = (start: string, end: string, text: string) => ({ from: start, to: end, label: { dep, text } })
    if (kind === 'blocks') {
      const isOutside = whole.has(to) && !isPartOf(parents, from, to)
      const own = edge(to, from, 'waits for')
      return isOutside ? [own, edge(gate + to, from, 'waits for')] : [own]
    }
    const held = 'is held back with its parent'
    const up = edge(to, gate + from, held)
    const child = edge(from, to, 'waits for its child')
    return whole.has(to) ? [child, up, edge(gate + to, gate + from, held)] : [child, up]
  })
}

function nextFrom(edges: Iterable<Edge<Step>>): Next<Step> {
  const next = nextOf(edges)
  return (node) => next.get(node) ?? []
}

function issueOf(node: string): string {
  return node.startsWith(gate) ? node.slice(gate.length) : node
}
