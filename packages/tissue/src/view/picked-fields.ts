// Parts of issues: only the fields that were asked for.

import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { nearest } from '@switchyard/cli-kit/nearest'
import { Failure } from '@switchyard/ground/failure'
import { fieldNames, kindOf } from '../schema/fields.ts'
import type { Issue } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'

const fields = [
  'id',
  'short',
  'status',
  ...fieldNames,
  'tags',
  'refs',
  'meta',
  'created_at',
  'created_by',
  'updated_at',
  'rev',
  'closed_at',
  'close_reason',
  'claim',
  'conflicts',
  'blocked_by',
  'blocks',
  'deps',
  'key',
  'finding',
] as const satisfies (keyof Issue)[]

type Picked = (typeof fields)[number]

/** The fields that `--fields id,title` names. Exits 2 on one that there is none of. */
export function parseFieldNames(text: string): Picked[] {
  return text.split(',').map((name) => {
    const wanted = name.trim()
    const found = fields.find((field) => field === wanted)
    if (found) return found
    const meant = nearest(wanted, fields)
    throw new Failure('usage', `expected --fields to name fields of an issue, got "${wanted}"`, {
      hint: meant ? `did you mean ${meant}?` : `fields are ${fields.join(', ')}`,
    })
  })
}

/** Some fields of an issue; those that it does not have are null. */
export function pickFields(issue: Issue, wanted: readonly Picked[]): Record<string, unknown> {
  return Object.fromEntries(wanted.map((field) => [field, issue[field] ?? null]))
}

/** How picked fields are shown: separated by tabs, a list by commas, a moment as ISO time. */
export const shownFields: Shown<Record<string, unknown>> = {
  text: (picked) =>
    Object.entries(picked)
      .map(([name, value]) => textOf(name, value))
      .join('\t'),
  id: (picked) => Object.entries(picked).map(([name, value]) => textOf(name, value))[0] ?? '',
}

function textOf(name: string, value: unknown): string {
  if (value === null) return ''
  if (typeof value === 'number') return isMoment(name) ? timeText(value) : String(value)
  if (typeof value === 'string') return inRow(value.replace(/\s/g, ' '))
  const isWords = Array.isArray(value) && value.every((member) => typeof member === 'string')
  return isWords ? inRow(value.join(',')) : JSON.stringify(value)
}

function isMoment(name: string): boolean {
  return name.endsWith('_at') || fieldNames.some((field) => field === name && kindOf(field) === 'moment')
}
