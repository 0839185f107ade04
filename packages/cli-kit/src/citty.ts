import { type ArgsDef, parseArgs, renderUsage } from 'citty'
import { askedForHelp, bindArgs, modeOf, type Parsed, readFlag } from './parse.ts'
import { globalFlags, type Tokens, tokenise } from './tokens.ts'
import type { ArgSpec, FlagSpec, VerbSpec } from './verb.ts'

// No command line holds a NUL, so a list survives citty, which keeps only the last value of a flag.
const listSeparator = '\0'

/**
 * The parser of verbs whose start-up does not count. Agrees with `parseStrict` on every command line; `disagreements`
 * checks it.
 */
export function parseCitty(argv: readonly string[], spec: VerbSpec): Parsed {
  const tokens = tokenise(argv, spec)
  if (tokens.flags.has('help')) return askedForHelp
  const mode = modeOf(tokens)
  const keys = new Map(Object.keys(spec.flags ?? {}).map((name, at) => [name, `flag${at}`]))
  const parsed = parseArgs(plainArgv(tokens, spec, keys), plainDefs(spec, keys))
  const args = bindArgs(parsed._, spec.args ?? [])
  const flags: Record<string, ReturnType<typeof readFlag>> = {}
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const value = parsed[keys.get(name) ?? '']
    flags[name] = readFlag(name, flag, textsOf(flag, value))
  }
  return { args, flags, mode, help: false }
}

/**
 * Usage of a verb: its arguments, its flags and the ones that every verb takes. What a tool of one verb does has the
 * name ''. citty paints it; the caller strips that.
 */
export function renderVerbUsage(tool: string, version: string, name: string, spec: VerbSpec): Promise<string> {
  const args: ArgsDef = {}
  for (const arg of spec.args ?? [])
    args[shownName(arg)] = { type: 'positional', description: arg.summary, required: !arg.optional }
  for (const [flag, declared] of Object.entries({ ...spec.flags, ...globalFlags })) args[flag] = shownDef(declared)
  const meta = { name: name || tool, version, description: spec.summary }
  return renderUsage({ meta, args }, name === '' ? undefined : { meta: { name: tool, version } })
}

/**
 * The command line with every value joined to its flag and every word behind `--`, so that citty takes no value for a
 * flag. Flags get keys of our own, because citty reads `--no-verify` as the negation of `verify`, and takes `dryRun`
 * and `dry-run` for the same.
 */
function plainArgv({ flags, words }: Tokens, spec: VerbSpec, keys: ReadonlyMap<string, string>): string[] {
  const argv: string[] = []
  for (const [name, texts] of flags) {
    const key = keys.get(name)
    if (key === undefined) continue
    argv.push(spec.flags?.[name]?.type === 'boolean' ? `--${key}` : `--${key}=${texts.join(listSeparator)}`)
  }
  return [...argv, '--', ...words]
}

function plainDefs(spec: VerbSpec, keys: ReadonlyMap<string, string>): ArgsDef {
  const defs: ArgsDef = {}
  for (const [name, key] of keys) defs[key] = { type: spec.flags?.[name]?.type === 'boolean' ? 'boolean' : 'string' }
  return defs
}

function textsOf(flag: FlagSpec, value: unknown): readonly string[] | undefined {
  if (value === true) return ['']
  if (typeof value !== 'string') return undefined
  return flag.type === 'list' ? value.split(listSeparator) : [value]
}

/** In capitals, as citty shows it anyway: an argument and a flag may have the same name. */
function shownName(arg: ArgSpec): string {
  const name = arg.name.toUpperCase()
  return arg.rest ? `${name}...` : name
}

function shownDef(flag: FlagSpec): ArgsDef[string] {
  const alias = flag.short === undefined ? {} : { alias: flag.short }
  if (flag.type === 'boolean') return { type: 'boolean', description: flag.summary, ...alias }
  const preset = !('default' in flag) || flag.default === undefined ? {} : { default: String(flag.default) }
  if (flag.type === 'choice')
    return { type: 'enum', description: flag.summary, options: [...flag.choices], ...alias, ...preset }
  const description = flag.type === 'list' ? `${flag.summary} (may be repeated)` : flag.summary
  return {
    type: 'string',
    description,
    valueHint: flag.type === 'duration' ? 'DURATION' : flag.value,
    ...alias,
    ...preset,
  }
}
