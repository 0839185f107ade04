// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shells' own variables look like ours
import type { Tool } from './run.ts'
import { globalFlags } from './tokens.ts'
import type { FlagSpec, VerbSpec } from './verb.ts'

/** What a completion script knows of a verb; built-in verbs have no flags of their own. */
export type Completable = {
  name: string
  summary: string
  flags: readonly { name: string; summary: string; short?: string; takesValue: boolean; choices: readonly string[] }[]
}

const builtins: readonly Completable[] = [
  { name: 'help', summary: 'Show what the tool or a verb does', flags: [] },
  { name: 'completion', summary: 'Print a completion script', flags: [] },
  { name: 'schema', summary: 'Print the JSON Schema of a record', flags: [] },
  { name: 'version', summary: 'Print the version', flags: [] },
]

/** Every verb and alias of a tool with its flags; loads them all. What a tool of one verb does stands last, as ''. */
export async function completionTable(tool: Tool): Promise<Completable[]> {
  const table: Completable[] = []
  for (const [name, load] of Object.entries(tool.verbs)) {
    const verb = await load()
    table.push({ name, summary: verb.summary, flags: flagsOf(verb) })
  }
  for (const [alias, name] of Object.entries(tool.aliases ?? {})) {
    const verb = table.find((entry) => entry.name === name)
    if (verb !== undefined) table.push({ ...verb, name: alias })
  }
  table.push(...builtins)
  const main = await tool.main?.()
  if (main !== undefined) table.push({ name: '', summary: main.summary, flags: flagsOf(main) })
  return table
}

/** The script for each shell, from the tool's name and its table. */
export const completions: Readonly<Record<string, (tool: string, table: readonly Completable[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
}

function flagsOf({ flags }: VerbSpec): Completable['flags'] {
  return Object.entries({ ...flags, ...globalFlags }).map(completableFlag)
}

function completableFlag([name, flag]: [string, FlagSpec]): Completable['flags'][number] {
  const choices = flag.type === 'choice' ? flag.choices : []
  const short = flag.short === undefined ? {} : { short: flag.short }
  return { name, summary: flag.summary, takesValue: flag.type !== 'boolean', choices, ...short }
}

function renderBash(tool: string, table: readonly Completable[]): string {
  const lines = [
    `_${tool}() {`,
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD - 1]}" words=""',
  ]
  lines.push('  case "$COMP_CWORD ${COMP_WORDS[1]-} ${COMP_WORDS[2]-}" in')
  const own = table.find(({ name }) => name === '')?.flags.map((flag) => `--${flag.name}`) ?? []
  lines.push(`    '1 '*) words=${inSh([...firstWords(table), ...own].join(' '))} ;;`)
  for (const [group, seconds] of groups(table))
    lines.push(`    ${inSh(`2 ${group} `)}*) words=${inSh(seconds.join(' '))} ;;`)
  for (const { name, flags } of table) {
    const pattern = name === '' ? '' : name.includes(' ') ? inSh(` ${name}`) : inSh(` ${name} `)
    const all = flags.map((flag) => `--${flag.name}`).join(' ')
    const end = name.includes(' ') ? '' : '*'
    lines.push(`    *${pattern}${end})`, '      case "$prev" in')
    for (const { name: flag, short, choices, takesValue } of flags) {
      const shown = short === undefined ? `--${flag}` : `--${flag} | -${short}`
      if (takesValue) lines.push(`        ${shown}) words=${inSh(choices.join(' '))} ;;`)
    }
    lines.push(`        *) [[ $cur == -* ]] && words=${inSh(all)} ;;`, '      esac', '      ;;')
  }
  lines.push(
    '  esac',
    '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")',
    '}',
    `complete -o default -F _${tool} ${tool}`,
    '',
  )
  return lines.join('\n')
}

function renderZsh(tool: string, table: readonly Completable[]): string {
  const summaryOf = (name: string) => table.find((verb) => verb.name === name)?.summary ?? `${name} ...`
  const described = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, summary]) => inSh(`${name}:${summary}`)).join(' ')
  const lines = [
    `#compdef ${tool}`,
    `_${tool}() {`,
    '  local -a choices',
    '  case "$CURRENT ${words[2]} ${words[3]}" in',
  ]
  lines.push(`    '2 '*) choices=(${described(firstWords(table).map((name) => [name, summaryOf(name)]))}) ;;`)
  for (const [group, seconds] of groups(table)) {
    const choices = described(seconds.map((second) => [second, summaryOf(`${group} ${second}`)]))
    lines.push(`    ${inSh(`3 ${group} `)}*) choices=(${choices}) ;;`)
  }
  for (const { name, flags } of table) {
    const pattern = name === '' ? '*' : name.includes(' ') ? `*${inSh(` ${name}`)}` : `*${inSh(` ${name} `)}*`
    const choices = described(flags.map((flag) => [`--${flag.name}`, flag.summary]))
    lines.push(`    ${pattern}) [[ $PREFIX == -* ]] && choices=(${choices}) ;;`)
  }
  lines.push(
    '  esac',
    `  if (( $#choices )); then _describe ${tool} choices; else _files; fi`,
    '}',
    `compdef _${tool} ${tool}`,
    '',
  )
  return lines.join('\n')
}

function renderFish(tool: string, table: readonly Completable[]): string {
  const lines: string[] = []
  for (const name of firstWords(table)) {
    const summary = table.find((verb) => verb.name === name)?.summary ?? ''
    lines.push(`complete -c ${tool} -n __fish_use_subcommand -f -a ${inFish(name)} -d ${inFish(summary)}`)
  }
  for (const { name, summary, flags } of table) {
    const [first = '', second] = name.split(' ')
    const seenFirst = first === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`
    const seen = second === undefined ? seenFirst : `${seenFirst}; and __fish_seen_subcommand_from ${second}`
    if (second !== undefined)
      lines.push(`complete -c ${tool} -n ${inFish(seenFirst)} -f -a ${inFish(second)} -d ${inFish(summary)}`)
    for (const flag of flags) {
      const short = flag.short === undefined ? '' : ` -s ${flag.short}`
      const value = flag.choices.length > 0 ? ` -x -a ${inFish(flag.choices.join(' '))}` : flag.takesValue ? ' -r' : ''
      lines.push(`complete -c ${tool} -n ${inFish(seen)} -l ${flag.name}${short}${value} -d ${inFish(flag.summary)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function firstWords(table: readonly Completable[]): string[] {
  const verbs = table.filter(({ name }) => name !== '').map(({ name }) => name.split(' ')[0] ?? name)
  return [...new Set(verbs)]
}

/** The second words of each first word that has some. */
function groups(table: readonly Completable[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { name } of table) {
    const [first = '', second] = name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second])
  }
  return groups
}

function inSh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function inFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
