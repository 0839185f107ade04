// The fields that an issue may lack, as people read them.
import { renderSpan } from '@switchyard/cli-kit/age'
import { type Field, flagOf, kindOf, type OptionalField, optionalNames } from '../schema/fields.ts'
import type { Issue } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'

/** What stands before a value, where that is not the name of the flag. */
const labels: { readonly [F in OptionalField]?: string } = {
  assignee: 'for',
  acceptance: 'done when',
  defer_until: 'not before',
}

/** One field of an issue; `isLong` is a text that may have several lines. */
type FieldLine = {
  readonly name: OptionalField
  readonly label: string
  readonly text: string
  readonly isLong: boolean
}

/** The fields that an issue has of those that it may lack, in the order of their table. */
export function fieldLines(issue: Issue): FieldLine[] {
  return optionalNames.flatMap((name) => {
    const value = issue[name]
    if (value === undefined || value === null) return []
    const text = fieldText(name, value)
    return [{ name, label: labels[name] ?? flagOf[name], text, isLong: kindOf(name) === 'text' }]
  })
}

/** The value of a field as people read it. */
export function fieldText(name: Field, value: string | number): string {
  const kind = kindOf(name)
  if (kind === 'moment') return timeText(Number(value))
  return kind === 'span' ? renderSpan(Math.floor(Number(value) / 1000)) : String(value)
}
