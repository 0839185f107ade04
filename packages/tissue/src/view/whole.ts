// Reading all that `show` tells of issues.
import { isFailure } from '@switchyard/ground/failure'
import { linkWords } from '../graph/link-text.ts'
import { progressOf } from '../graph/progress.ts'
import {
  commentsOf,
  createdIds,
  depsIn,
  findIssue,
  isIssueOver,
  readLinked,
  readState,
  viewsOf,
} from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { readyIds } from '../ready/ready.ts'
import { glimpsesOf } from '../render/glimpse.ts'
import type { Dep } from '../schema/event-schema.ts'
import type { Issue } from '../schema/schemas.ts'
import type { LinkedIssue } from '../schema/view-schemas.ts'

/** Finds an issue for reading: by `findIssue`, or by the end of its id when no other ends so. `all` has every issue. */
export function findToRead(ledger: Ledger, name: string, all: () => Ledger): string {
  try {
    return findIssue(ledger, name)
  } catch (error) {
    if (!isFailure(error) || error.kind !== 'notFound' || name === '') throw error
    const [only, second] = createdIds(all()).filter((id) => id.endsWith(name.toLowerCase()))
    if (only === undefined || second !== undefined) throw error
    return only
  }
}

/** Whether a ledger of open issues has all that `show` tells of one: what it is linked with, and its parts. */
export function hasWhole(ledger: Ledger, id: string): boolean {
  if (!readState(ledger, id)) return false
  const { deps } = viewsOf(ledger).view(id)
  return deps.every((dep) => readLinked(ledger, otherEnd(dep, id)) && !(dep.kind === 'parent' && dep.from === id))
}

/** Issues with their comments, what they are linked with, and how far their parts are, at `now`. */
export function wholeViews(ledger: Ledger, now: number): (id: string) => Issue {
  const { view } = viewsOf(ledger)
  const glimpse = glimpsesOf(ledger, now)
  const ready = new Set(readyIds(ledger, now))
  const isOver = (id: string) => isIssueOver(ledger, id)
  const progress = progressOf(depsIn(ledger), { isOver, isReady: (id) => ready.has(id) })
  return (id) => {
    const issue = view(id)
    const there = issue.deps.filter((dep) => readLinked(ledger, otherEnd(dep, id)))
    const linked = there.map((dep): LinkedIssue => {
      const [forward, backward] = linkWords[dep.kind]
      return { ...glimpse(otherEnd(dep, id)), kind: dep.kind, text: dep.from === id ? forward : backward }
    })
    const done = progress(id)
    return { ...issue, comments: commentsOf(ledger, id), linked, ...(done ? { progress: done } : {}) }
  }
}

function otherEnd({ from, to }: Dep, id: string): string {
  return from === id ? to : from
}
