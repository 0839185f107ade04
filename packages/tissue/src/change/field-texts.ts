// What an issue says of itself, out of the texts that flags and acts give.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { parseWhen } from '@switchyard/cli-kit/moment'
import { Failure } from '@switchyard/ground/failure'
import { nameMeant } from '@switchyard/topic'
import { isIssueType } from '../schema/event.check.ts'
import { type BasicValues, type Field, fieldNames, flagOf, kindOf, type OptionalValues } from '../schema/fields.ts'

/** Fields as they were given, by their flags; undefined is what was not. */
export type FieldTexts = {
  readonly [F in Exclude<(typeof flagOf)[Field], 'body'>]?: (F extends 'priority' ? number : string) | undefined
}

/** Fields as events have them; null takes one away. */
export type FieldValues = Partial<Omit<BasicValues, 'body'>> & {
  readonly [F in keyof OptionalValues]?: OptionalValues[F] | null
}

/**
 * The values of those fields that were given, but the body; `now` is milliseconds since 1970, `me` says who calls.
 * Exits 2 on a text that is no value.
 */
export function parseFields(texts: FieldTexts, now: number, me: () => string): FieldValues {
  const values = fieldNames.flatMap((name) => {
    const flag = flagOf[name]
    const text = flag === 'body' ? undefined : texts[flag]
    return text === undefined ? [] : [[name, typeof text === 'number' ? text : parseField(name, text, now, me)]]
  })
  return Object.fromEntries(values)
}

function parseField(name: Field, text: string, now: number, me: () => string): string | number | null {
  const flag = flagOf[name]
  switch (kindOf(name)) {
    case 'line':
      return parseLine(flag, text)
    case 'word':
      return parseWord(flag, text)
    case 'name':
      return parseName(flag, text, me)
    case 'moment':
      return parseWhen(text, now, `--${flag}`)
    case 'span':
      return parseSpan(flag, text)
    default:
      return text === 'none' ? null : text
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

/** A title cannot be taken away: it may well be `none`. */
function parseLine(flag: string, text: string): string | null {
  const isTitle = flag === flagOf.title
  if (!isTitle && text === 'none') return null
  if (text.trim() !== '' && !/[\r\n]/.test(text)) return text
  throw new Failure('usage', `expected a ${flag} of one line, got ${JSON.stringify(text)}`, {
    ...(isTitle ? { hint: 'put the rest into the body' } : {}),
  })
}

function parseWord(flag: string, text: string): string {
  if (isIssueType(text)) return text
  throw new Failure('usage', `expected --${flag} to be a word of a-z, 0-9, - and _, got ${JSON.stringify(text)}`, {
    hint: 'for example bug, feature, task, epic, chore or decision',
  })
}

function parseName(flag: string, text: string, me: () => string): string | null {
  checkNames([text], `name for --${flag}`)
  return text === 'none' ? null : nameMeant(text, me)
}

function parseSpan(flag: string, text: string): number | null {
  if (text === 'none') return null
  const length = parseDuration(text)
  if (length !== undefined) return length
  throw new Failure(
    'usage',
    `expected --${flag} to be a duration such as 30m, 2h or 3d, or none; got ${JSON.stringify(text)}`,
  )
}
