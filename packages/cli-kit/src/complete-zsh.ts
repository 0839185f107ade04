// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own variables look like ours
import { type Completable, firstWords, groups, inSh, listings, valued, written } from './completion-table.ts'
import type { Candidates } from './tool.ts'

/** The script for zsh. What the tool lists is added as it is, because zsh quotes it. */
export function renderZsh(tool: string, table: readonly Completable[], candidates: Candidates): string {
  const summaryOf = (name: string) => table.find((verb) => verb.name === name)?.summary ?? `${name} ...`
  const verbs = described(firstWords(table).map((name) => [name, summaryOf(name)]))
  return [
    `#compdef ${tool}`,
    `_${tool}() {`,
    '  local -a choices kinds lines values',
    `  local verb=$words[2] at=3 kind='' others='' valued=' ' place=1 i`,
    '  case "$verb" in',
    ...[...groups(table)].map(([group, seconds]) => {
      const choices = described(seconds.map((second) => [second, summaryOf(`${group} ${second}`)]))
      return `    ${inSh(group)}) verb+=" $words[3]" at=4; (( CURRENT == 3 )) && choices=(${choices}) ;;`
    }),
    '  esac',
    `  (( CURRENT == 2 )) && choices=(${verbs})`,
    '  case "$verb" in',
    ...table.map(verbCase),
    '  esac',
    '  for (( i = at; i < CURRENT; i++ )); do',
    '    if [[ $valued == *" $words[i] "* ]]; then (( i++ ))',
    '    elif [[ $words[i] == - || $words[i] != -* ]]; then (( place++ )); fi',
    '  done',
    '  if (( i > CURRENT )); then',
    '    case "$verb $words[CURRENT-1]" in',
    ...table.flatMap(flagCases),
    '    esac',
    '  elif (( CURRENT >= at )) && [[ $PREFIX != -* ]]; then kind=${kinds[place]-$others}; fi',
    '  case "$kind" in',
    ...listings(tool, candidates).map(
      ([kind, command]) => `    ${inSh(kind)}) lines=(\${(f)"$(${command} 2>/dev/null)"}) ;|`,
    ),
    `    ?*) values=(\${lines%%  *}); compadd -d lines -a values ;;`,
    `    *) if (( $#choices )); then _describe ${tool} choices; else _files; fi ;;`,
    '  esac',
    '}',
    `compdef _${tool} ${tool}`,
    '',
  ].join('\n')
}

function verbCase(verb: Completable): string {
  const { name, flags, kinds, rest } = verb
  const shown = described(flags.map((flag) => [`--${flag.name}`, flag.summary]))
  const rests = rest === '' ? '' : ` others=${inSh(rest)}`
  const known = `valued=${inSh(` ${valued(verb).join(' ')} `)} kinds=(${kinds.map(inSh).join(' ')})${rests}`
  const pattern = name === '' ? "*) verb='' at=2" : `${inSh(name)})`
  return `    ${pattern} ${known}; [[ $PREFIX == -* ]] && choices=(${shown}) ;;`
}

function flagCases({ name, flags }: Completable): string[] {
  return flags
    .filter(({ kind, choices }) => kind !== '' || choices.length > 0)
    .map((flag) => {
      const patterns = written(flag).map((form) => inSh(`${name} ${form}`))
      const what = flag.kind === '' ? `choices=(${flag.choices.map(inSh).join(' ')})` : `kind=${inSh(flag.kind)}`
      return `      ${patterns.join(' | ')}) ${what} ;;`
    })
}

function described(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, summary]) => inSh(`${name}:${summary}`)).join(' ')
}
