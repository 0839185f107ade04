// Sessions as the rows of a tree: what waits for a person comes first, and in a tree the way to it.
import { compareIds, isSessionId } from '../session/session-id.ts'
import type { SessionView } from '../session/session-schema.ts'
import { isOver } from '../session/transitions.ts'

export type Views = ReadonlyMap<string, SessionView>

export type Row = {
  readonly view: SessionView
  readonly depth: number
  readonly hasKids: boolean
  readonly isFolded: boolean
  /** Whether a row below it that is not shown waits for a person. */
  readonly hidesWait: boolean
}

export type Wish = {
  readonly folded: ReadonlySet<string>
  /** Whether those that are over, with nothing at work below them, are left out. */
  readonly hidesOver: boolean
  /** Only rows with these words somewhere, and those above them. */
  readonly filter: string
}

export const everything: Wish = { folded: new Set(), hidesOver: false, filter: '' }

/** Whether a person has to answer its agent. */
export const isWaiting = ({ needs_input }: SessionView) => needs_input !== null

/** The order in which `rowsOf` takes sessions: by their ids, those of other tools last. */
export function inOrder(ids: Iterable<string>): string[] {
  const own: string[] = []
  const others: string[] = []
  for (const id of ids) (isSessionId(id) ? own : others).push(id)
  return [...own.sort(compareIds), ...others.sort()]
}

/** The rows of a tree, from the top; `ids` are in the order of `inOrder`. */
export function rowsOf(views: Views, ids: readonly string[], wish: Wish): Row[] {
  const kids = new Map<string | undefined, SessionView[]>()
  const parents = parentsOf(views)
  const shown = shownOf(views, parents, wish)
  for (const id of ids) {
    const view = views.get(id)
    if (view === undefined || !shown.has(id)) continue
    const parent = parents.get(id)
    const siblings = kids.get(parent)
    if (siblings === undefined) kids.set(parent, [view])
    else siblings.push(view)
  }
  const waits = withAncestors(parents, [...views.values()].filter(isWaiting))
  const rows: Row[] = []
  const add = (parent: string | undefined, depth: number) => {
    const all = kids.get(parent) ?? []
    const first = all.filter(({ id }) => waits.has(id))
    for (const view of first.length === 0 ? all : [...first, ...all.filter(({ id }) => !waits.has(id))]) {
      const hasKids = kids.has(view.id)
      const isFolded = hasKids && wish.filter === '' && wish.folded.has(view.id)
      rows.push({ view, depth, hasKids, isFolded, hidesWait: isFolded && waits.has(view.id) && !isWaiting(view) })
      if (!isFolded) add(view.id, depth + 1)
    }
  }
  add(undefined, 0)
  return rows
}

type Parents = ReadonlyMap<string, string | undefined>

/** The nearest of those above each session that is known. Sessions of other tools are below whoever named them. */
function parentsOf(views: Views): Parents {
  const named = new Map<string, string>()
  for (const { id, children } of views.values()) for (const child of children) named.set(child, id)
  const parents = new Map<string, string | undefined>()
  for (const [id, { parent }] of views) {
    const above = named.get(id) ?? parent ?? undefined
    parents.set(id, above !== undefined && above !== id && views.has(above) ? above : undefined)
  }
  for (const id of views.keys()) if (isInCircle(parents, id)) parents.set(id, undefined)
  return parents
}

/** Whoever names its own parent as a child is at the root: what other tools write is not believed. */
function isInCircle(parents: Parents, id: string): boolean {
  const seen = new Set<string>()
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) {
    if (at === id) return true
    if (seen.has(at)) return false
    seen.add(at)
  }
  return false
}

function shownOf(views: Views, parents: Parents, { hidesOver, filter }: Wish): ReadonlySet<string> {
  const words = filter.toLowerCase().split(' ').filter(Boolean)
  const meant = [...views.values()].filter(
    (view) =>
      (!hidesOver || !isOver(view.status) || isWaiting(view)) && words.every((word) => textOf(view).includes(word)),
  )
  return withAncestors(parents, meant)
}

function withAncestors(parents: Parents, views: readonly SessionView[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const view of views) {
    for (let id: string | undefined = view.id; id !== undefined && !ids.has(id); id = parents.get(id)) ids.add(id)
  }
  return ids
}

const textOf = ({ id, alias, task, agent, status, activity, needs_input, cwd }: SessionView) =>
  [id, alias, task, agent, status, activity, needs_input, cwd].join(' ').toLowerCase()
