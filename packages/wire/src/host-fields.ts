import { isPlainObject } from '@switchyard/ground/plain-object'
// Looking into what a host has sent: JSON that may be anything. Nothing here throws; what is not as expected is missing

export type Fields = Readonly<Record<string, unknown>>

/** The value as an object of fields; one without any when it is something else. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {}
}

/** A text that says something. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A text that can be a path. */
export function pathIn(fields: Fields, name: string): string | undefined {
  const text = textIn(fields, name)
  return text?.includes('\0') ? undefined : text
}

/** The elements of a list that are objects. */
export function listIn(fields: Fields, name: string): Fields[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

/** The elements of a list that are texts. */
export function textsIn(fields: Fields, name: string): string[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

/** The first of the words that the field may be; undefined when it is none of them. */
export function wordIn<W extends string>(fields: Fields, name: string, words: readonly W[]): W | undefined {
  const value = textIn(fields, name)
  return words.find((word) => word === value)
}
