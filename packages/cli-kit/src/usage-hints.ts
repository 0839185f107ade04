import { Failure, isFailure } from '@switchyard/ground/failure'
import { nearest } from './nearest.ts'
import { isUnknownFlag, quote } from './tokens.ts'
import type { Tool } from './tool.ts'

/** Adds to what a parser throws what to do about it: the flag that was probably meant, or where to read on. */
export function withHint(error: unknown, helpCommand: string): unknown {
  if (!isFailure(error) || error.hint !== undefined) return error
  const meant = isUnknownFlag(error) ? nearest(error.flag, error.known) : undefined
  const hint = meant === undefined ? `see ${helpCommand}` : `did you mean --${meant}?`
  return new Failure(error.kind, error.message, { hint, cause: error })
}

/** The failure for words that name no verb. */
export async function unknownVerb(tool: Tool, words: readonly string[]): Promise<Failure> {
  const [first = '', second = ''] = words
  const otherWords = (await tool.guide?.())?.otherWords ?? {}
  const other = [`${first} ${second}`, first].find((typed) => Object.hasOwn(otherWords, typed))
  if (other !== undefined) {
    const hint = `did you mean ${tool.name} ${otherWords[other]}?`
    return new Failure('usage', `expected a verb, got ${quote(other)}`, { hint })
  }
  const group = Object.keys(tool.verbs).filter((name) => name.startsWith(`${first} `))
  if (group.length > 0) {
    const got = second === '' ? first : `${first} ${second}`
    const seconds = group.map((name) => name.slice(first.length + 1))
    const meant = second === '' ? undefined : nearest(second, seconds)
    const hint =
      meant === undefined ? `see ${tool.name} ${first} --help` : `did you mean ${tool.name} ${first} ${meant}?`
    return new Failure('usage', `expected ${group.join(' or ')}, got ${quote(got)}`, { hint })
  }
  const names = [
    ...Object.keys(tool.verbs),
    ...Object.keys(tool.verbs).map((name) => name.replace(/ .*/, '')),
    ...Object.keys(tool.aliases ?? {}),
    'help',
    'completion',
    'schema',
    'version',
  ]
  const meant = nearest(first, names)
  const hint = meant === undefined ? `see ${tool.name} help` : `did you mean ${tool.name} ${meant}?`
  return new Failure('usage', `expected a verb, got ${quote(first)}`, { hint })
}
