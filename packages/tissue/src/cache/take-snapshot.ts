// The part of a ledger that goes into the cache: the issues that are not over, what touches them, and all other names.

import { idOfLine, type Lines, lineOfId, lineOfKey } from '../cache-file/elsewhere.ts'
import type { Piece } from '../cache-file/file.ts'
import { writeSorted } from '../cache-file/sorted-lines.ts'
import { findKeyed, isDeleted, isIssueOver, readLinked, readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { IssueState } from '../log/issue-state.ts'
import { lengthBeside } from '../text/issue-id.ts'
import type { Rest, SavedIssue, Snapshot } from './snapshot.ts'

const bodyLengthMax = 256

/** A snapshot of this ledger; `put` takes what need not be read every time, and says where it lies. */
export function takeSnapshot(ledger: Ledger, put: (text: string) => Piece): Snapshot {
  const { maxSeq, prefix, settings, issues, later } = ledger
  const { ids, hidden, keys } = linesOf(ledger)
  const open = [...issues.values()].filter(({ id }) => !isIssueOver(ledger, id))
  const openIds = new Set(open.map(({ id }) => id))
  const shown = shownLengths(ids, openIds)
  const around = depsAround(ledger, openIds)
  return {
    maxSeq,
    maxId: maxIdIn(ledger),
    later: [...later],
    prefix,
    settings: [...settings],
    issues: open.map((state) => savedOf(state, shown.get(state.id) ?? 0, put)),
    deps: around,
    linked: linkedIn(ledger, around, openIds),
    ids: writeSorted(ids, put),
    hidden: writeSorted(hidden, put),
    keys: writeSorted(keys, put),
  }
}

function maxIdIn({ seen, elsewhere }: Ledger): string {
  let max = elsewhere?.maxId ?? ''
  for (const id of seen) if (id > max) max = id
  return max
}

function savedOf(state: IssueState, shown: number, put: (text: string) => Piece): SavedIssue {
  const { tags, refs, meta, comments, fields, ...plain } = state
  const { body } = fields
  const isLong = body !== undefined && body.value.length > bodyLengthMax
  const rest: Rest = { ...(isLong ? { body: body.value } : {}), comments: [...comments] }
  return {
    ...plain,
    fields: isLong ? { ...fields, body: { ...body, value: '' } } : { ...fields },
    tags: [...tags],
    refs: [...refs],
    meta: [...meta],
    shown,
    ...(isLong || comments.size > 0 ? { rest: put(JSON.stringify(rest)) } : {}),
  }
}

/** Dependencies of open issues, and how those are parts of others through all that may be over by now. */
function depsAround(ledger: Ledger, open: ReadonlySet<string>): Snapshot['deps'] {
  const deps = [...ledger.deps].filter(([, { value }]) => {
    return !isDeleted(ledger, value.dep.from) && !isDeleted(ledger, value.dep.to)
  })
  const wholes = new Set(open)
  const parents = new Map<string, string[]>()
  for (const [, { value }] of deps) {
    const { kind, from, to } = value.dep
    if (kind === 'parent') parents.set(to, [...(parents.get(to) ?? []), from])
  }
  for (const part of wholes) for (const whole of parents.get(part) ?? []) wholes.add(whole)
  return deps.filter(([, { value }]) => {
    const { kind, from, to } = value.dep
    return open.has(from) || open.has(to) || (kind === 'parent' && wholes.has(to))
  })
}

/** What links of open issues lead to, as far as it is over. */
function linkedIn(ledger: Ledger, deps: Snapshot['deps'], open: ReadonlySet<string>): Snapshot['linked'] {
  const touching = deps.filter(([, { value }]) => open.has(value.dep.from) || open.has(value.dep.to))
  const ends = new Set(touching.flatMap(([, { value }]) => [value.dep.from, value.dep.to]))
  return [...ends].flatMap((id) => {
    const linked = open.has(id) ? undefined : readLinked(ledger, id)
    return linked ? [[id, linked] as const] : []
  })
}

function linesOf(ledger: Ledger): Lines {
  const { issues, deps, keys, elsewhere } = ledger
  const before = elsewhere?.lines() ?? { ids: [], hidden: [], keys: [] }
  const ids = new Set(before.ids)
  const hidden = new Set(before.hidden)
  for (const id of issues.keys()) {
    if (readState(ledger, id)) ids.add(lineOfId(id))
    else hidden.add(id)
  }
  for (const { value } of deps.values()) {
    for (const id of [value.dep.from, value.dep.to]) if (!ids.has(lineOfId(id))) hidden.add(id)
  }
  const keyLines = new Set(before.keys)
  for (const key of keys.keys()) {
    const id = findKeyed(ledger, key)
    if (id !== undefined) keyLines.add(lineOfKey(key, id))
  }
  return { ids: [...ids].sort(), hidden: [...hidden].sort(), keys: [...keyLines].sort() }
}

/** How much of the last part of each of these ids has to be shown among all. */
function shownLengths(ids: readonly string[], wanted: ReadonlySet<string>): Map<string, number> {
  const lengths = new Map<string, number>()
  ids.forEach((line, place) => {
    const id = idOfLine(line)
    if (!wanted.has(id)) return
    const neighbours = [ids[place - 1], ids[place + 1]].map((other) => (other === undefined ? '' : idOfLine(other)))
    lengths.set(id, Math.max(...neighbours.map((other) => lengthBeside(id, other))))
  })
  return lengths
}
