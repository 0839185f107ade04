import { defineVerb } from '@switchyard/cli-kit'
import { filterIssues } from '../filter.ts'
import { statuses } from '../guard.ts'
import { viewsOf } from '../issue.ts'
import { parseStatus } from '../parse-status.ts'
import { shownRow } from '../render.ts'
import { look, nameOf, storeFlag } from '../session.ts'

/** `tissue list`: the issues that are not over, most urgent first, then oldest. */
export const list = defineVerb({
  summary: 'List issues; those that are over only when asked for',
  flags: {
    status: { type: 'list', value: 'STATUS', summary: `Only these: ${statuses.join(', ')}` },
    tag: { type: 'list', short: 't', value: 'TAG', summary: 'Only those with all of these tags' },
    search: { type: 'string', value: 'TEXT', summary: 'Only those with this text in title, body or a comment' },
    mine: { type: 'boolean', summary: 'Only those that I hold' },
    all: { type: 'boolean', short: 'a', summary: 'Closed ones and duplicates too' },
    limit: { type: 'integer', short: 'n', value: 'N', min: 1, max: 100_000, default: 50, summary: 'At most so many' },
    as: { type: 'string', value: 'NAME', summary: 'Who --mine means' },
    ...storeFlag,
  },
  examples: ['tissue list', 'tissue list --status paused --tag auth', 'tissue list --all --search login --json'],
  run(call) {
    const { flags, output, now } = call
    const { ledger } = look(call)
    const found = filterIssues(ledger, viewsOf(ledger), {
      statuses: flags.status.map(parseStatus),
      tags: flags.tag,
      search: flags.search,
      holder: flags.mine ? nameOf(call) : undefined,
      all: flags.all,
    })
    if (found.length > flags.limit) output.note(`${flags.limit} of ${found.length} shown; --limit shows more`)
    output.list(found.slice(0, flags.limit), { ...shownRow(now()), empty: 'no issues' })
    return undefined
  },
})
