// The ledger of the issues that are not over, as it lies in the cache. What is long is read when it is looked at.

import { type Directories, elsewhereIn, type LinkedIssues } from '../cache-file/elsewhere.ts'
import type { Piece } from '../cache-file/file.ts'
import { emptyLedger, type Ledger } from '../log/fold.ts'
import type { IssueState } from '../log/issue-state.ts'
import type { Register } from '../log/register.ts'
import type { Dep } from '../schema/event-schema.ts'
import type { Comment } from '../schema/schemas.ts'

type Entries<M> = M extends ReadonlyMap<infer K, infer V> ? (readonly [K, V])[] : never

/** An issue in the head of the cache; `shown` is how much of its last part its short form has. */
export type SavedIssue = Omit<IssueState, 'tags' | 'refs' | 'meta' | 'comments'> & {
  readonly tags: Entries<IssueState['tags']>
  readonly refs: Entries<IssueState['refs']>
  readonly meta: Entries<IssueState['meta']>
  readonly shown: number
  readonly rest?: Piece | undefined
}

/** What is long of an issue: its comments, and its body when `body` is there. */
export type Rest = { readonly body?: string | undefined; readonly comments: Entries<IssueState['comments']> }

/** The part of the log that open issues are about. */
export type Snapshot = Directories &
  LinkedIssues & {
    readonly maxSeq: number
    readonly maxId: string
    readonly later: readonly string[]
    readonly prefix: Register<string> | undefined
    readonly settings: Entries<Ledger['settings']>
    readonly issues: readonly SavedIssue[]
    readonly deps: readonly (readonly [string, Register<{ dep: Dep; present: boolean }>])[]
  }

/** The ledger that a snapshot was taken of, without the issues that were over. */
export function ledgerOf(snapshot: Snapshot, read: (piece: Piece) => string): Ledger {
  const { maxSeq, prefix, settings, issues, deps, later } = snapshot
  const shown = new Map(issues.map(({ id, shown }) => [id, shown]))
  return {
    ...emptyLedger(),
    maxSeq,
    prefix,
    later: new Set(later),
    settings: new Map(settings),
    issues: new Map(issues.map((saved) => [saved.id, stateOf(saved, read)])),
    deps: new Map(deps),
    elsewhere: elsewhereIn(snapshot, shown, read),
  }
}

function stateOf({ tags, refs, meta, shown, rest, ...plain }: SavedIssue, read: (piece: Piece) => string): IssueState {
  const comments = new Map<string, Register<Comment>>()
  const state = { ...plain, tags: new Map(tags), refs: new Map(refs), meta: new Map(meta), comments }
  if (rest === undefined) return state
  let loaded: Rest | undefined
  const load = () => {
    loaded ??= parseRest(read(rest))
    return loaded
  }
  const { body } = plain.fields
  if (body?.value === '') plain.fields.body = onDemand(body, 'value', () => load().body ?? '')
  return onDemand(state, 'comments', () => new Map(load().comments))
}

/** An object with one property that is worked out when somebody asks for it. */
function onDemand<T extends object, K extends keyof T>(owner: T, name: K, make: () => T[K]): T {
  const get = () => {
    const value = make()
    Object.defineProperty(owner, name, { value, enumerable: true, writable: true })
    return value
  }
  return Object.defineProperty(owner, name, { get, enumerable: true, configurable: true })
}

function parseRest(text: string): Rest {
  const rest: Rest = JSON.parse(text)
  return rest
}
