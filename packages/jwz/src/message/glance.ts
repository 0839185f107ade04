// Which lines a search need not parse.

import type { TextQuery } from '@switchyard/cli-kit/text-query'
import { type Glance, glimpseOf } from '@switchyard/topic'
import type { Flags } from './filter.ts'

/** The filters that a line's bytes can fail. */
type NamingFlags = Pick<Flags, 'from' | 'to' | 'role' | 'model' | 'tag' | 'match' | 'branch'>

type MayFit = (line: string) => boolean

/**
 * Tells of lines that do not contain what the query and the filters ask for; undefined when every line may. It answers
 * only for plain lines (see `glimpseOf`), in which letters, digits and names stand as they are.
 */
export function glanceFor(query: TextQuery, flags: NamingFlags): Glance | undefined {
  const { from, to, role, model, tag, branch, match } = flags
  const tests = [
    mayMatch(query),
    anyOf(from.map(hasName)),
    ...[to, role, model, branch, ...tag].map((name) => (name === undefined ? undefined : hasName(name))),
    match === undefined ? undefined : hasWords(match),
  ].filter((test) => test !== undefined)
  const mayFit = allOf(tests)
  return mayFit && ((line) => (mayFit(line) ? undefined : glimpseOf(line)))
}

/** Undefined when the query excludes no line. */
function mayMatch(query: TextQuery): MayFit | undefined {
  if (query.kind === 'not') return undefined
  if (query.kind === 'text') return hasWords(query.text)
  const tests = query.of.map(mayMatch)
  return query.kind === 'any' ? anyOf(tests) : allOf(tests.filter((test) => test !== undefined))
}

/** The letters and digits of a text, in any case. What is between them may be escaped, or be other white space. */
function hasWords(text: string): MayFit | undefined {
  const words = new Set(text.toLowerCase().match(/[a-z0-9]+/g))
  return allOf(
    [...words].map((word) => {
      const pattern = new RegExp(
        // Characters beyond ASCII whose lower case has a letter of ASCII in it.
        word.replaceAll('i', '[i\u0130]').replaceAll('k', '[k\u212a]'),
        'i',
      )
      return (line) => pattern.test(line)
    }),
  )
}

/** A whole text, as JSON writes it; undefined when there is more than one way to do so. */
function hasName(name: string): MayFit | undefined {
  const json = JSON.stringify(name)
  return /[\\/]/.test(json) ? undefined : (line) => line.includes(json)
}

function allOf(tests: readonly MayFit[]): MayFit | undefined {
  const [only, second] = tests
  return second ? (line) => tests.every((test) => test(line)) : only
}

function anyOf(tests: readonly (MayFit | undefined)[]): MayFit | undefined {
  const known = tests.filter((test) => test !== undefined)
  const isSure = known.length > 0 && known.length === tests.length
  return isSure ? (line) => known.some((test) => test(line)) : undefined
}
