// What brings issues from elsewhere into the log: new ones are made, and of known ones comments, links, closings and
// reopenings follow. Everything else of a known issue stays as it is here.
import { basename } from 'node:path'
import { type IdSource, optionalIn } from '../change/new-issue.ts'
import { findKeyed, isOver, isTaken, readState } from '../issue/issue.ts'
import { asOne, type Draft, type NewEntry } from '../log/draft.ts'
import { depKey, type Ledger } from '../log/fold.ts'
import { makeIssueId, prefixOf } from '../text/issue-id.ts'
import { type ForeignIssue, type ForeignIssues, type ForeignLink, sourceStatusName } from './foreign-issue.ts'

/** Statuses of a source that say that nothing is left to do. */
const overThere = new Set(['closed', 'duplicate', 'tombstone'])

/** Which part of a known issue followed. */
export type ChangedWord = 'status' | 'comments' | 'links'

/** What an import does: `changed` says by id what followed, `lost` the links that lead nowhere. */
export type ForeignDecision = {
  readonly entries: readonly NewEntry[]
  readonly made: readonly ForeignIssue[]
  readonly changed: ReadonlyMap<string, readonly ChangedWord[]>
  readonly lost: readonly ForeignLink[]
}

type ForeignId = { readonly id: string; readonly index: number; readonly isKnown: boolean }

/** Decides on an import, whose issues have different keys. Pure; linear in its size. */
export function decideForeign(ledger: Ledger, incoming: ForeignIssues, source: IdSource): ForeignDecision {
  const prefix = ledger.prefix?.value ?? prefixOf(basename(source.root))
  const places = placesOf(ledger, incoming.issues, prefix, source)
  const { linksOf, between, lost } = sortLinks(ledger, incoming.links, places)
  const entries: NewEntry[] = []
  const made: ForeignIssue[] = []
  const changed = new Map<string, ChangedWord[]>()
  for (const issue of incoming.issues) {
    const place = places.get(issue.key)
    if (!place) continue
    if (place.isKnown) {
      const drafts = followersOf(ledger, place.id, issue)
      if (drafts.length > 0) changed.set(place.id, [...new Set(drafts.map(wordOf))])
      entries.push(...asOne(drafts))
    } else {
      made.push(issue)
      entries.push(...asOne(creationOf(place.id, issue, linksOf.get(place.id) ?? [])))
    }
  }
  for (const { issue } of between) changed.set(issue, [...new Set([...(changed.get(issue) ?? []), 'links' as const])])
  const isFirst = made.length > 0 && ledger.prefix === undefined
  return {
    entries: [...(isFirst ? [{ type: 'configured', prefix } as const] : []), ...entries, ...between],
    made,
    changed,
    lost,
  }
}

/** The id of each issue, a new one where there is none; nothing for what was deleted before it was ever here. */
function placesOf(
  ledger: Ledger,
  issues: readonly ForeignIssue[],
  prefix: string,
  { ulid }: IdSource,
): Map<string, ForeignId> {
  const places = new Map<string, ForeignId>()
  const taken = new Set<string>()
  const isUsed = (id: string) => isTaken(ledger, id) || taken.has(id)
  issues.forEach((issue, index) => {
    const known = knownId(ledger, issue)
    if (known === undefined && issue.isGone) return
    const own = issue.id !== undefined && !isUsed(issue.id) ? issue.id : undefined
    const id = known ?? own ?? makeIssueId({ prefix, ulid, key: issue.key }, isUsed)
    taken.add(id)
    places.set(issue.key, { id, index, isKnown: known !== undefined })
  })
  return places
}

/** The id under which an issue is here: by its key, or because it comes from this very store. */
function knownId(ledger: Ledger, { key, name }: Pick<ForeignIssue, 'key' | 'name'>): string | undefined {
  return findKeyed(ledger, key) ?? (ledger.issues.get(name)?.created ? name : undefined)
}

type Linked = Extract<Draft, { type: 'linked' }>

/**
 * Links that are not in the log yet. One with a new end goes into the line of its later one, so that no killed import
 * leaves a link to an issue that is not there. A link that was removed here stays so.
 */
