// What the flags of `list` mean as a query.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { Failure } from '@switchyard/ground/failure'
import { parseStatus } from '../change/parse-status.ts'
import type { ChoiceFlags } from './choice-flags.ts'
import { queryOfFlags } from './choice-query.ts'
import { faultOfValue } from './fields.ts'
import { compared, fieldsIn, joined, operators, type Query } from './query.ts'

/** What the flags of `list` gave; those that are undefined, empty or false narrow nothing. */
export type ListFlags = Omit<ChoiceFlags, 'mine'> & {
  readonly status: readonly string[]
  readonly priority?: string | undefined
  readonly assignee?: string | undefined
  readonly mine: boolean
  readonly unassigned: boolean
  readonly since?: string | undefined
  readonly updated?: string | undefined
  readonly closed?: string | undefined
  readonly search?: string | undefined
}

/** The query of a list. Exits 2 on a value that cannot be read. */
export function queryOfList({ mine, ...flags }: ListFlags): Query {
  const { status, assignee, search } = flags
  return joined('all', [
    ...(status.length > 0 ? [compared('status', '=', ...status.map(parseStatus))] : []),
    ...(flags.priority === undefined ? [] : [priorityQuery(flags.priority)]),
    ...(assignee === undefined ? [] : [compared('assignee', '=', assignee)]),
    ...(flags.unassigned ? [compared('assignee', '=', 'none')] : []),
    ...(mine ? [joined('any', [compared('assignee', '=', 'me'), compared('holder', '=', 'me')])] : []),
    ...sinceQuery('created', flags.since, '--since'),
    ...sinceQuery('updated', flags.updated, '--updated'),
    ...sinceQuery('closed', flags.closed, '--closed'),
    ...(search === undefined ? [] : [compared('text', '~', search)]),
    queryOfFlags(flags),
  ])
}

/** Whether a query says itself what it wants of issues that are over; others leave them out. */
export function speaksOfOver(query: Query): boolean {
  return fieldsIn(query).some((field) => field === 'status' || field === 'closed')
}

function priorityQuery(text: string): Query {
  const operator = operators.find((sign) => sign !== '~' && text.startsWith(sign)) ?? ''
  const value = text.slice(operator.length).trim()
  if (faultOfValue('priority', operator || '=', value) === undefined)
    return compared('priority', operator || '=', value)
  throw new Failure('usage', `expected --priority to be such as 1, 1-3 or '<=2', got ${JSON.stringify(text)}`)
}

/** No older than a moment: a time ago, which ages are compared with, or a date. */
function sinceQuery(field: string, text: string | undefined, flag: string): Query[] {
  if (text === undefined) return []
  parseMoment(text, 0, flag)
  return [compared(field, parseDuration(text) === undefined ? '>=' : '<=', text)]
}
