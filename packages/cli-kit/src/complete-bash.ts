// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own variables look like ours
import { type Completable, firstWords, groups, inSh, listings, valued, written } from './completion-table.ts'
import type { Candidates } from './tool.ts'

/**
 * The script for bash. What the tool lists is compared and quoted by hand: `compgen -W` would expand it like code, and
 * names come from everywhere.
 */
export function renderBash(tool: string, table: readonly Completable[], candidates: Candidates): string {
  return [
    `_${tool}_candidates() {`,
    '  case "$1" in',
    ...listings(tool, candidates).map(([kind, command]) => `    ${inSh(kind)}) ${command} ;;`),
    '  esac 2>/dev/null',
    '}',
    `_${tool}() {`,
    ...reassembly,
    `  local verb="\${words[1]-}" at=2 list='' flags='' valued=' ' kinds=() others='' kind='' place=0`,
    `  if ((count == 2)); then list=${inSh(firstWords(table).join(' '))}; fi`,
    '  case "$verb" in',
    ...[...groups(table)].map(
      ([group, seconds]) =>
        `    ${inSh(group)}) verb+=" \${words[2]-}" at=3; if ((count == 3)); then list=${inSh(seconds.join(' '))}; fi ;;`,
    ),
    '  esac',
    '  case "$verb" in',
    ...table.map(verbCase),
    '  esac',
    ...placing,
    '  case "$verb $prev" in',
    ...table.flatMap(flagCases),
    '  esac',
    '  fi',
    ...replying(tool),
    '}',
    `complete -o default -F _${tool} ${tool}`,
    '',
  ].join('\n')
}

/** Bash splits words at colons, too; those between which no space stood belong together. */
const reassembly = [
  '  local words=() word cur prev count i rest="${COMP_LINE-}"',
  '  for ((i = 0; i <= COMP_CWORD; i++)); do',
  '    word="${COMP_WORDS[i]}"',
  '    if ((i > 0)) && [[ -n $rest && $rest != [[:space:]]* ]]; then words[-1]+="$word"; else words+=("$word"); fi',
  '    rest="${rest#"${rest%%[![:space:]]*}"}"',
  '    rest="${rest#"$word"}"',
  '  done',
  '  count=${#words[@]} cur="${words[-1]}" prev="${words[-2]-}"',
]

/** Counts the arguments before the word, and whether the word is a flag's value. */
const placing = [
  '  for ((i = at; i < count - 1; i++)); do',
  '    word="${words[i]}"',
  '    if [[ $valued == *" $word "* ]]; then ((i++)); elif [[ $word == - || $word != -* ]]; then ((place++)); fi',
  '  done',
  '  if [[ $cur == --*=* ]]; then prev="${cur%%=*}" cur="${cur#*=}" i=$count; fi',
  '  if ((count <= at && i != count)); then :',
  '  elif ((i != count)); then',
  '    if [[ $cur == -* ]]; then list="$flags"; else kind="${kinds[place]-$others}"; fi',
  '  else',
]

function verbCase(verb: Completable): string {
  const { name, flags, kinds, rest } = verb
  const names = inSh(flags.map((flag) => `--${flag.name}`).join(' '))
  const rests = rest === '' ? '' : ` others=${inSh(rest)}`
  const pattern = name === '' ? "*) verb='' at=1" : `${inSh(name)})`
  return `    ${pattern} flags=${names} valued=${inSh(` ${valued(verb).join(' ')} `)} kinds=(${kinds.map(inSh).join(' ')})${rests} ;;`
}

function flagCases({ name, flags }: Completable): string[] {
  return flags
    .filter(({ kind, choices }) => kind !== '' || choices.length > 0)
    .map((flag) => {
      const patterns = written(flag).map((form) => inSh(`${name} ${form}`))
      const what = flag.kind === '' ? `list=${inSh(flag.choices.join(' '))}` : `kind=${inSh(flag.kind)}`
      return `    ${patterns.join(' | ')}) ${what} ;;`
    })
}

/** What has been found, from the last colon on, because that is what bash takes for the word. */
function replying(tool: string): string[] {
  return [
    '  local found=() skipped=""',
    '  if [[ -n $list ]]; then mapfile -t found < <(compgen -W "$list" -- "$cur"); fi',
    '  if [[ -n $kind ]]; then',
    '    while IFS= read -r word; do',
    '      word="${word%%  *}"',
    '      if [[ $word == "$cur"* ]]; then found+=("$word"); fi',
    `    done < <(_${tool}_candidates "$kind")`,
    '  fi',
    '  if [[ $cur == *:* && ${COMP_WORDBREAKS-} == *:* ]]; then skipped="${cur%"${cur##*:}"}"; fi',
    '  COMPREPLY=()',
    '  for word in "${found[@]}"; do COMPREPLY+=("$(printf %q "${word#"$skipped"}")"); done',
  ]
}
