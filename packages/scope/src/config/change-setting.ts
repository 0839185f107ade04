// The settings with one of them changed, before anybody has checked them.
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { configSchema } from './config-schema.ts'
import { hint } from './setting.ts'

/**
 * The raw settings with one changed. A value is JSON where it is any, such as a number, and else a text; `true`, `null`
 * or a number is a text too where the setting is one. Exits 3 on what can be no name.
 */
export function withSetting(raw: unknown, name: string, text: string): unknown {
  if (!/^[a-z][\w-]*(?:\.[a-z][\w-]*){0,3}$/i.test(name))
    throw new Failure('notFound', `there is no setting ${name}`, { hint })
  const value = parseJson(text)
  const [asText, asJson] = [text, value].map((one) => changed(raw, name.split('.'), one))
  if (value === undefined) return asText
  const isWord = value === null || typeof value !== 'object'
  const isText = isWord && !configSchema.safeParse(asJson).success && configSchema.safeParse(asText).success
  return isText ? asText : asJson
}

/** The raw settings without one, or without a whole group. */
export const withoutSetting = (raw: unknown, name: string): unknown => changed(raw, name.split('.'), undefined)

function changed(raw: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const before = isPlainObject(raw) ? raw : {}
  const below = rest.length === 0 ? value : changed(Object.hasOwn(before, key) ? before[key] : undefined, rest, value)
  const isEmpty =
    below === undefined || (value === undefined && isPlainObject(below) && Object.keys(below).length === 0)
  const others = Object.entries(before).filter(([name]) => name !== key)
  return Object.fromEntries(isEmpty ? others : [...others, [key, below]])
}
