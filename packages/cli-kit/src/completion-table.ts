import type { Tool } from './run.ts'
import { globalFlags } from './tokens.ts'
import type { FlagSpec, Verb } from './verb.ts'

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
export async function completionTable(tool: Tool): Promise<Completable[]> {
  const table: Completable[] = []
  for (const [name, load] of Object.entries(tool.verbs)) {
    table.push(completable(name, await load()))
  }
  for (const [alias, name] of Object.entries(tool.aliases ?? {})) {
    const verb = table.find((entry) => entry.name === name)
    if (verb !== undefined) table.push({ ...verb, name: alias })
  }
  const main = await tool.main?.()
  return [...table, ...builtins, ...(main === undefined ? [] : [completable('', main)])]
}

function completable(name: string, { summary, flags, args = [] }: Verb): Completable {
  return {
    name,
    summary,
    flags: Object.entries({ ...flags, ...globalFlags }).map(completableFlag),
    kinds: args.filter(({ rest }) => !rest).map(({ complete }) => complete ?? ''),
    rest: args.find(({ rest }) => rest)?.complete ?? '',
  }
}

function completableFlag([name, flag]: [string, FlagSpec]): CompletableFlag {
  const choices = flag.type === 'choice' ? flag.choices : []
  const short = 'short' in flag ? { short: flag.short } : {}
  const kind = 'complete' in flag ? flag.complete : ''
  return { name, summary: flag.summary, takesValue: flag.type !== 'boolean', choices, kind, ...short }
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
