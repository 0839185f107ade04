import { Failure } from '@switchyard/ground/failure'
import type { FlagSpec, VerbSpec } from './verb.ts'

/** Flags that every verb takes without declaring them. */
export const globalFlags = {
  json: { type: 'boolean', summary: 'Print one JSON document' },
  jsonl: { type: 'boolean', summary: 'Print one JSON object a line' },
  quiet: { type: 'boolean', summary: 'Print ids only', short: 'q' },
  help: { type: 'boolean', summary: 'Show this help', short: 'h' },
} as const satisfies Record<string, FlagSpec>

/** A command line taken apart: the texts given to each flag in order ('' for a boolean), and the other words. */
export type Tokens = { flags: ReadonlyMap<string, readonly string[]>; words: readonly string[] }

type Table = Readonly<Record<string, FlagSpec>>

/**
 * The failure for a flag that the verb does not have; it carries what a suggestion needs, because making one is not
 * for hot files.
 */
export class UnknownFlag extends Failure {
  readonly flag: string
  readonly known: readonly string[]

  constructor(shown: string, table: Table) {
    super('usage', `expected a flag that exists, got ${quote(shown)}`)
    this.flag = shown.replace(/^-+/, '')
    this.known = Object.keys(table)
  }
}

/** Recognises it by its fields, as `isFailure` does and for the same reason. */
export function isUnknownFlag(error: unknown): error is UnknownFlag {
  return error instanceof Error && 'flag' in error && 'known' in error
}

/** What a message shows of a value: on one line, quoted, and not all of a long one. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/**
 * The one place that knows how a command line is written: `--flag value`, `--flag=value`, `-m value`, `-mvalue`,
 * `-qx`, and `--`, after which all words are arguments. The word after a flag that takes a value is its value,
 * whatever it looks like. Throws `usage` for a flag that is unknown, lacks its value, has one it does not take, or is
 * given twice without being a list.
 */
export function tokenise(argv: readonly string[], spec: VerbSpec): Tokens {
  const table: Table = { ...spec.flags, ...globalFlags }
  const flags = new Map<string, string[]>()
  const words: string[] = []
  const queue = [...argv]

  const give = (name: string, shown: string, attached: string | undefined) => {
    const flag = table[name]
    const takesValue = flag?.type !== 'boolean'
    if (!takesValue && attached !== undefined)
      throw new Failure('usage', `expected no value for ${shown}, got ${quote(attached)}`)
    const value = takesValue ? (attached ?? queue.shift()) : ''
    if (value === undefined) throw new Failure('usage', `expected a value after ${shown}, got nothing`)
    const given = flags.get(name) ?? []
    if (given.length > 0 && flag?.type !== 'list') throw new Failure('usage', `expected --${name} once, got it twice`)
    flags.set(name, [...given, value])
  }

  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--') return { flags, words: words.concat(queue) }
    if (word === '-' || !word.startsWith('-')) words.push(word)
    else if (word.startsWith('--')) giveLong(word, table, give)
    else giveShort(word, queue[0], table, give)
  }
  return { flags, words }
}

type Give = (name: string, shown: string, attached: string | undefined) => void

function giveLong(word: string, table: Table, give: Give): void {
  const equals = word.indexOf('=')
  const name = word.slice(2, equals < 0 ? undefined : equals)
  if (!Object.hasOwn(table, name)) throw new UnknownFlag(`--${name}`, table)
  give(name, `--${name}`, equals < 0 ? undefined : word.slice(equals + 1))
}

/**
 * Letters of boolean flags may share one dash; the first that takes a value takes the rest of the word, or the `next`
 * one. The letter of a flag that has a `bare` one stands for that where neither is there.
 */
function giveShort(word: string, next: string | undefined, table: Table, give: Give): void {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]
    const name = Object.keys(table).find((candidate) => table[candidate]?.short === letter)
    if (name === undefined) throw new UnknownFlag(at === 1 ? word : `-${letter}`, table)
    const rest = word.slice(at + 1)
    // Is '=x' or 'x' meant? Either guess would store a wrong value without a word.
    if (rest.startsWith('='))
      throw new Failure('usage', `expected -${letter} VALUE or --${name}=VALUE, got ${quote(word)}`)
    const flag = table[name]
    const bare = flag?.type === 'string' && rest === '' && /^-./.test(next ?? '--') ? flag.bare : undefined
    give(bare ?? name, `-${letter}`, flag?.type === 'boolean' || rest === '' ? undefined : rest)
    if (flag?.type !== 'boolean') return
  }
}
