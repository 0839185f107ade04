import { isFailure } from '@switchyard/ground/failure'
import { parseStrict } from './parse.ts'
import { globalFlags } from './tokens.ts'
import type { VerbSpec } from './verb.ts'

/** What is wrong with a table of verbs, one sentence each; a tool's test expects none. */
export function verbFaults(verbs: Readonly<Record<string, VerbSpec>>): string[] {
  return Object.entries(verbs).flatMap(([name, spec]) => faultsOf(spec).map((fault) => `${name}: ${fault}`))
}

function faultsOf(spec: VerbSpec): string[] {
  const faults = [...flagFaults(spec), ...argFaults(spec)]
  const bare = complaintAbout(
    (spec.args ?? []).map((arg) => arg.name),
    spec,
  )
  if (bare !== undefined) faults.push(`its own arguments do not parse: ${bare}`)
  if (spec.examples.length === 0) faults.push('it has no example')
  return [...new Set(faults)]
}

function flagFaults({ flags = {} }: VerbSpec): string[] {
  const faults: string[] = []
  for (const name of Object.keys(flags)) {
    if (Object.hasOwn(globalFlags, name)) faults.push(`--${name} is every verb's own flag`)
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) faults.push(`--${name} is not in kebab-case`)
  }
  const letters = Object.values({ ...flags, ...globalFlags }).flatMap((flag) => ('short' in flag ? [flag.short] : []))
  const shared = Object.values(flags).flatMap((flag) => ('bare' in flag && flag.bare !== undefined ? [flag.short] : []))
  // The letter of a flag that is another one without a value is that one's letter, too.
  const shorts = letters.filter((letter, at) => !(shared.includes(letter) && letters.lastIndexOf(letter) === at))
  for (const short of shorts) {
    if (short === undefined || !/^[A-Za-z]$/.test(short)) faults.push(`-${short} is not one letter`)
    if (shorts.indexOf(short) !== shorts.lastIndexOf(short)) faults.push(`-${short} stands for two flags`)
  }
  return faults
}

function argFaults({ args = [] }: VerbSpec): string[] {
  return args.flatMap((arg, at) => {
    const next = args[at + 1]
    if (next === undefined) return []
    return [
      ...(arg.rest ? [`<${arg.name}> takes the rest, but <${next.name}> follows`] : []),
      ...(arg.optional && !next.optional ? [`<${arg.name}> is optional, but <${next.name}> follows`] : []),
    ]
  })
}

/** What the parser says against a command line; any other error is a bug, and passes through. */
function complaintAbout(argv: readonly string[], spec: VerbSpec): string | undefined {
  try {
    parseStrict(argv, spec)
    return undefined
  } catch (error) {
    if (!isFailure(error)) throw error
    return `${error.kind}: ${error.message}`
  }
}
