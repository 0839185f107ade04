// The fields that a query knows, and which values and operators each of them takes.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { nearest } from '@switchyard/cli-kit/nearest'
import { statuses } from '../schema/event.check.ts'
import { type Field, type Kind as FieldKind, fieldNames, flagOf, kindOf } from '../schema/fields.ts'
import { parsePriorities } from './priority.ts'
import type { Operator } from './query.ts'
import { parsePoint } from './time.ts'

type Kind = 'word' | 'status' | 'issue' | 'text' | 'priority' | 'duration' | 'past' | 'future'

const comparedAs: Readonly<Record<FieldKind, Kind>> = {
  line: 'text',
  text: 'text',
  word: 'word',
  name: 'word',
  priority: 'priority',
  moment: 'future',
  span: 'duration',
}

/** What each field is compared as: those of the table of fields, and what else an issue has. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ...fieldNames.map((name) => [flagOf[name], comparedAs[kindOf(name)]] as const),
  ...Object.entries<Kind>({
    id: 'word',
    status: 'status',
    tag: 'word',
    holder: 'word',
    by: 'word',
    ref: 'word',
    parent: 'issue',
    text: 'text',
    created: 'past',
    updated: 'past',
    closed: 'past',
  }),
])

const metaPrefix = 'meta.'

/** What a query can compare, `meta.KEY` apart. */
export const queryNames: readonly string[] = [...kinds.keys()]

/** The field of an issue that a query calls so, if it is one of the table of fields. */
export function fieldCalled(word: string): Field | undefined {
  return fieldNames.find((name) => flagOf[name] === word)
}

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
export function comparisonFor(field: string): Kind | undefined {
  if (field.startsWith(metaPrefix) && field.length > metaPrefix.length) return 'word'
  return kinds.get(field)
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
