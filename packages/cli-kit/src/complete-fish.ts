import { type Completable, firstWords } from './completion-table.ts'
import type { Candidates } from './tool.ts'

/** The script for fish. An argument is completed with what any argument of its verb may be. */
export function renderFish(tool: string, table: readonly Completable[], candidates: Candidates): string {
  const lines: string[] = []
  const listed = (kind: string) => {
    const source = candidates[kind]
    if (source === undefined) return undefined
    if ('words' in source) return inFish(source.words.map(inFish).join(' '))
    // Behind a tab fish takes the rest of a line for its description.
    return inFish(`(${[tool, ...source.run].map(inFish).join(' ')} 2>/dev/null | string replace -r '  +' \\t)`)
  }
  for (const name of firstWords(table)) {
    const summary = table.find((verb) => verb.name === name)?.summary ?? ''
    lines.push(`complete -c ${tool} -n __fish_use_subcommand -f -a ${inFish(name)} -d ${inFish(summary)}`)
  }
  for (const { name, summary, flags, kinds, rest } of table) {
    const [first = '', second] = name.split(' ')
    const seenFirst = first === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`
    const seen = second === undefined ? seenFirst : `${seenFirst}; and __fish_seen_subcommand_from ${second}`
    if (second !== undefined)
      lines.push(`complete -c ${tool} -n ${inFish(seenFirst)} -f -a ${inFish(second)} -d ${inFish(summary)}`)
    for (const kind of new Set([...kinds, rest])) {
      const values = listed(kind)
      if (values !== undefined) lines.push(`complete -c ${tool} -n ${inFish(seen)} -f -a ${values}`)
    }
    for (const flag of flags) {
      const short = flag.short === undefined ? '' : ` -s ${flag.short}`
      const values = flag.choices.length > 0 ? inFish(flag.choices.join(' ')) : listed(flag.kind)
      const value = values !== undefined ? ` -x -a ${values}` : flag.takesValue ? ' -r' : ''
      lines.push(`complete -c ${tool} -n ${inFish(seen)} -l ${flag.name}${short}${value} -d ${inFish(flag.summary)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function inFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
