// Logs as real writers make them, without disk: clones that write, and take in what others wrote.
import fc from 'fast-check'
import type { SourceLine } from '../src/compact/traced-log.ts'
import { commentsOf, readState, viewsOf } from '../src/issue/issue.ts'
import type { Draft, NewEntry } from '../src/log/draft.ts'
import type { Ledger } from '../src/log/fold.ts'
import { foldRecords } from '../src/log/fold-all.ts'
import { isClaimStart } from '../src/log/rivals.ts'
import { type Author, singlesOf, writeLines } from '../src/log/write-lines.ts'
import { findConflicts } from '../src/view/conflicts.ts'

const ids = ['app-aaaa00000001', 'app-bbbb00000002', 'app-cccc00000003']
const hourMs = 3_600_000

/** One act of a clone on one issue; what is possible then decides what becomes of it. */
export type Act = {
  readonly clone: number
  readonly issue: number
  readonly what: number
  readonly value: string
  readonly batched: boolean
}

export const act: fc.Arbitrary<Act> = fc.record({
  clone: fc.nat({ max: 1 }),
  issue: fc.nat({ max: ids.length - 1 }),
  what: fc.nat({ max: 14 }),
  value: fc.constantFrom('red', 'green', 'blue'),
  batched: fc.boolean(),
})

/** Writes lines as the store does; the clock of the second clone is an hour behind. */
export function writer() {
  let count = 0
  return (lines: readonly SourceLine[], clone: number, entries: readonly NewEntry[]): SourceLine[] => {
    const by = `agent-${clone}`
    // Ids of one moment come in any order.
    const ulid = () => {
      count += 1
      return `E${(count * 7919) % 10_007}-${count}`
    }
    const author: Author = { by, now: () => 10 * hourMs - clone * hourMs + count, ulid }
    const written = writeLines(entries, foldOf(lines), author)
    const after = [...lines, ...written.map(({ text }) => sourceOf(text))]
    // Who is killed in between leaves a claim that nobody has confirmed.
    const claims = written.flatMap(({ event }) => (event ? singlesOf(event).filter(isClaimStart) : []))
    const confirms = claims.filter(({ id }) => !id.endsWith('7')).map(confirmOf)
    return [...after, ...writeLines(confirms, foldOf(after), author).map(({ text }) => sourceOf(text))]
  }
}

function confirmOf({ issue, id }: { issue: string; id: string }): Draft {
  return { type: 'confirmed', issue, of: id }
}

/** What the act writes, given what its clone has; nothing where it is not possible. */
export function entriesOf(lines: readonly SourceLine[], act: Act): NewEntry[] {
  const drafts = draftsOf(foldOf(lines), act)
  if (!act.batched || drafts.length === 0) return drafts
  const note: Draft = { type: 'tagged', issue: ids[act.issue] ?? '', tag: act.value }
  return [{ type: 'batch', drafts: [...drafts, note] }]
}

function draftsOf(ledger: Ledger, { clone, issue: index, what, value }: Act): Draft[] {
  const issue = ids[index] ?? ''
  const target = ids[(index + 1) % ids.length] ?? ''
  const read = readState(ledger, issue)
  const status = ledger.issues.get(issue)?.fields.status
  if (!status) return [{ type: 'created', issue, title: value, body: '', priority: 2, tags: [value], key: value }]
  const claim = ledger.issues.get(issue)?.claim
  const isMine = claim?.by === `agent-${clone}`
  const all: Draft[][] = [
    [{ type: 'edited', issue, title: value }],
    [{ type: 'edited', issue, body: value, priority: 1 }],
    [{ type: 'edited', issue, assignee: value, meta: { area: value }, add_refs: [value] }],
    [{ type: 'edited', issue, meta: { area: null }, rm_refs: [value], due_at: index }],
    [{ type: 'status', issue, status: 'paused', ...(isMine ? { fence: claim.id } : {}) }],
    [{ type: 'status', issue, status: 'open' }],
    [{ type: 'closed', issue, reason: value, ...(isMine ? { fence: claim.id } : {}) }],
    [{ type: 'commented', issue, body: value }],
    [{ type: 'tagged', issue, tag: value }],
    [{ type: 'untagged', issue, tag: value }],
    [{ type: 'linked', issue, kind: 'relates', target }],
    [{ type: 'unlinked', issue, kind: 'relates', target }],
    [
      {
        type: 'claimed',
        issue,
        until: 20 * hourMs,
        expect: claim?.head ?? null,
        ...(isMine ? { renews: claim.id } : {}),
      },
    ],
    claim ? [{ type: 'released', issue, expect: claim.head, to: value }] : [],
    read ? [{ type: 'deleted', issue, expect: status.id }] : [{ type: 'configured', settings: { lease: value } }],
  ]
  return all[what] ?? []
}

/** The lines of one clone with those of another behind them that it has not got. */
export function union(mine: readonly SourceLine[], theirs: readonly SourceLine[]): SourceLine[] {
  const known = new Set(mine.map(({ text }) => text))
  return [...mine, ...theirs.filter(({ text }) => !known.has(text))]
}

export function sourceOf(text: string): SourceLine {
  return { text, record: JSON.parse(text) }
}

export function foldOf(lines: readonly SourceLine[]): Ledger {
  return foldRecords(lines.flatMap(({ record }) => (record ? [record] : [])))
}

/** All that the verbs can see, but the numbers of events. */
export function seenIn(lines: readonly SourceLine[]) {
  const ledger = foldOf(lines)
  const views = viewsOf(ledger)
  return {
    issues: views.ids.map((id) => ({ ...views.view(id), comments: commentsOf(ledger, id) })),
    conflicts: findConflicts(ledger, views, () => new Map()),
    settings: [...ledger.settings].map(([name, { value }]) => [name, value]),
    keys: [...ledger.keys].map(([key, made]) => [key, made.map(({ value }) => value)]).sort(),
  }
}
