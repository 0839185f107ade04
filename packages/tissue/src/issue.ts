// An issue as the verbs print it, out of the folded log.
import type { IssueState, Ledger } from './fold.ts'
import { shortIds } from './issue-id.ts'
import type { Comment, Dep, Issue, Status } from './schemas.ts'

/** Makes issues out of one ledger; what all of them need (short ids, dependencies by issue) is worked out once. */
export type Views = {
  /** All ids, in the order in which the issues were made. */
  readonly ids: readonly string[]
  readonly isOver: (id: string) => boolean
  readonly view: (id: string) => Issue
}

/** Whether an issue of this status needs no more work. */
export function isOver(status: Status): boolean {
  return status === 'closed' || status === 'duplicate'
}

/** An issue that has been created, with its registers read; undefined for one that only later events mention. */
export function readState(ledger: Ledger, id: string) {
  const state = ledger.issues.get(id)
  if (!state?.created || !state.status || !state.title || !state.body || !state.priority) return undefined
  return {
    state,
    created: state.created.value,
    status: state.status.value,
    title: state.title.value,
    body: state.body.value,
    priority: state.priority.value,
  }
}

/** The issues of a ledger. */
export function viewsOf(ledger: Ledger): Views {
  const ids = createdIds(ledger)
  const shorts = shortIds(ids)
  const depsOf = groupDeps(ledger)
  const over = (id: string) => isIssueOver(ledger, id)
  const view = (id: string) => viewOf(ledger, id, shorts.get(id) ?? id, depsOf.get(id) ?? [], over)
  return { ids, isOver: over, view }
}

/** Ids of all issues that were created, oldest first. */
export function createdIds(ledger: Ledger): string[] {
  const found = [...ledger.issues.values()].filter(({ id }) => readState(ledger, id) !== undefined)
  return found.sort(byCreation).map(({ id }) => id)
}

/** Whether an issue is closed or a duplicate; one that the log does not know blocks nothing. */
export function isIssueOver(ledger: Ledger, id: string): boolean {
  const read = readState(ledger, id)
  return read === undefined || isOver(read.status.status)
}

/** The dependencies that are in force, by each issue they touch. */
export function groupDeps(ledger: Ledger): Map<string, Dep[]> {
  const groups = new Map<string, Dep[]>()
  for (const { value } of ledger.deps.values()) {
    if (!value.present) continue
    for (const end of new Set([value.dep.from, value.dep.to])) {
      const group = groups.get(end)
      if (group) group.push(value.dep)
      else groups.set(end, [value.dep])
    }
  }
  return groups
}

/** The comments of an issue, first one first. */
export function commentsOf(ledger: Ledger, id: string): Comment[] {
  const comments = [...(ledger.issues.get(id)?.comments.values() ?? [])]
  return comments.sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1)).map(({ value }) => value)
}

function viewOf(ledger: Ledger, id: string, short: string, deps: readonly Dep[], over: (id: string) => boolean): Issue {
  const read = readState(ledger, id)
  if (!read) throw new Error(`bug: ${id} was listed but never created`)
  const { state, created, status, title, body, priority } = read
  const waits = !over(id)
  const sorted = [...deps].sort((a, b) => (depText(a) < depText(b) ? -1 : 1))
  const blockers = sorted.filter((dep) => waits && dep.kind === 'blocks' && dep.to === id && !over(dep.from))
  const blocked = sorted.filter((dep) => waits && dep.kind === 'blocks' && dep.from === id && !over(dep.to))
  const held = waits ? state.claim : null
  return {
    v: 1,
    id,
    short,
    title,
    body,
    status: status.status,
    priority,
    tags: [...state.tags]
      .filter(([, { value }]) => value)
      .map(([tag]) => tag)
      .sort(),
    created_at: created.at,
    created_by: created.by,
    updated_at: state.updatedAt,
    ...(waits ? {} : { closed_at: status.at }),
    ...(waits || status.reason === undefined ? {} : { close_reason: status.reason }),
    claim: held && { id: held.id, by: held.by, since: held.since, until: held.until },
    ...(held && state.contested.length > 0 ? { contested: state.contested } : {}),
    blocked_by: blockers.map(({ from }) => from),
    blocks: blocked.map(({ to }) => to),
    deps: sorted,
    ...(created.key === undefined ? {} : { key: created.key }),
    ...(created.finding === undefined ? {} : { finding: created.finding }),
  }
}

function byCreation(a: IssueState, b: IssueState): number {
  return (a.created?.seq ?? 0) - (b.created?.seq ?? 0) || (a.id < b.id ? -1 : 1)
}

function depText({ kind, from, to }: Dep): string {
  return `${kind} ${from} ${to}`
}
