import { listedFlags } from './listed-flags.ts'
import { globalFlags } from './tokens.ts'
import type { Candidates, Tool } from './tool.ts'
import type { ArgSpec, FlagSpec, Verb } from './verb.ts'

type CompletableFlag = {
  name: string
  summary: string
  short?: string
  takesValue: boolean
  choices: readonly string[]
  kind: string
}

/**
 * What a completion script knows of a verb. `kinds` are those of its arguments in order, '' where nothing is known, and
 * `rest` is that of all that follow.
 */
export type Completable = {
  name: string
  summary: string
  flags: readonly CompletableFlag[]
  kinds: readonly string[]
  rest: string
}

const builtins: readonly Completable[] = [
  { name: 'help', summary: 'Show what the tool or a verb does', flags: [], kinds: [], rest: '' },
  { name: 'completion', summary: 'Print a completion script', flags: [], kinds: [], rest: '' },
  { name: 'schema', summary: 'Print the JSON Schema of a record', flags: [], kinds: [], rest: '' },
  { name: 'version', summary: 'Print the version', flags: [], kinds: [], rest: '' },
]

/**
 * Every verb and alias of a tool with its flags and arguments; loads them all. What a tool of one verb does stands
 * last, as ''.
 */
export async function completionTable(tool: Tool, candidates: Candidates = {}): Promise<Completable[]> {
  const table: Completable[] = []
  for (const [name, load] of Object.entries(tool.verbs)) {
    table.push(completable(name, await load(), candidates))
  }
  for (const [alias, name] of Object.entries(tool.aliases ?? {})) {
    const verb = table.find((entry) => entry.name === name)
    if (verb !== undefined) table.push({ ...verb, name: alias })
  }
  const main = await tool.main?.()
  return [...table, ...builtins, ...(main === undefined ? [] : [completable('', main, candidates)])]
}

function completable(name: string, verb: Verb, candidates: Candidates): Completable {
  const { summary, args = [] } = verb
  const kindOf = ({ name, complete = kindOfName(name, candidates) }: ArgSpec) => complete
  const rest = args.find((arg) => arg.rest)
  return {
    name,
    summary,
    flags: [...listedFlags(verb), ...Object.entries(globalFlags)].map((entry) => completableFlag(entry, candidates)),
    kinds: args.filter((arg) => !arg.rest).map(kindOf),
    rest: rest === undefined ? '' : kindOf(rest),
  }
}

function completableFlag([name, flag]: [string, FlagSpec], candidates: Candidates): CompletableFlag {
  const choices = flag.type === 'choice' ? flag.choices : []
  const short = 'short' in flag ? { short: flag.short } : {}
  const placeholder = 'value' in flag ? kindOfName(flag.value.toLowerCase(), candidates) : ''
  const kind = 'complete' in flag ? (flag.complete ?? placeholder) : placeholder
  return { name, summary: flag.summary, takesValue: flag.type !== 'boolean', choices, kind, ...short }
}

function kindOfName(name: string, candidates: Candidates): string {
  return Object.hasOwn(candidates, name) ? name : ''
}

/** The command by which bash and zsh get the candidates of each kind. */
export function listings(tool: string, candidates: Candidates): [kind: string, command: string][] {
  return Object.entries(candidates).map(([kind, source]) => {
    const command = 'words' in source ? ['printf', '%s\\n', ...source.words] : ['command', tool, ...source.run]
    return [kind, command.map((word, place) => (place === 0 ? word : inSh(word))).join(' ')]
  })
}

/** What may stand in a verb's place: whole verbs, and the first words of those that have two. */
export function firstWords(table: readonly Completable[]): string[] {
  const verbs = table.filter(({ name }) => name !== '').map(({ name }) => name.split(' ')[0] ?? name)
  return [...new Set(verbs)]
}

/** The second words of each first word that has some. */
export function groups(table: readonly Completable[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { name } of table) {
    const [first = '', second] = name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second])
  }
  return groups
}

/** The flags of a verb that take a value, as they are written: `--limit`, `-t`. */
export function valued({ flags }: Completable): string[] {
  return flags.filter(({ takesValue }) => takesValue).flatMap(written)
}

/** How a flag is written, in each of its forms. */
export function written({ name, short }: CompletableFlag): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
}

/** A text as one word of bash and zsh. */
export function inSh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
