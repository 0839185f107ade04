import { defineVerb } from '@switchyard/cli-kit'
import { viewsOf } from '../issue/issue.ts'
import { choiceFlags, needOf } from '../query/choice-flags.ts'
import { queryOfList, speaksOfOver } from '../query/list-query.ts'
import { matcherOf } from '../query/match.ts'
import { printQuery } from '../query/query.ts'
import { orders, sortIssues } from '../query/sort.ts'
import { worldOf } from '../query/world.ts'
import { shownRows } from '../render/issue-line.ts'
import { statuses } from '../schema/event.check.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { firstOf, limitFlag } from '../text/limit.ts'
import { parseFieldNames, pickFields, shownFields } from '../view/picked-fields.ts'

/** `tissue list`: the issues that fit, without those that are over unless they are asked for. */
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
    sort: { type: 'choice', choices: orders, default: 'priority', summary: 'What comes first' },
    reverse: { type: 'boolean', short: 'r', summary: 'The other way round' },
    ...limitFlag(50),
    fields: { type: 'string', value: 'NAMES', summary: 'Only these fields, separated by tabs or as JSON: id,title' },
    ...authorFlags,
  },
  examples: [
    'tissue list',
    "tissue list --query 'priority<=1 AND tag:auth'",
    'tissue list --closed 7d --sort updated --fields short,title,close_reason',
  ],
  async run(call) {
    const { flags, output } = call
    const query = queryOfList(flags)
    const fields = flags.fields === undefined ? undefined : parseFieldNames(flags.fields)
    const hasOver = flags.all || speaksOfOver(query)
    const { ledger } = look(call, hasOver ? 'everything' : needOf(flags, []))
    const now = call.now()
    const views = viewsOf(ledger)
    const matches = matcherOf(
      query,
      worldOf(ledger, now, () => nameOf(call)),
    )
    const some = hasOver ? views.ids : views.ids.filter((id) => !views.isOver(id))
    const fitting = some.map(views.view).filter(matches)
    const found = sortIssues(fitting, flags.sort, flags.reverse)
    const shown = firstOf(output, found, flags.limit)
    const text = printQuery(query)
    const empty = text === '' ? 'no issues' : `no issue fits: ${text}`
    if (fields)
      output.list(
        shown.map((issue) => pickFields(issue, fields)),
        { ...shownFields, empty },
      )
    else output.list(shown, { ...(await shownRows(output, shown, now)), empty })
    return undefined
  },
})
