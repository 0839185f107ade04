// The flags of the verbs that write, as far as they say what is written: what the acts of a batch and the issues of a
// plan have follows from them. Plain literals: a spread would be carried along by every verb that takes one of them.
import type { FlagSpec } from '@switchyard/cli-kit'

type Flags = Readonly<Record<string, FlagSpec>>

/** Beside the flags of the fields. */
export const newFlags = {
  tag: { type: 'list', short: 't', value: 'TAG', summary: 'Add a tag' },
  parent: { type: 'string', value: 'ID', summary: 'The issue that it is a part of' },
  'blocked-by': { type: 'list', value: 'ID', summary: 'An issue that has to be closed first' },
  blocks: { type: 'list', value: 'ID', summary: 'An issue that has to wait for this one' },
  'discovered-from': { type: 'string', value: 'ID', summary: 'The issue during which it was found' },
  ref: { type: 'list', value: 'REF', summary: 'What it refers to: a commit, a file, an issue elsewhere' },
  meta: { type: 'list', value: 'NAME=VALUE', summary: 'An entry of your own' },
  key: { type: 'string', value: 'KEY', summary: 'Create at most once, however often it is tried' },
} as const satisfies Flags

/** Beside the flags of the fields. */
export const editFlags = {
  title: { type: 'string', value: 'TITLE', summary: 'What is to be done, in one line' },
  append: { type: 'string', value: 'TEXT', summary: 'Put this behind the body; - reads it from stdin' },
  'add-tag': { type: 'list', short: 't', value: 'TAG', summary: 'Add a tag' },
  'rm-tag': { type: 'list', value: 'TAG', summary: 'Remove a tag' },
  parent: { type: 'string', value: 'ID', summary: 'The issue that it is a part of, or none' },
  'add-ref': { type: 'list', value: 'REF', summary: 'Add a reference: a commit, a file, an issue elsewhere' },
  'rm-ref': { type: 'list', value: 'REF', summary: 'Remove a reference' },
  meta: { type: 'list', value: 'NAME=VALUE', summary: 'Set an entry of your own; NAME= removes it' },
  'if-rev': { type: 'string', value: 'REV', summary: 'Only when it is still at this rev, as show --json names it' },
} as const satisfies Flags

const fence = { type: 'string', value: 'CLAIM', summary: 'Only while this claim is current' } as const

export const statusFlags = {
  reason: { type: 'string', short: 'm', value: 'TEXT', summary: 'Why' },
  fence,
  force: {
    type: 'boolean',
    summary: 'Even when another holds it; to end it also when blocked or with open children',
  },
} as const satisfies Flags

export const closeFlags = {
  reason: { type: 'string', short: 'm', value: 'TEXT', summary: 'Why, or how' },
  'duplicate-of': { type: 'string', value: 'ID', summary: 'They are the same as this one: duplicates of it' },
  'superseded-by': { type: 'string', value: 'ID', summary: 'This one takes their place' },
  fence,
  force: { type: 'boolean', summary: 'Even when blocked, with open children, or held by another' },
} as const satisfies Flags

export const reopenFlags = {
  reason: { type: 'string', short: 'm', value: 'TEXT', summary: 'Why' },
} as const satisfies Flags

export const linkFlags = {
  force: { type: 'boolean', summary: 'Take a child from the parent it has' },
} as const satisfies Flags

export const claimFlags = {
  ttl: { type: 'duration', summary: 'How long; else as before, or as the setting lease says' },
} as const satisfies Flags

export const releaseFlags = {
  note: { type: 'string', short: 'm', value: 'TEXT', summary: 'Leave a comment for the next one' },
  to: { type: 'string', value: 'NAME', summary: 'Who is to go on: it is assigned to them' },
  fence,
  force: { type: 'boolean', summary: 'Also when another holds it' },
} as const satisfies Flags
