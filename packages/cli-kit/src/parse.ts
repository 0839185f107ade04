import { Failure } from '@switchyard/ground/failure'
import type { OutputMode } from './context.ts'
import { parseDuration } from './duration.ts'
import { quote, type Tokens, tokenise } from './tokens.ts'
import type { ArgSpec, FlagSpec, VerbSpec } from './verb.ts'

type FlagValue = boolean | string | number | readonly string[] | undefined
type ArgValue = string | readonly string[] | undefined

/** A command line understood. With `help` nothing else has been checked. */
export type Parsed = {
  args: Readonly<Record<string, ArgValue>>
  flags: Readonly<Record<string, FlagValue>>
  mode: OutputMode
  help: boolean
}

/** What `--help` comes to: it wins over all that is missing or too much beside it. */
const askedForHelp: Parsed = { args: {}, flags: {}, mode: 'text', help: true }

/** Reads the command line of a verb: no dependency, and every failure is `usage`. */
export function parseStrict(argv: readonly string[], spec: VerbSpec): Parsed {
  const tokens = tokenise(argv, spec)
  if (tokens.flags.has('help')) return askedForHelp
  const mode = modeOf(tokens)
  const args = bindArgs(tokens.words, spec.args ?? [])
  const flags: Record<string, FlagValue> = {}
  for (const [name, flag] of Object.entries(spec.flags ?? {}))
    flags[name] = readFlag(name, flag, tokens.flags.get(name))
  return { args, flags, mode, help: false }
}

/** The output mode asked for; two at once are a contradiction. */
function modeOf(tokens: Tokens): OutputMode {
  const asked = (['json', 'jsonl', 'quiet'] as const).filter((mode) => tokens.flags.has(mode))
  if (asked.length > 1) throw new Failure('usage', `expected one output mode, got --${asked.join(' and --')}`)
  return asked[0] ?? 'text'
}

/** Gives words to the declared arguments in order; each is taken as it is. */
function bindArgs(words: readonly string[], specs: readonly ArgSpec[]): Parsed['args'] {
  const args: Record<string, ArgValue> = {}
  let at = 0
  for (const spec of specs) {
    if (at >= words.length && !spec.optional) throw new Failure('usage', `expected <${spec.name}>, got nothing`)
    args[spec.name] = spec.rest ? words.slice(at) : words[at]
    at = spec.rest ? words.length : at + 1
  }
  const extra = words[at]
  if (extra === undefined) return args
  const last = specs.at(-1)
  const place = last === undefined ? 'no argument' : `nothing after <${last.name}>`
  throw new Failure('usage', `expected ${place}, got ${quote(extra)}`, { hint: 'quote a value that has spaces' })
}

/** The value of a flag from the texts it was given, or its default. */
function readFlag(name: string, flag: FlagSpec, texts: readonly string[] | undefined): FlagValue {
  if (flag.type === 'boolean') return texts !== undefined
  if (flag.type === 'list') return texts ?? []
  if (flag.type === 'integer') return texts?.[0] === undefined ? flag.default : readInteger(name, flag, texts[0])
  const text = texts?.[0] ?? flag.default
  if (text === undefined || flag.type === 'string') return text
  if (flag.type === 'duration') return readDuration(name, text)
  if (flag.choices.includes(text)) return text
  throw new Failure('usage', `expected --${name} to be ${flag.choices.join(' or ')}, got ${quote(text)}`)
}

function readInteger(name: string, { min, max }: { min: number; max: number }, text: string): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  // A sum rather than the value, because '-0' is a zero like any other.
  if (value >= min && value <= max) return value + 0
  throw new Failure('usage', `expected --${name} to be a whole number from ${min} to ${max}, got ${quote(text)}`)
}

function readDuration(name: string, text: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined) return milliseconds
  throw new Failure('usage', `expected --${name} to be a duration such as 500ms, 30s, 5m, 2h or 1d, got ${quote(text)}`)
}
