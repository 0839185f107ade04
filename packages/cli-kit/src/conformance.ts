import { parseCitty } from './citty.ts'
import { commandLines } from './corpus.ts'
import { isFailure } from './failure.ts'
import { type Parsed, parseStrict } from './parse.ts'
import { globalFlags } from './tokens.ts'
import type { VerbSpec } from './verb.ts'

/**
 * What is wrong with a table of verbs, one sentence each; a tool's test expects none. Runs a corpus made from the
 * declarations through the parser of hot verbs and through citty, which must agree on every value and every failure,
 * and checks the declarations themselves. With a `stride` only one command line in so many is tried.
 */
export async function disagreements(
  verbs: Readonly<Record<string, VerbSpec>>,
  { stride = 1 }: { stride?: number } = {},
): Promise<string[]> {
  const verbWords = Object.keys(verbs).flatMap((name) => name.split(' '))
  const faults: string[] = []
  let count = 0
  for (const [name, spec] of Object.entries(verbs)) {
    faults.push(...declarationFaults(spec).map((fault) => `${name}: ${fault}`))
    for (const argv of commandLines(spec, verbWords)) {
      count += 1
      if (count % stride !== 0) continue
      const [strict, citty] = [outcome(parseStrict, argv, spec), outcome(parseCitty, argv, spec)]
      if (strict !== citty)
        faults.push(`${name}: ${JSON.stringify(argv)} is ${strict} to the strict parser, ${citty} to citty`)
    }
  }
  return faults
}

/**
 * What a parser makes of a command line, as one text that can be compared. Anything but a value or a failure is a bug
 * and passes through.
 */
export function outcome(
  parse: (argv: readonly string[], spec: VerbSpec) => Parsed,
  argv: readonly string[],
  spec: VerbSpec,
): string {
  try {
    return JSON.stringify(parse(argv, spec), (_, value: unknown) => (value === undefined ? 'nothing' : value))
  } catch (error) {
    if (!isFailure(error)) throw error
    return `${error.kind}: ${error.message}`
  }
}

function declarationFaults(spec: VerbSpec): string[] {
  const faults: string[] = []
  const names = Object.keys(spec.flags ?? {})
  for (const name of names) {
    if (Object.hasOwn(globalFlags, name)) faults.push(`--${name} is every verb's own flag`)
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) faults.push(`--${name} is not in kebab-case`)
  }
  const shorts = Object.values({ ...spec.flags, ...globalFlags }).flatMap((flag) =>
    'short' in flag ? [flag.short] : [],
  )
  for (const short of shorts) {
    if (short === undefined || !/^[A-Za-z]$/.test(short)) faults.push(`-${short} is not one letter`)
    if (shorts.indexOf(short) !== shorts.lastIndexOf(short)) faults.push(`-${short} stands for two flags`)
  }
  const args = spec.args ?? []
  args.forEach((arg, at) => {
    const next = args[at + 1]
    if (arg.rest && next !== undefined) faults.push(`<${arg.name}> takes the rest, but <${next.name}> follows`)
    if (arg.optional && next !== undefined && !next.optional)
      faults.push(`<${arg.name}> is optional, but <${next.name}> follows`)
  })
  const bare = outcome(
    parseStrict,
    args.map((arg) => arg.name),
    spec,
  )
  if (bare.startsWith('usage')) faults.push(`its own arguments do not parse: ${bare}`)
  if (spec.examples.length === 0) faults.push('it has no example')
  return [...new Set(faults)]
}
