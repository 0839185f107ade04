// An issue as the verbs print it, out of the folded log.

import type { Linked } from '../cache-file/elsewhere.ts'
import { waitsOf } from '../graph/waiting.ts'
import type { Ledger } from '../log/fold.ts'
import { type IssueState, metaField } from '../log/issue-state.ts'
import type { Register } from '../log/register.ts'
import { endReasons, isSettled } from '../log/settled.ts'
import type { HeldClaim } from '../log/standing.ts'
import type { Dep, Status } from '../schema/event-schema.ts'
import { type OptionalValues, optionalNames } from '../schema/fields.ts'
import type { Claim, Comment, Issue } from '../schema/schemas.ts'
import { matchIds, refuseDeleted, requireOne, segmentOf } from '../text/issue-id.ts'
import { shortener } from './shortener.ts'

/** Makes issues out of one ledger; what all of them need (short ids, dependencies by issue) is worked out once. */
export type Views = {
  /** All ids of the ledger, in the order in which the issues were made. */
  readonly ids: readonly string[]
  readonly isOver: (id: string) => boolean
  readonly view: (id: string) => Issue
}

/** Whether an issue of this status needs no more work. */
export function isOver(status: Status): boolean {
  return status === 'closed' || status === 'duplicate'
}

/**
 * An issue that is there, with its main registers read; undefined for one that only later events mention, or that was
 * deleted. `body` stays a register: a long one is read from the disk when somebody looks at its value.
 */
export function readState(ledger: Ledger, id: string) {
  const state = ledger.issues.get(id)
  if (!state?.created) return undefined
  const { title, body, priority, status } = state.fields
  if (!status || !title || !body || !priority || isGone(state)) return undefined
  const created = state.created.value
  return { state, created, status: status.value, title: title.value, body, priority: priority.value }
}

/** What links show of an issue that is there, also of one that is over, as far as a ledger of open issues knows it. */
export function readLinked(ledger: Ledger, id: string): Linked | undefined {
  const read = readState(ledger, id)
  if (!read) return ledger.elsewhere?.linked(id)
  const { claim } = read.state
  return { title: read.title, status: read.status.status, claim: claim && { by: claim.by, until: claim.until } }
}

/** Whether an issue was deleted, and nobody has given it a status since. */
export function isDeleted(ledger: Ledger, id: string): boolean {
  const state = ledger.issues.get(id)
  return state !== undefined && isGone(state)
}

function isGone({ fields, deletedOn }: IssueState): boolean {
  return deletedOn.length > 0 && fields.status !== undefined && deletedOn.includes(fields.status.id)
}

/** The first issue that was made with this key and is there; a deletion sets the key free. */
export function findKeyed(ledger: Ledger, key: string): string | undefined {
  const earlier = ledger.elsewhere?.findKey(key)
  return earlier ?? ledger.keys.get(key)?.find(({ value }) => !isDeleted(ledger, value))?.value
}

/** An issue that is there, as the ledger tells of it. */
export type ReadIssue = NonNullable<ReturnType<typeof readState>>

/** Reads an issue whose id was found before, as `readState` does; a bug where there is none. */
export function getState(ledger: Ledger, id: string): ReadIssue {
  const read = readState(ledger, id)
  if (!read) throw new Error(`bug: ${id} was found but never created`)
  return read
}

/** The id of the issue that a user's word names, by the rules of `findIssueId`. */
export function findIssue(ledger: Ledger, name: string): string {
  const found = idsNamed(ledger, name)
  if (found.length === 0) refuseDeleted(matchIds(deletedIds(ledger), name), name)
  return requireOne(found, name)
}

/** The ids of several, each once; all or none are found. */
export function findIssues(ledger: Ledger, names: readonly string[]): string[] {
  return [...new Set(names.map((name) => findIssue(ledger, name)))]
}

/** Like `findIssue`, where an issue that was deleted can be meant as well. */
export function findEvenDeleted(ledger: Ledger, name: string): string {
  return requireOne([...new Set([...idsNamed(ledger, name), ...matchIds(deletedIds(ledger), name)])], name)
}

function deletedIds(ledger: Ledger): string[] {
  return [...ledger.issues.keys()].filter((id) => isDeleted(ledger, id))
}

/** The ids of the issues that a user's word may name. */
export function idsNamed(ledger: Ledger, name: string): string[] {
  const beginning = segmentOf(name.toLowerCase())
  if (beginning === '') return []
  const others = ledger.elsewhere?.idsWith(beginning) ?? []
  // Few fit the word, so that only those few are looked at: a batch has a word on each line.
  const here = matchIds(ledger.issues.keys(), name, (id) => readState(ledger, id) !== undefined)
  return matchIds(new Set([...others, ...here]), name)
}

/** Whether an id is in use, be it by an issue that was deleted or only mentioned. */
export function isTaken(ledger: Ledger, id: string): boolean {
  return ledger.issues.has(id) || ledger.elsewhere?.isKnown(id) === true
}

/** The issues of a ledger. */
export function viewsOf(ledger: Ledger): Views {
  const ids = createdIds(ledger)
  const shortOf = shortener(ledger, () => ids)
  const depsOf = groupDeps(ledger)
  const over = (id: string) => isIssueOver(ledger, id)
  const waits = waitsOf(depsIn(ledger), over)
  const blockersOf = (id: string) => (over(id) ? [] : waits(id).map(({ on }) => on))
  const view = (id: string) =>
    viewOf(ledger, id, shortOf(id), { deps: depsOf.get(id) ?? [], blockers: blockersOf(id), over })
  return { ids, isOver: over, view }
}