function sortLinks(ledger: Ledger, links: readonly ForeignLink[], places: ReadonlyMap<string, ForeignId>) {
  const linksOf = new Map<string, { kind: ForeignLink['kind']; from: string; to: string }[]>()
  const between: Linked[] = []
  const lost: ForeignLink[] = []
  const seen = new Set<string>()
  const placeOf = (key: string): ForeignId | undefined => {
    const id = findKeyed(ledger, key)
    return places.get(key) ?? (id === undefined ? undefined : { id, index: -1, isKnown: true })
  }
  for (const link of links) {
    const [from, to] = [placeOf(link.from), placeOf(link.to)]
    if (!from || !to || from.id === to.id) {
      lost.push(link)
      continue
    }
    const dep = { kind: link.kind, from: from.id, to: to.id }
    const key = depKey(dep)
    if (seen.has(key) || ledger.deps.has(key)) continue
    seen.add(key)
    const [later] = [from, to].filter(({ isKnown }) => !isKnown).sort((a, b) => b.index - a.index)
    if (!later) between.push({ type: 'linked', issue: dep.from, kind: dep.kind, target: dep.to })
    else {
      const own = linksOf.get(later.id) ?? []
      own.push(dep)
      linksOf.set(later.id, own)
    }
  }
  return { linksOf, between, lost }
}

function creationOf(id: string, issue: ForeignIssue, links: Extract<Draft, { type: 'created' }>['links']): Draft[] {
  const { key, title, body, priority, tags, issueType } = issue
  const meta = { ...issue.meta, [sourceStatusName]: issue.sourceStatus }
  const created: Draft = {
    type: 'created',
    issue: id,
    title,
    body,
    priority,
    tags: [...new Set(tags)],
    ...(issueType === undefined ? {} : { issue_type: issueType }),
    ...optionalIn(issue),
    ...(issue.refs.length === 0 ? {} : { refs: [...new Set(issue.refs)] }),
    meta,
    ...(links === undefined || links.length === 0 ? {} : { links }),
    key,
  }
  const comments = firstOfEach(issue).map((comment) => commentOf(id, comment))
  return [created, ...comments, ...(issue.status === 'open' ? [] : [moveTo(id, issue)])]
}

function moveTo(id: string, { status, reason }: Pick<ForeignIssue, 'status' | 'reason'>): Draft {
  const why = reason === undefined ? {} : { reason }
  return status === 'closed' ? { type: 'closed', issue: id, ...why } : { type: 'status', issue: id, status, ...why }
}

function firstOfEach({ comments }: ForeignIssue): ForeignIssue['comments'] {
  return [...new Map([...comments].reverse().map((comment) => [comment.id, comment])).values()].reverse()
}

function commentOf(id: string, comment: ForeignIssue['comments'][number]): Draft {
  const { by, at } = comment
  const origin = { id: comment.id, ...(by === undefined ? {} : { by }), ...(at === undefined ? {} : { at }) }
  return { type: 'commented', issue: id, body: comment.body, origin }
}

/** Drafts by which a known issue follows; none for one that came from this very store. */
function followersOf(ledger: Ledger, id: string, issue: ForeignIssue): Draft[] {
  if (findKeyed(ledger, issue.key) === undefined || readState(ledger, id) === undefined) return []
  return [...commentsOf(ledger, id, issue), ...statusOf(ledger, id, issue)]
}

function commentsOf(ledger: Ledger, id: string, issue: ForeignIssue): Draft[] {
  const here = ledger.issues.get(id)?.comments
  if (issue.comments.length === 0) return []
  const known = new Set([...(here?.values() ?? [])].map(({ value }) => value.origin))
  return firstOfEach(issue)
    .filter((comment) => !known.has(comment.id))
    .map((comment) => commentOf(id, comment))
}

/** What follows when the source has another status than when it was last imported; only ends and beginnings do. */
function statusOf(ledger: Ledger, id: string, issue: ForeignIssue): Draft[] {
  const read = readState(ledger, id)
  const before = read?.state.meta.get(sourceStatusName)?.value
  if (read === undefined || before == null || before === issue.sourceStatus) return []
  const noted: Draft = { type: 'edited', issue: id, meta: { [sourceStatusName]: issue.sourceStatus } }
  const isOverHere = isOver(read.status.status)
  if (isOver(issue.status) && !isOverHere) return [noted, moveTo(id, issue)]
  if (!isOver(issue.status) && overThere.has(before) && isOverHere) {
    return [noted, { type: 'status', issue: id, status: issue.status, reason: 'reopened where it was imported from' }]
  }
  return [noted]
}

function wordOf({ type }: Draft): ChangedWord {
  return type === 'commented' ? 'comments' : 'status'
}
