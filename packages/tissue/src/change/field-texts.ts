// What an issue says of itself, out of the texts that flags and acts give.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { parseWhen } from '@switchyard/cli-kit/moment'
import { Failure } from '@switchyard/ground/failure'
import { nameMeant } from '@switchyard/topic'
import { isIssueType } from '../log/guard.ts'

/** Fields as they were given; undefined is what was not. */
export type FieldTexts = {
  readonly title?: string | undefined
  readonly priority?: number | undefined
  readonly type?: string | undefined
  readonly assignee?: string | undefined
  readonly accept?: string | undefined
  readonly defer?: string | undefined
  readonly due?: string | undefined
  readonly estimate?: string | undefined
}

/** Fields as events have them; null takes one away. Times in milliseconds, moments since 1970. */
export type FieldValues = {
  readonly title?: string
  readonly priority?: number
  readonly issue_type?: string
  readonly assignee?: string | null
  readonly acceptance?: string | null
  readonly defer_until?: number | null
  readonly due_at?: number | null
  readonly estimate_ms?: number | null
}

/**
 * The values of those fields that were given; `now` is milliseconds since 1970, `me` says who calls. Exits 2 on a text
 * that is no value.
 */
export function parseFields(texts: FieldTexts, now: number, me: () => string): FieldValues {
  const { title, priority, type, assignee, accept, defer, due, estimate } = texts
  return {
    ...(title === undefined ? {} : { title: parseTitle(title) }),
    ...(priority === undefined ? {} : { priority }),
    ...(type === undefined ? {} : { issue_type: parseType(type) }),
    ...(assignee === undefined ? {} : { assignee: parseName(assignee, me) }),
    ...(accept === undefined ? {} : { acceptance: accept === 'none' ? null : accept }),
    ...(defer === undefined ? {} : { defer_until: parseWhen(defer, now, '--defer') }),
    ...(due === undefined ? {} : { due_at: parseWhen(due, now, '--due') }),
    ...(estimate === undefined ? {} : { estimate_ms: parseEstimate(estimate) }),
  }
}

/** The entries of `--meta k=v`; null for `k=`, which takes an entry away. Exits 2 on what is neither. */
export function parseMeta(entries: readonly string[]): Record<string, string | null> {
  const pairs = entries.map((entry) => {
    const [, name, value] = /^([^=\r\n]+)=(.*)$/s.exec(entry) ?? []
    if (name !== undefined) return [name, value || null] as const
    throw new Failure('usage', `expected --meta to be name=value, got ${JSON.stringify(entry)}`)
  })
  return Object.fromEntries(pairs)
}

/** Refuses a tag or reference that is empty or has more than one line (exit 2); `what` is the word for it. */
export function checkNames(names: readonly string[], what: string): void {
  const wrong = names.find((name) => name.trim() === '' || /[\r\n]/.test(name))
  if (wrong !== undefined) throw new Failure('usage', `expected a ${what} of one line, got ${JSON.stringify(wrong)}`)
}

/** Refuses an empty key (exit 2). */
export function checkKey(key: string | undefined): void {
  if (key === '') throw new Failure('usage', 'expected a key, got an empty one')
}

function parseTitle(title: string): string {
  if (title.trim() !== '' && !/[\r\n]/.test(title)) return title
  throw new Failure('usage', `expected a title of one line, got ${JSON.stringify(title)}`, {
    hint: 'put the rest into the body',
  })
}

function parseType(type: string): string {
  if (isIssueType(type)) return type
  throw new Failure('usage', `expected --type to be a word of a-z, 0-9, - and _, got ${JSON.stringify(type)}`, {
    hint: 'for example bug, feature, task, epic, chore or decision',
  })
}

function parseName(name: string, me: () => string): string | null {
  checkNames([name], 'name of an assignee')
  return name === 'none' ? null : nameMeant(name, me)
}

function parseEstimate(text: string): number | null {
  if (text === 'none') return null
  const length = parseDuration(text)
  if (length !== undefined) return length
  throw new Failure(
    'usage',
    `expected --estimate to be a duration such as 30m, 2h or 3d, or none; got ${JSON.stringify(text)}`,
  )
}
