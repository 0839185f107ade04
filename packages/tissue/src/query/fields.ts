// The fields that a query knows, and which values and operators each of them takes.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { nearest } from '@switchyard/cli-kit/nearest'
import { statuses } from '../log/guard.ts'
import { parsePriorities } from './priority.ts'
import type { Operator } from './query.ts'
import { parsePoint } from './time.ts'

type Kind = 'word' | 'status' | 'issue' | 'text' | 'priority' | 'duration' | 'past' | 'future'

/** What each field is compared as. */
const kinds = {
  id: 'word',
  status: 'status',
  type: 'word',
  tag: 'word',
  assignee: 'word',
  holder: 'word',
  by: 'word',
  ref: 'word',
  parent: 'issue',
  title: 'text',
  body: 'text',
  text: 'text',
  priority: 'priority',
  estimate: 'duration',
  created: 'past',
  updated: 'past',
  closed: 'past',
  due: 'future',
  defer: 'future',
} as const satisfies Record<string, Kind>

const metaPrefix = 'meta.'

/** The names of all fields, `meta.KEY` apart. */
export const fieldNames: readonly string[] = Object.keys(kinds)

const equality: readonly Operator[] = [':', '=', '!=']
const order: readonly Operator[] = [...equality, '<', '<=', '>', '>=']
const operatorsOf: Readonly<Record<Kind, readonly Operator[]>> = {
  word: [...equality, '~'],
  status: equality,
  issue: equality,
  text: [...equality, '~'],
  priority: order,
  duration: order,
  past: order,
  future: order,
}

/** How a field is compared; undefined when there is no such field. */
export function kindOf(field: string): Kind | undefined {
  if (field.startsWith(metaPrefix) && field.length > metaPrefix.length) return 'word'
  return fieldNames.includes(field) ? Object.entries(kinds).find(([name]) => name === field)?.[1] : undefined
}

/** The entry of `meta` that a field such as `meta.area` means. */
export function metaKeyOf(field: string): string | undefined {
  return field.startsWith(metaPrefix) ? field.slice(metaPrefix.length) : undefined
}

/** The operators that a kind of field takes. */
export function operatorsFor(kind: Kind): readonly Operator[] {
  return operatorsOf[kind]
}

/** What a value should have been, such as `a date`, when it is none that the field takes; undefined when it is. */
export function faultOfValue(kind: Kind, operator: Operator, value: string): string | undefined {
  const isOrdered = operator.startsWith('<') || operator.startsWith('>')
  const isNone = value === 'none' && !isOrdered
  switch (kind) {
    case 'status':
      return faultOfStatus(value)
    case 'priority':
      return faultOfPriority(value, isOrdered)
    case 'duration':
      return isNone || parseDuration(value) !== undefined ? undefined : 'a duration such as 30m, 2h or 1d'
    case 'past':
    case 'future':
      if (isNone || parsePoint(value) !== undefined) return undefined
      return 'a duration such as 2d or a date such as 2026-11-21'
    default:
      return value === '' && kind !== 'text' ? 'a value' : undefined
  }
}

function faultOfStatus(value: string): string | undefined {
  if (statuses.some((name) => name === value)) return undefined
  const meant = nearest(value, statuses)
  return meant ? `a status such as ${meant}` : `a status (${statuses.join(', ')})`
}

function faultOfPriority(value: string, isOrdered: boolean): string | undefined {
  const range = parsePriorities(value)
  if (range && (!isOrdered || range.from === range.to)) return undefined
  return isOrdered ? 'a priority from 1 to 5' : 'a priority from 1 to 5, or a range such as 1-3'
}
