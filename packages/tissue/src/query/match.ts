// Which issues a query means.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { nameMeant } from '@switchyard/topic'
import { isOver } from '../issue/issue.ts'
import type { Issue } from '../schema/schemas.ts'
import { kindOf, metaKeyOf } from './fields.ts'
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
  const kind = kindOf(field)
  const tests = values.map((value): Match => {
    switch (kind) {
      case 'priority':
        return priorityTest(operator, value)
      case 'duration':
        return durationTest(operator, value)
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
  const isName = field === 'assignee' || field === 'holder' || field === 'by'
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
    case 'type':
      return [issue.issue_type]
    case 'tag':
      return issue.tags
    case 'assignee':
      return given(issue.assignee)
    case 'holder':
      return issue.claim && issue.claim.until > now ? [issue.claim.by] : []
    case 'by':
      return [issue.created_by]
    default:
      return issue.refs ?? []
  }
}

function given(value: string | null | undefined): string[] {
  return value === undefined || value === null ? [] : [value]
}

function textTest(field: string, operator: string, value: string, { commentsOf }: QueryWorld): Match {
  const wanted = value.toLowerCase()
  const isFound = (text: string) =>
    operator === '=' ? text.toLowerCase() === wanted : text.toLowerCase().includes(wanted)
  if (field === 'title') return ({ title }) => isFound(title)
  if (field === 'body') return ({ body }) => isFound(body)
  return (issue) => isFound(issue.title) || isFound(issue.body) || commentsOf(issue).some(({ body }) => isFound(body))
}

function parentTest(value: string, world: QueryWorld): Match {
  if (value === 'none') return ({ id, deps }) => !deps.some(({ kind, to }) => kind === 'parent' && to === id)
  const below = world.below(value)
  return ({ id }) => below.has(id)
}

function priorityTest(operator: string, value: string): Match {
  const { from, to } = parsePriorities(value) ?? { from: 1, to: 5 }
  return ({ priority }) => isWithin(operator, priority, from, to + 1)
}

function durationTest(operator: string, value: string): Match {
  const ms = parseDuration(value)
  if (ms === undefined) return ({ estimate_ms }) => estimate_ms === undefined
  return ({ estimate_ms }) => estimate_ms !== undefined && isWithin(operator, estimate_ms, ms, ms + 1)
}

function timeTest(field: string, operator: string, value: string, now: number): Match {
  const point = parsePoint(value)
  if (!point) return (issue) => timeOf(field, issue) === undefined
  const isFuture = field === 'due' || field === 'defer'
  return (issue) => {
    const at = timeOf(field, issue)
    if (at === undefined) return false
    if (point.kind === 'at') return isWithin(operator, at, point.from, point.to)
    // A duration is how long ago it was, or how far ahead it is: `updated<2d` is less than two days ago.
    return isWithin(operator, isFuture ? at - now : now - at, point.ms, point.ms + 1)
  }
}

function timeOf(field: string, { created_at, updated_at, closed_at, due_at, defer_until }: Issue): number | undefined {
  switch (field) {
    case 'created':
      return created_at
    case 'updated':
      return updated_at
    case 'closed':
      return closed_at
    case 'due':
      return due_at
    default:
      return defer_until
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
