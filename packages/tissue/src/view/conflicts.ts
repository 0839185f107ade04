// What two clones wrote without having seen each other, side by side.

import { conflictsOf, reasonField, type Views } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { type IssueState, metaField, registerOf } from '../log/issue-state.ts'
import { isLater, type Register } from '../log/register.ts'
import { endReasons, valueText } from '../log/settled.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import { fieldFlags, fieldNames, flagOf } from '../schema/fields.ts'
import type { Conflict } from '../schema/schemas.ts'
import { editFlags } from '../schema/verb-flags.ts'

type Side = { readonly event: string; readonly value: unknown; readonly wins: boolean }
type Signature = { readonly by: string; readonly at: number }

/** The conflicts in a ledger, issue by issue in the order of `views`. `readSignatures` finds who wrote these events. */
export function findConflicts(
  ledger: Ledger,
  views: Views,
  readSignatures: (events: ReadonlySet<string>) => ReadonlyMap<string, Signature>,
): Conflict[] {
  const found = views.ids.flatMap((id) => {
    const state = ledger.issues.get(id)
    return state ? conflictsIn(state).map((one) => ({ id, ...one })) : []
  })
  const claims = views.ids.flatMap((id) => claimConflict(views.view(id)) ?? [])
  if (found.length === 0) return claims
  const signatures = readSignatures(new Set(found.flatMap(({ sides }) => sides.map(({ event }) => event))))
  const fields = found.map(({ id, field, sides }): Conflict => {
    const { short, title } = views.view(id)
    const signed = sides.map((side) => ({ ...side, ...(signatures.get(side.event) ?? { by: '', at: 0 }) }))
    return { v: 1, issue: id, short, title, field, sides: signed, settle: settleText(short, field) }
  })
  const rank = new Map(views.ids.map((id, index) => [id, index]))
  return [...fields, ...claims].sort((a, b) => (rank.get(a.issue) ?? 0) - (rank.get(b.issue) ?? 0))
}

/** Who wrote these events, and when; of a log or any part of one. */
export function signaturesOf(
  events: Iterable<SingleEvent>,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, Signature> {
  const found = new Map<string, Signature>()
  for (const { id, by, at } of events) if (wanted.has(id) && !found.has(id)) found.set(id, { by, at })
  return found
}

function conflictsIn(state: IssueState): { field: string; sides: Side[] }[] {
  return conflictsOf(state).flatMap((field) => {
    const register = contestedIn(state, field)
    return register ? [{ field, sides: sidesOf(register) }] : []
  })
}

function contestedIn(state: IssueState, field: string): Register<unknown> | undefined {
  if (field !== reasonField) return registerOf(state, field)
  return state.fields.status && endReasons(state.fields.status)
}

/** The winner first, then each other value, once. */
function sidesOf({ id, value, rivals = [] }: Register<unknown>): Side[] {
  const sides: Side[] = [{ event: id, value: plain(value), wins: true }]
  const known = new Set([valueText(value)])
  for (const rival of [...rivals].sort((a, b) => (isLater(a, b) ? -1 : 1))) {
    if (known.has(valueText(rival.value))) continue
    known.add(valueText(rival.value))
    sides.push({ event: rival.id, value: plain(rival.value), wins: false })
  }
  return sides
}

function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'status' in value ? value.status : value
}

type Claimed = Pick<Conflict, 'short' | 'title'> & {
  readonly id: string
  readonly claim: { readonly id: string; readonly by: string; readonly since: number } | null
  readonly contested?: readonly { readonly id: string; readonly by: string; readonly since: number }[] | undefined
}

function claimConflict({ id, short, title, claim, contested = [] }: Claimed): Conflict | undefined {
  if (!claim || contested.length === 0) return undefined
  const sides = [claim, ...contested].map((one, index) => {
    return { event: one.id, value: one.by, by: one.by, at: one.since, wins: index === 0 }
  })
  return { v: 1, issue: id, short, title, field: 'claim', sides, settle: null }
}

/** Any write by somebody who has seen both sides settles it. */
function settleText(short: string, field: string): string {
  if (field === 'status') return `tissue status ${short} STATUS`
  if (field === reasonField) return `tissue close ${short} --reason TEXT`
  const name = fieldNames.find((one) => one === field)
  if (name === undefined) return `tissue edit ${short} --meta ${field.slice(metaField('').length)}=VALUE`
  const flag = flagOf[name]
  const { value } = flag === 'title' ? editFlags.title : fieldFlags[flag]
  return `tissue edit ${short} --${flag} ${value}`
}
