import { globalFlags } from './tokens.ts'
import type { ArgSpec, FlagSpec, VerbSpec } from './verb.ts'

type Flags = readonly (readonly [string, FlagSpec])[]

/** Values that have been mistaken for something else by one parser or another. */
const awkwardValues = [
  ...['', ' ', '-', '--', '--help', '-h', '-q', '--no-verify is bad', '-1', '=x', 'a=b', 'two words', 'true', 'false'],
  ...['0', '-0', '007', '1e3', '0x10', '1.5', '99999999999999999999', '5m', '5M', '1.5h', '10 s', '999999999d'],
  ...['line\nline', 'ä\u2028', '\u001b[31m', '__proto__', 'constructor', '$HOME', "it's"],
]

const awkwardFlags = [
  '--quite',
  '--hel',
  '--',
  '---',
  '--=x',
  '-z',
  '--__proto__',
  '--constructor',
  '--toString=x',
  '--help=x',
  '-=x',
]

/**
 * Command lines of one verb, right and wrong, made from its declaration: every flag in every form with every awkward
 * value, every flag beside every other, `verbWords` and flags as values and as arguments, too few and too many
 * arguments.
 */
export function* commandLines(spec: VerbSpec, verbWords: readonly string[]): Generator<readonly string[]> {
  const flags = Object.entries({ ...spec.flags, ...globalFlags })
  const words = (spec.args ?? []).map(plainWord)
  const values = [
    ...awkwardValues,
    ...verbWords,
    ...flags.map(([name]) => `--${name}`),
    ...flags.map(([name]) => `--no-${name}`),
  ]
  yield* argumentLines(words, values)
  for (const [name, flag] of flags) {
    for (const value of [...values, plainValue(flag)]) {
      for (const form of formsOf(name, flag, value)) yield [...words, ...form]
    }
    for (const form of formsOf(name, flag, plainValue(flag))) {
      yield [...form, ...words]
      yield [...form, ...form, ...words]
      yield [...words, ...form, ...form, ...form]
    }
    yield [...words, `--no-${name}`]
    yield [...words, `--${name}`]
    yield [...words, `--${name.slice(0, -1)}`]
  }
  yield* pairs(flags, words)
}

function* argumentLines(words: readonly string[], values: readonly string[]): Generator<readonly string[]> {
  for (let count = 0; count <= words.length; count++) yield words.slice(0, count)
  for (const value of values) {
    yield [value]
    yield ['--', value]
    yield [...words, value]
    yield [...words, '--', value]
    yield ['--', ...words, value]
    yield words.map(() => value)
    yield ['--', ...words.map(() => value)]
  }
  for (const flag of awkwardFlags) {
    yield [flag, ...words]
    yield [...words, flag]
    yield [...words, flag, 'x']
  }
}

function* pairs(flags: Flags, words: readonly string[]): Generator<readonly string[]> {
  for (const [name, flag] of flags) {
    for (const [other, otherFlag] of flags) {
      const first = formsOf(name, flag, plainValue(flag))
      for (const form of formsOf(other, otherFlag, plainValue(otherFlag))) {
        yield [...(first[0] ?? []), ...words, ...form]
        yield [...words, ...(first.at(-1) ?? []), ...form]
      }
      if (flag.short !== undefined && otherFlag.short !== undefined)
        yield [...words, `-${flag.short}${otherFlag.short}`]
      if (flag.short !== undefined && otherFlag.short !== undefined)
        yield [...words, `-${flag.short}${otherFlag.short}`, 'x']
    }
  }
}

function formsOf(name: string, flag: FlagSpec, value: string): string[][] {
  const long =
    flag.type === 'boolean' ? [[`--${name}`], [`--${name}=${value}`]] : [[`--${name}`, value], [`--${name}=${value}`]]
  if (flag.short === undefined) return long
  const short = `-${flag.short}`
  return [...long, [short, value], [`${short}${value}`], [`${short}=${value}`]]
}

function plainWord(arg: ArgSpec): string {
  return `some-${arg.name}`
}

function plainValue(flag: FlagSpec): string {
  if (flag.type === 'integer') return String(flag.max)
  if (flag.type === 'duration') return '90s'
  return flag.type === 'choice' ? (flag.choices.at(-1) ?? '') : 'value'
}