/** The short form of each id; an id that the log does not know stays as it is. */
export function shortNames(ledger: Ledger): (id: string) => string {
  return shortener(ledger, () => createdIds(ledger))
}

/** Ids of all issues of the ledger that were created, oldest first. */
export function createdIds(ledger: Ledger): string[] {
  const found = [...ledger.issues.values()].filter(({ id }) => readState(ledger, id) !== undefined)
  return found.sort(byCreation).map(({ id }) => id)
}

/** Whether an issue is closed or a duplicate; one that the log does not know blocks nothing. */
export function isIssueOver(ledger: Ledger, id: string): boolean {
  const read = readState(ledger, id)
  return read === undefined || isOver(read.status.status)
}

/** The dependencies that are in force, but those of deleted issues. */
export function* depsIn(ledger: Ledger): Generator<Dep> {
  for (const { value } of ledger.deps.values()) {
    const { dep, present } = value
    if (present && !isDeleted(ledger, dep.from) && !isDeleted(ledger, dep.to)) yield dep
  }
}

/** The dependencies that are in force, by each issue they touch. */
export function groupDeps(ledger: Ledger): Map<string, Dep[]> {
  const groups = new Map<string, Dep[]>()
  for (const dep of depsIn(ledger)) {
    for (const end of new Set([dep.from, dep.to])) {
      const group = groups.get(end)
      if (group) group.push(dep)
      else groups.set(end, [dep])
    }
  }
  return groups
}

/** The comments of an issue, first one first. */
export function commentsOf(ledger: Ledger, id: string): Comment[] {
  const comments = [...(ledger.issues.get(id)?.comments.values() ?? [])]
  return comments.sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1)).map(({ value }) => value)
}

type Around = { deps: readonly Dep[]; blockers: string[]; over: (id: string) => boolean }

function viewOf(ledger: Ledger, id: string, short: string, { deps, blockers, over }: Around): Issue {
  const read = readState(ledger, id)
  if (!read) throw new Error(`bug: ${id} was listed but never created`)
  const { state, created, status, title, priority } = read
  const waits = !over(id)
  const sorted = [...deps].sort((a, b) => (depText(a) < depText(b) ? -1 : 1))
  const blocked = sorted.filter((dep) => waits && dep.kind === 'blocks' && dep.from === id && !over(dep.to))
  const held = waits ? state.claim : null
  const conflicts = conflictsOf(state)
  return {
    v: 1,
    id,
    short,
    title,
    // Long ones are read from the disk when somebody looks.
    get body() {
      return read.body.value
    },
    status: status.status,
    priority,
    tags: membersOf(state.tags),
    ...detailsOf(state),
    created_at: created.at,
    created_by: created.by,
    updated_at: state.updatedAt,
    rev: state.rev?.id ?? '',
    ...(waits ? {} : { closed_at: status.at }),
    ...(waits || status.reason === undefined ? {} : { close_reason: status.reason }),
    claim: held && claimOf(held),
    ...(held && state.contested.length > 0 ? { contested: [...state.contested] } : {}),
    ...(conflicts.length > 0 ? { conflicts } : {}),
    blocked_by: blockers.sort(),
    blocks: blocked.map(({ to }) => to),
    deps: sorted,
    ...(created.key === undefined ? {} : { key: created.key }),
    ...(created.finding === undefined ? {} : { finding: created.finding }),
  }
}

/** What `list --conflicts` calls the reasons why two clones closed an issue. */
export const reasonField = 'close_reason'

/** The fields of an issue that two clones changed without seeing each other, and not to the same. */
export function conflictsOf({ fields, meta }: Pick<IssueState, 'fields' | 'meta'>): string[] {
  const found = Object.entries(fields).flatMap(([name, register]) => (isSettled<unknown>(register) ? [] : name))
  for (const [name, register] of meta) if (!isSettled(register)) found.push(metaField(name))
  if (fields.status?.rivals && endReasons(fields.status)) found.push(reasonField)
  return found.sort()
}

function detailsOf({ fields, refs, meta }: IssueState) {
  const names = membersOf(refs)
  const entries = [...meta].flatMap(([name, { value }]) => (value === null ? [] : [[name, value] as const]))
  return {
    issue_type: fields.issue_type?.value ?? 'task',
    assignee: null,
    ...optionalValuesOf(fields),
    ...(names.length > 0 ? { refs: names } : {}),
    ...(entries.length > 0 ? { meta: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) } : {}),
  }
}

function optionalValuesOf(fields: IssueState['fields']): Partial<OptionalValues> {
  const given = optionalNames.filter((name) => fields[name]?.value != null)
  return Object.fromEntries(given.map((name) => [name, fields[name]?.value]))
}

function claimOf({ id, by, since, until, leases }: HeldClaim): Claim {
  return { id, by, since, until, ...(leases ? { leases } : {}) }
}

function membersOf(set: ReadonlyMap<string, Register<boolean>>): string[] {
  return [...set]
    .filter(([, { value }]) => value)
    .map(([member]) => member)
    .sort()
}

function byCreation(a: IssueState, b: IssueState): number {
  return (a.created?.seq ?? 0) - (b.created?.seq ?? 0) || (a.id < b.id ? -1 : 1)
}

function depText({ kind, from, to }: Dep): string {
  return `${kind} ${from} ${to}`
}
