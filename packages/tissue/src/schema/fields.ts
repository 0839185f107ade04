// The fields of an issue that hold one value. What reads, checks, asks for, compares or shows one follows from these
// tables; CONTRIBUTING, "Adding a field", says how.
import type { FlagSpec } from '@switchyard/cli-kit'

/** What a field of each kind holds: moments in milliseconds since 1970, spans in milliseconds, names of agents. */
type Values = {
  readonly line: string
  readonly text: string
  readonly word: string
  readonly name: string
  readonly priority: number
  readonly moment: number
  readonly span: number
}
export type Kind = keyof Values

/** What every issue has, as events name it. */
export const basicFields = { title: 'line', body: 'text', priority: 'priority', issue_type: 'word' } as const

/** What an issue may lack, as events name it; null takes it away. A new field belongs here: old issues lack it. */
export const optionalFields = {
  assignee: 'name',
  acceptance: 'text',
  defer_until: 'moment',
  due_at: 'moment',
  estimate_ms: 'span',
} as const

/** The kinds of all fields. */
const fieldKinds = { ...basicFields, ...optionalFields } as const

export type OptionalField = keyof typeof optionalFields
export type Field = keyof typeof fieldKinds

/** What an issue has in all of them. */
export type BasicValues = { readonly [F in keyof typeof basicFields]: Values[(typeof basicFields)[F]] }
/** What an issue has in those that it may lack, where it does not. */
export type OptionalValues = { readonly [F in OptionalField]: Values[(typeof optionalFields)[F]] }

/** What people call a field: its flag, and its name in a query, a sort, a plan and an act. */
export const flagOf = {
  title: 'title',
  body: 'body',
  priority: 'priority',
  issue_type: 'type',
  assignee: 'assignee',
  acceptance: 'accept',
  defer_until: 'defer',
  due_at: 'due',
  estimate_ms: 'estimate',
} as const satisfies Record<Field, string>

/** The flags by which `new` and `edit` are given the fields; `new` takes the title as an argument. */
export const fieldFlags = {
  body: { type: 'string', short: 'b', value: 'TEXT', summary: 'The body' },
  priority: { type: 'integer', short: 'p', value: 'N', min: 1, max: 5, summary: '1 is the most urgent; else 2' },
  type: { type: 'string', value: 'TYPE', summary: 'bug, feature, epic … or a word of your own; else task' },
  assignee: { type: 'string', value: 'NAME', summary: 'Who it is meant for, or none' },
  accept: { type: 'string', value: 'TEXT', summary: 'What has to hold when it is done, or none' },
  defer: { type: 'string', value: 'WHEN', summary: 'Not ready before: 2d, 2026-12-01, or none' },
  due: { type: 'string', value: 'WHEN', summary: 'To be done by: 2d, 2026-12-01, or none' },
  estimate: { type: 'string', value: 'DURATION', summary: 'How much work it is: 2h, or none' },
} as const satisfies Record<Exclude<(typeof flagOf)[Field], 'title'>, FlagSpec>

/** What kind of value a field holds. */
export function kindOf(field: Field): Kind {
  return fieldKinds[field]
}

/** The names of the fields that an issue may lack. */
export const optionalNames = namesIn(optionalFields)

/** The names of all fields, which an edit may change. */
export const fieldNames = namesIn(fieldKinds)

function namesIn<T extends object>(table: T): Extract<keyof T, string>[] {
  const names: Extract<keyof T, string>[] = []
  for (const name in table) names.push(name)
  return names
}
