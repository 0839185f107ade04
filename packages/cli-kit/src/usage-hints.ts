import { Failure, isFailure } from '@switchyard/ground/failure'
import { nearest } from './nearest.ts'
import { isUnknownFlag, quote, type UnknownFlag } from './tokens.ts'
import type { Tool } from './tool.ts'

/**
 * Adds to what a parser throws for the words behind `verb` what to do about it: what does the same as a flag of other
 * tools, the flag that was probably meant, or where to read on.
 */
export async function withHint(error: unknown, tool: Tool, verb: string): Promise<unknown> {
  if (!isFailure(error) || error.hint !== undefined) return error
  const hint = isUnknownFlag(error) ? await hintFor(error, tool, verb) : undefined
  const help = `see ${`${tool.name} ${verb}`.trimEnd()} --help`
  return new Failure(error.kind, error.message, { hint: hint ?? help, cause: error })
}

async function hintFor({ flag, known }: UnknownFlag, tool: Tool, verb: string): Promise<string | undefined> {
  const otherFlags = (await tool.guide?.())?.otherFlags ?? {}
  const written = flag.length === 1 ? `-${flag}` : `--${flag}`
  const other = [`${verb} ${written}`, written].find((typed) => Object.hasOwn(otherFlags, typed))
  if (other !== undefined) return otherFlags[other]
  const meant = nearest(flag, known)
  return meant === undefined ? undefined : `did you mean --${meant}?`
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
