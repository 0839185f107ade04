// What the log says of one issue, and how a write changes it.

import { type BasicValues, fieldNames, type OptionalField, type OptionalValues } from '../schema/fields.ts'
import type { Claim, Comment } from '../schema/schemas.ts'
import type { Fact, StatusWrite } from './fact.ts'
import { type Contender, isLater, type Register, type Stamp, type Write, write, writeLast } from './register.ts'
import type { HeldClaim } from './standing.ts'

/** The fields of an issue that hold one value. */
type Fields = BasicValues & {
  readonly [F in OptionalField]: OptionalValues[F] | null
} & { readonly status: StatusWrite }

/** All fields of one value. */
export const singleFields = [...fieldNames, 'status'] as const

type FieldRegisters<K extends keyof Fields = keyof Fields> = { [P in K]: Register<Fields[P]> | undefined }

type Creation = { at: number; by: string; key?: string | undefined; finding?: Record<string, unknown> | undefined }

/** One issue, as far as the lines read say. */
export type IssueState = {
  readonly id: string
  created: Register<Creation> | undefined
  readonly fields: FieldRegisters
  /** The newest event. */
  rev: Stamp | undefined
  updatedAt: number
  /** All that was said of its status and of who holds it; the status in `fields` and the claims follow from it. */
  facts: Fact[]
  claim: HeldClaim | null
  contested: readonly Claim[]
  /** Claims that nothing has ended, confirmed or not. */
  openClaims: readonly string[]
  lostClaims: readonly string[]
  /** The writes of the status on top of which the issue was deleted. */
  deletedOn: readonly string[]
  tags: ReadonlyMap<string, Register<boolean>>
  refs: ReadonlyMap<string, Register<boolean>>
  meta: ReadonlyMap<string, Register<string | null>>
  comments: ReadonlyMap<string, Register<Comment>>
}

/** What nearly all issues have no entry of is one and the same for all: a log may have very many. */
const noEntries = new Map<string, never>()
const noItems: readonly never[] = []
const noFields: FieldRegisters = Object.assign({}, ...singleFields.map((name) => ({ [name]: undefined })))

/** The name under which an event's `replaces` speaks of one entry of `meta`. */
export function metaField(name: string): string {
  return `meta.${name}`
}

/** What an issue has in a field, by its name or that of an entry of `meta`. */
export function registerOf({ fields, meta }: IssueState, field: string): Register<unknown> | undefined {
  const name = singleFields.find((one) => one === field)
  return name ? fields[name] : meta.get(field.slice(metaField('').length))
}

/** The writer of a field, with what it overwrote; a creation overwrites nothing. */
export type FieldWriter = Stamp & {
  readonly replaces?: Readonly<Record<string, readonly string[]>> | undefined
  readonly isFirst?: boolean
}

type Wanted = { readonly [K in Exclude<keyof Fields, 'status'>]?: Fields[K] | undefined }

/** Writes the fields that are given. */
export function setFields(state: IssueState, by: FieldWriter, wanted: Wanted): void {
  for (const name of fieldNames) setField(state.fields, name, by, wanted[name])
}

/** Writes one field, if there is a value. */
export function setField<K extends keyof Fields>(
  fields: FieldRegisters<K>,
  name: K,
  by: FieldWriter,
  value: Fields[K] | undefined,
): void {
  if (value === undefined) return
  fields[name] = write(fields[name], writeBy(by, name, value))
}

/** Writes one entry of `meta`; null removes it. */
export function setMeta(state: IssueState, by: FieldWriter, name: string, value: string | null): void {
  const { meta } = state
  state.meta = withEntry(meta, name, write(meta.get(name), writeBy(by, metaField(name), value)))
}

function writeBy<T>({ seq, id, replaces, isFirst }: FieldWriter, field: string, value: T): Write<T> {
  if (isFirst) return { seq, id, value, replaces: noItems, isFirst: true }
  return { seq, id, value, replaces: replaces?.[field] }
}

type Origin = { readonly id: string; readonly by?: string | undefined; readonly at?: number | undefined }

/** Adds a comment, named by its event; one that an import found elsewhere is by whoever wrote it there. */
export function addComment(
  state: IssueState,
  event: Stamp & { at: number; by: string },
  body: string,
  origin?: Origin,
): void {
  const { id, seq } = event
  // Two clones that imported the same comment have it once.
  const name = origin ? `origin ${origin.id}` : id
  const known = state.comments.get(name)
  if (known && isLater({ id, seq }, known)) return
  const written = { id, at: origin?.at ?? event.at, by: origin?.by ?? event.by, body }
  const value = origin ? { ...written, origin: origin.id } : written
  state.comments = withEntry(state.comments, name, { id, seq, value })
}

/** Writes whether a set has a member. */
export function setMember(
  state: IssueState,
  set: 'tags' | 'refs',
  by: Contender,
  { member, isIn }: { member: string; isIn: boolean },
): void {
  state[set] = withEntry(state[set], member, writeLast(state[set].get(member), by, isIn))
}

/** A map with one more entry: the one given, or a new one for an issue that had none. */
function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  if (map === noEntries || !(map instanceof Map)) return new Map([[key, value]])
  return map.set(key, value)
}

/** An issue of which nothing is known but its id. */
export function newIssueState(id: string): IssueState {
  return {
    id,
    created: undefined,
    fields: { ...noFields },
    rev: undefined,
    updatedAt: 0,
    facts: [],
    claim: null,
    contested: noItems,
    openClaims: noItems,
    lostClaims: noItems,
    deletedOn: noItems,
    tags: noEntries,
    refs: noEntries,
    meta: noEntries,
    comments: noEntries,
  }
}
