// Requests of clients are read leniently: what is not there, or of another type, is empty.

import { isPlainObject } from '@switchyard/ground/plain-object'

export type Fields = { readonly [name: string]: unknown }

export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {}
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The text of a content that is a text, or a list of parts of which those with a text count. */
export function contentText(value: unknown): string {
  if (typeof value === 'string') return value
  return listOf(value)
    .map(({ text, content }) => textOf(text) || contentText(content))
    .filter((text) => text !== '')
    .join('\n')
}

/** What follows the last element that `isEnd` is true of. */
export function after<Element>(list: readonly Element[], isEnd: (element: Element) => boolean): readonly Element[] {
  return list.slice(list.findLastIndex(isEnd) + 1)
}
