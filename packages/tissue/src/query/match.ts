// Which issues a query means.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { nameMeant } from '@switchyard/topic'
import { isOver } from '../issue/issue.ts'
import { kindOf } from '../schema/fields.ts'
import type { Issue } from '../schema/schemas.ts'
import { comparisonFor, fieldCalled, metaKeyOf } from './fields.ts'
import { parsePriorities } from './priority.ts'
import type { Comparison, Condition, Query } from './query.ts'
import { parsePoint } from './time.ts'

/** What a query asks beyond the issue itself. `now` is milliseconds since 1970. */
export type QueryWorld = {
  readonly now: number
  /** Who `me` is; asked only when a query says it. */
  readonly me: () => string
  readonly isReady: (issue: Issue) => boolean
  /** Whether it waits for another issue, or a parent of it does. */
  readonly isBlocked: (issue: Issue) => boolean
  /** The issues below the one that a user's word names; fails when it names none. */
  readonly below: (name: string) => ReadonlySet<string>
  readonly commentsOf: (issue: Issue) => readonly { readonly body: string }[]
}

type Match = (issue: Issue) => boolean

/** The test that a query stands for. What it names is looked up once, here. */
export function matcherOf(query: Query, world: QueryWorld): Match {
  switch (query.kind) {
    case 'is':
      return conditionOf(query.condition, world)
    case 'compare':
      return comparisonOf(query, world)
    case 'not': {
      const inner = matcherOf(query.of, world)
      return (issue) => !inner(issue)
    }
    case 'all': {
      const parts = query.of.map((part) => matcherOf(part, world))
      return (issue) => parts.every((matches) => matches(issue))
    }
    case 'any': {
      const parts = query.of.map((part) => matcherOf(part, world))
      return (issue) => parts.some((matches) => matches(issue))
    }
  }
}

function conditionOf(condition: Condition, { now, isReady, isBlocked }: QueryWorld): Match {
  switch (condition) {
    case 'ready':
      return isReady
    case 'blocked':
      return isBlocked
    case 'held':
      return ({ claim }) => claim !== null && claim.until > now
    case 'overdue':
      return ({ due_at, status }) => due_at !== undefined && due_at <= now && !isOver(status)
    case 'conflict':
      return ({ conflicts = [] }) => conflicts.length > 0
  }
}

function comparisonOf(comparison: Comparison, world: QueryWorld): Match {
  const { field, operator, values } = comparison
  if (operator === '!=') return matchNone(comparison, world)
  const kind = comparisonFor(field)
  const tests = values.map((value): Match => {
    switch (kind) {
      case 'priority':
        return priorityTest(field, operator, value)
      case 'duration':
        return durationTest(field, operator, value)
      case 'past':
      case 'future':
        return timeTest(field, operator, value, world.now)
      case 'issue':
        return parentTest(value, world)
      case 'text':
        return textTest(field, operator, value, world)
      default:
        return wordTest(field, operator, value, world)
    }
  })
  return (issue) => tests.some((test) => test(issue))
}

function matchNone(comparison: Comparison, world: QueryWorld): Match {
  const isOne = comparisonOf({ ...comparison, operator: '=' }, world)
  return (issue) => !isOne(issue)
}

function wordTest(field: string, operator: string, value: string, { me, now }: QueryWorld): Match {
  if (operator === '~') {
    const part = value.toLowerCase()
    return (issue) => wordsOf(field, issue, now).some((word) => word.toLowerCase().includes(part))
  }
  if (value === 'none' && field !== 'id') return (issue) => wordsOf(field, issue, now).length === 0
  const name = fieldCalled(field)
  const isName = field === 'holder' || field === 'by' || (name !== undefined && kindOf(name) === 'name')
  const wanted = isName ? nameMeant(value, me) : value
  return (issue) => wordsOf(field, issue, now).includes(wanted)
}

/** The words that an issue has in a field. */
function wordsOf(field: string, issue: Issue, now: number): readonly string[] {
  const key = metaKeyOf(field)
  if (key !== undefined) return given(issue.meta?.[key])
  switch (field) {
    case 'id':
      return [issue.id, issue.short]
    case 'status':
      return [issue.status]
    case 'tag':
      return issue.tags
    case 'holder':
      return issue.claim && issue.claim.until > now ? [issue.claim.by] : []
    case 'by':
      return [issue.created_by]
    case 'ref':
      return issue.refs ?? []
    default:
      return given(textIn(field, issue))
  }
}

function given(value: string | undefined): string[] {
  return value === undefined ? [] : [value]
}

/** The text of a field of the table, if the issue has one. */
function textIn(field: string, issue: Issue): string | undefined {
  const name = fieldCalled(field)
  const value = name && issue[name]
  return typeof value === 'string' ? value : undefined
}

/** The number of a field of the table, if the issue has one. */
function numberIn(field: string, issue: Issue): number | undefined {
  const name = fieldCalled(field)
  const value = name && issue[name]
  return typeof value === 'number' ? value : undefined
}

function textTest(field: string, operator: string, value: string, { commentsOf }: QueryWorld): Match {
  const wanted = value.toLowerCase()
  const isFound = (text: string) =>
    operator === '=' ? text.toLowerCase() === wanted : text.toLowerCase().includes(wanted)
  if (field === 'text')
    return (issue) => isFound(issue.title) || isFound(issue.body) || commentsOf(issue).some(({ body }) => isFound(body))
  const isLacked = value === 'none' && operator !== '~'
  return (issue) => {
    const text = textIn(field, issue)
    return text === undefined ? isLacked : isFound(text)
  }
}

function parentTest(value: string, world: QueryWorld): Match {
  if (value === 'none') return ({ id, deps }) => !deps.some(({ kind, to }) => kind === 'parent' && to === id)
  const below = world.below(value)
  return ({ id }) => below.has(id)
}

function priorityTest(field: string, operator: string, value: string): Match {
  const { from, to } = parsePriorities(value) ?? { from: 1, to: 5 }
  return (issue) => isWithin(operator, numberIn(field, issue) ?? 0, from, to + 1)
}

function durationTest(field: string, operator: string, value: string): Match {
  const ms = parseDuration(value)
  if (ms === undefined) return (issue) => numberIn(field, issue) === undefined
  return (issue) => {
    const span = numberIn(field, issue)
    return span !== undefined && isWithin(operator, span, ms, ms + 1)
  }
}

function timeTest(field: string, operator: string, value: string, now: number): Match {
  const point = parsePoint(value)
  if (!point) return (issue) => timeOf(field, issue) === undefined
  const isFuture = comparisonFor(field) === 'future'
  return (issue) => {
    const at = timeOf(field, issue)
    if (at === undefined) return false
    if (point.kind === 'at') return isWithin(operator, at, point.from, point.to)
    // A duration is how long ago it was, or how far ahead it is: `updated<2d` is less than two days ago.
    return isWithin(operator, isFuture ? at - now : now - at, point.ms, point.ms + 1)
  }
}

function timeOf(field: string, issue: Issue): number | undefined {
  switch (field) {
    case 'created':
      return issue.created_at
    case 'updated':
      return issue.updated_at
    case 'closed':
      return issue.closed_at
    default:
      return numberIn(field, issue)
  }
}

/** Compares a number with the stretch from `from` up to `end`, which is not part of it. */
function isWithin(operator: string, number: number, from: number, end: number): boolean {
  switch (operator) {
    case '<':
      return number < from
    case '<=':
      return number < end
    case '>':
      return number >= end
    case '>=':
      return number >= from
    default:
      return number >= from && number < end
  }
}
