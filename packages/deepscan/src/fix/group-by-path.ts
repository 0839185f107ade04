import type { Wanted } from '../finding/finding.ts'

/** Findings by their files, in the order in which the files first come. */
export function groupByPath(wanted: readonly Wanted[]): readonly (readonly [Wanted, ...Wanted[]])[] {
  const groups = new Map<string, [Wanted, ...Wanted[]]>()
  for (const one of wanted) {
    const group = groups.get(one.path)
    if (group === undefined) groups.set(one.path, [one])
    else group.push(one)
  }
  return [...groups.values()]
}
