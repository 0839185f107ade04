import type { Finding } from '../finding/finding.ts'
import { type Import, importsOf } from './imports.ts'
import { type Source, startFindings } from './place.ts'

/** Files that import each other in a circle: one finding a circle, the shortest through its first file. */
export function findImportCycles(sources: readonly Source[]): readonly Finding[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const paths = new Set(byPath.keys())
  const imports = new Map(sources.map((source) => [source.path, importsOf(source, paths)]))
  const make = startFindings()
  const told = new Set<string>()
  return [...byPath.keys()].sort().flatMap((path): Finding[] => {
    if (told.has(path)) return []
    const circle = shortestCircle(path, imports)
    const source = byPath.get(path)
    const first = imports.get(path)?.find(({ target }) => target === circle?.[1])
    if (circle === undefined || source === undefined || first === undefined) return []
    for (const member of circle) told.add(member)
    return [
      make(source, first.start, first.end, {
        ...{
          rule: 'arch/import-cycle',
          title: 'Files import each other in a circle',
          severity: 'low',
          confidence: 'high',
        },
        message: `${circle.join(' imports ')}. Which is loaded first decides what the other sees; move what both need to a file of its own.`,
      }),
    ]
  })
}

/** The shortest way from a file back to itself, with the file at both ends. */
function shortestCircle(start: string, imports: ReadonlyMap<string, readonly Import[]>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>()
  const open = [start]
  for (const path of open) {
    for (const { target } of imports.get(path) ?? []) {
      if (target === start) return wayTo(path, start, cameFrom)
      if (cameFrom.has(target)) continue
      cameFrom.set(target, path)
      open.push(target)
    }
  }
  return undefined
}

function wayTo(last: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [start]
  for (let at: string | undefined = last; at !== undefined && at !== start; at = cameFrom.get(at)) way.unshift(at)
  return [start, ...way]
}
