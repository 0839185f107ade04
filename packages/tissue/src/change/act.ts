// What each act of a batch comes to, decided as its verb decides it.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import { findKeyed, getState } from '../issue/issue.ts'
import { draftsOf, type NewEntry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { decideLinks, decideUnlinks, parseDepKind, refuseLinks } from '../ready/deps.ts'
import type { Act } from '../schema/act-schema.ts'
import type { Dep } from '../schema/event-schema.ts'
import { decideClaim } from './claim.ts'
import { decideClose, decideReopen, decideStatus } from './close.ts'
import { decideEdit } from './edit.ts'
import type { Actor } from './fence.ts'
import { checkNames } from './field-texts.ts'
import { listOf, parseEdit, parseNew } from './input.ts'
import { draftsOfNew, type IdSource, linksOfNew } from './new-issue.ts'
import { linksFrom } from './new-links.ts'
import { parseStatus } from './parse-status.ts'
import { decideRelease } from './release.ts'

/** What an act is decided on: the ledger with all earlier acts done, and what a name stands for by then. */
type ActWorld = {
  readonly ledger: Ledger
  readonly actor: Actor
  readonly source: IdSource
  readonly find: (name: string) => string
}

/** The issue that an act is about, and what it writes. */
export type Outcome = { readonly id: string; readonly entries: readonly NewEntry[] }

/** An act whose values were read, to be decided when its turn comes. */
export type Step = (world: ActWorld) => Outcome

type ActOf<V extends Act['verb']> = Extract<Act, { verb: V }>

/** Reads the values of an act; `now` is milliseconds since 1970, `me` says who calls. Exits 2 on no value. */
export function readAct(act: Act, now: number, me: () => string): Step {
  switch (act.verb) {
    case 'new':
      return readNew(act, now, me)
    case 'edit':
      return readEdit(act, now, me)
    case 'comment':
      if (act.message.trim() === '') throw new Failure('usage', 'expected a comment, got none')
      return onIssue(act.id, (_, issue) => [{ type: 'commented', issue, body: act.message }])
    case 'tag add':
    case 'tag rm': {
      const tags = listOf(act.tag)
      checkNames(tags, 'tag')
      const edit = act.verb === 'tag add' ? { addTags: tags } : { rmTags: tags }
      return onIssue(act.id, ({ ledger }, id) => decideEdit(ledger, id, edit))
    }
    case 'dep add':
    case 'dep rm':
    case 'block':
      return readLinks(act)
    default:
      return readMove(act)
  }
}

function readNew(act: ActOf<'new'>, now: number, me: () => string): Step {
  const { issue, words } = parseNew(act, now, me)
  return ({ ledger, source, find }) => {
    const known = issue.key === undefined ? undefined : findKeyed(ledger, issue.key)
    if (known !== undefined) return { id: known, entries: [] }
    const linked = { ...issue, links: linksFrom(words, find) }
    refuseLinks(ledger, linksOfNew('the new issue', linked))
    const entries = draftsOfNew(ledger, [linked], source)
    const [id = ''] = draftsOf(entries).flatMap((draft) => (draft.type === 'created' ? draft.issue : []))
    return { id, entries }
  }
}

function readEdit(act: ActOf<'edit'>, now: number, me: () => string): Step {
  const { parent } = act
  const edit = parseEdit(act, now, me)
  return onIssue(act.id, ({ ledger, find }, id) => {
    if (parent === undefined) return decideEdit(ledger, id, edit)
    return decideEdit(ledger, id, { ...edit, parent: parent === 'none' ? null : find(parent) })
  })
}

function readLinks(act: ActOf<'dep add' | 'dep rm' | 'block'>): Step {
  if (act.verb === 'block') {
    const links = ({ find }: ActWorld, to: string): Dep[] =>
      listOf(act.by).map((name) => ({ kind: 'blocks', from: find(name), to }))
    return onIssue(act.id, (world, id) => decideLinks(world.ledger, links(world, id)))
  }
  const kind = parseDepKind(act.kind)
  const links = ({ find }: ActWorld, from: string): Dep[] =>
    listOf(act.to).map((name) => ({ kind, from, to: find(name) }))
  if (act.verb === 'dep rm') return onIssue(act.from, (world, id) => decideUnlinks(world.ledger, links(world, id)))
  const options = { force: act.force ?? false }
  return onIssue(act.from, (world, id) => decideLinks(world.ledger, links(world, id), options))
}

function readMove(act: ActOf<'status' | 'close' | 'reopen' | 'claim' | 'release'>): Step {
  switch (act.verb) {
    case 'status': {
      const status = parseStatus(act.status)
      return onIssue(act.id, ({ ledger, actor }, id) => decideStatus(ledger, id, status, actor, act))
    }
    case 'close': {
      const { duplicate_of: same, superseded_by: heir } = act
      if (same !== undefined && heir !== undefined)
        throw new Failure('usage', 'expected duplicate_of or superseded_by, got both')
      return onIssue(act.id, ({ ledger, actor, find }, id) => {
        const named = (name: string | undefined) => (name === undefined ? undefined : find(name))
        return decideClose(ledger, [id], actor, { ...act, duplicateOf: named(same), supersededBy: named(heir) })
      })
    }
    case 'reopen':
      return onIssue(act.id, ({ ledger }, id) => decideReopen(ledger, [id], act))
    case 'claim': {
      const ttlMs = parseTtl(act.ttl)
      return onIssue(act.id, ({ ledger, actor }, id) => [decideClaim(ledger, getState(ledger, id), actor, { ttlMs })])
    }
    case 'release':
      return onIssue(act.id, ({ ledger, actor }, id) => decideRelease(ledger, id, actor, act))
  }
}

function onIssue(name: string, decide: (world: ActWorld, id: string) => readonly NewEntry[]): Step {
  return (world) => {
    const id = world.find(name)
    return { id, entries: decide(world, id) }
  }
}

function parseTtl(text: string | undefined): number | undefined {
  const length = text === undefined ? undefined : parseDuration(text)
  if (text === undefined || length) return length
  throw new Failure('usage', `expected ttl to be a duration of at least 1ms such as 30m, got ${JSON.stringify(text)}`)
}
