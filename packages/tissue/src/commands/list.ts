import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { viewsOf } from '../issue/issue.ts'
import { choiceFlags, needOf } from '../query/choice-flags.ts'
import { queryOfList, speaksOfOver } from '../query/list-query.ts'
import { matcherOf } from '../query/match.ts'
import { printQuery } from '../query/query.ts'
import { orders, sortIssues } from '../query/sort.ts'
import { worldOf } from '../query/world.ts'
import { shownConflict } from '../render/conflict.ts'
import { shownRows } from '../render/issue-line.ts'
import { shownStale } from '../render/stale.ts'
import { statuses } from '../schema/event.check.ts'
import type { Issue } from '../schema/schemas.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { readSetting } from '../store/settings.ts'
import { readEvents } from '../store/store.ts'
import { firstOf, limitFlag } from '../text/limit.ts'
import { findConflicts, signaturesOf } from '../view/conflicts.ts'
import { parseFieldNames, pickFields, shownFields } from '../view/picked-fields.ts'
import { staleIssues } from '../view/stale.ts'

/**
 * `tissue list`: the issues that fit, without those that are over unless they are asked for; of those with --stale what
 * nobody has touched for long, and with --conflicts what two clones wrote without having seen each other.
 */
export const list = defineVerb({
  summary: 'List issues, most urgent first; closed ones only when asked for',
  flags: {
    status: { type: 'list', value: 'STATUS', summary: `Only these: ${statuses.join(', ')}` },
    ...choiceFlags,
    priority: { type: 'string', short: 'p', value: 'RANGE', summary: "Only these priorities: 1, 1-3 or '<=2'" },
    assignee: { type: 'string', value: 'NAME', summary: 'Only what is assigned to NAME' },
    mine: { type: 'boolean', summary: 'Only what is assigned to me, or held by me' },
    unassigned: { type: 'boolean', summary: 'Only what is assigned to nobody' },
    search: { type: 'string', value: 'TEXT', summary: 'Only those with this text in title, body or a comment' },
    since: { type: 'string', value: 'WHEN', summary: 'Only what was created since then: 2h, 7d or a date' },
    updated: { type: 'string', value: 'WHEN', summary: 'Only what was changed since then' },
    closed: { type: 'string', value: 'WHEN', summary: 'Only what was closed since then' },
    all: { type: 'boolean', short: 'a', summary: 'Closed ones and duplicates too' },
    stale: { type: 'boolean', summary: 'Only what is untouched for long, and work whose lease ran out' },
    'older-than': { type: 'duration', summary: 'With --stale: for so long, not as the setting stale says (14d)' },
    conflicts: { type: 'boolean', summary: 'What two clones wrote without having seen each other, both sides' },
    sort: { type: 'choice', choices: orders, summary: 'What comes first: priority; with --stale the longest rest' },
    reverse: { type: 'boolean', short: 'r', summary: 'The other way round' },
    ...limitFlag(50),
    fields: { type: 'string', value: 'NAMES', summary: 'Only these fields, separated by tabs or as JSON: id,title' },
    ...authorFlags,
  },
  examples: [
    'tissue list',
    "tissue list --query 'priority<=1 AND tag:auth'",
    'tissue list --closed 7d --sort updated --fields short,title,close_reason',
    'tissue list --stale --older-than 2d --quiet',
    'tissue list --conflicts',
  ],
  async run(call) {
    const { flags, output } = call
    checkTogether(flags)
    const query = queryOfList(flags)
    const fields = flags.fields === undefined ? undefined : parseFieldNames(flags.fields)
    const hasOver = !flags.stale && (flags.all || flags.conflicts || speaksOfOver(query))
    const { store, ledger } = look(call, hasOver ? 'everything' : needOf(flags, []))
    const now = call.now()
    const views = viewsOf(ledger)
    const matches = matcherOf(
      query,
      worldOf(ledger, now, () => nameOf(call)),
    )
    const some = hasOver ? views.ids : views.ids.filter((id) => !views.isOver(id))
    const fitting = some.map(views.view).filter(matches)
    const restMs = flags['older-than'] ?? readSetting(ledger, 'stale')
    const chosen = flags.stale ? staleIssues(fitting, { now, restMs }) : fitting
    const found = inOrder(chosen, flags)
    if (flags.conflicts) {
      const ids = found.map(({ id }) => id)
      const conflicts = findConflicts(ledger, { ...views, ids }, (events) =>
        signaturesOf(readEvents(store.log), events),
      )
      output.list(firstOf(output, conflicts, flags.limit), { ...shownConflict, empty: 'no conflicts' })
      return undefined
    }
    const shown = firstOf(output, found, flags.limit)
    const text = printQuery(query)
    const none = text === '' ? 'no issues' : `no issue fits: ${text}`
    const empty = flags.stale ? 'nothing is stale' : none
    if (fields)
      output.list(
        shown.map((issue) => pickFields(issue, fields)),
        { ...shownFields, empty },
      )
    else output.list(shown, { ...(flags.stale ? shownStale(now) : await shownRows(output, shown, now)), empty })
    return undefined
  },
})

type View = {
  readonly stale: boolean
  readonly conflicts: boolean
  readonly 'older-than'?: number | undefined
  readonly fields?: string | undefined
}

/** Fails as bad input on flags that mean nothing together. */
function checkTogether({ stale, conflicts, fields, 'older-than': olderThan }: View): void {
  if (olderThan !== undefined && !stale) throw new Failure('usage', 'expected --older-than only with --stale')
  if (conflicts && (stale || fields !== undefined))
    throw new Failure('usage', 'expected --conflicts without --stale and --fields')
}

type Order = { readonly stale: boolean; readonly sort?: string | undefined; readonly reverse: boolean }

function inOrder(issues: readonly Issue[], { stale, sort, reverse }: Order): Issue[] {
  if (sort === undefined && stale) return sortIssues(issues, 'updated', !reverse)
  return sortIssues(issues, sort ?? 'priority', reverse)
}
