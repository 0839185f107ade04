// Floors inside a package: a folder imports from the folders below it, so that who reads it knows what it may know of.
import { type Complaint, isProduct, type Source } from './source.ts'

const floorsIn = (text: string) => text.trim().split(/\s+/)

/**
 * The folders of each package, the highest first; `.` is `src` itself, and `entry` the files there that put a tool
 * together. A package of one folder has no row.
 */
const floors: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'cli-kit': 'terminal .',
    topic: 'examine .',
    wire: 'settings .',
    guard: '. rules packs scene shell verdict',
    jwz: `entry commands doctor migrate import export export/html export/markdown exported render lease consumer message
      store text`,
    tissue: `entry commands board doctor migrate export import session bus view query render change store cache compact
      ready issue graph log cache-file schema text`,
    loop: `entry commands render doctor trust hook status trace notify anchor by-hand by-hook by-runner work recover land
      review worktree install plugin config programs record state caller text`,
    deepscan: `entry commands map report reduce fix linters scan analysis rules rules/javascript rules/python rules/go rules/bash
      rule exec explore chunk store walk finding syntax secrets tokens text errors .`,
    scope: `entry commands doctor gc dashboard render stats replay trajectory hook install workflow loop end start worktree tmux
       rubric session agents config .`,
    relay: 'entry commands .',
  }).map(([name, text]) => [name, floorsIn(text)]),
)

const entryFiles = new Set(['cli.ts', 'verbs.ts', 'verb-guide.ts', 'schemas.ts', 'candidates.ts'])

/** The folder of a file below `src`: where it is, by its path from there. */
function floorOf(path: string, hasEntry: boolean): string {
  const at = path.lastIndexOf('/')
  if (at >= 0) return path.slice(0, at)
  return hasEntry && entryFiles.has(path) ? 'entry' : '.'
}

/** Imports that go up, and folders that have no floor. */
export function floorComplaints(source: Source): Complaint[] {
  if (!isProduct(source)) return []
  const [, from = '', path = ''] = /^packages\/([^/]+)\/src\/(.+)$/.exec(source.path) ?? []
  const order = floors.get(from)
  if (order === undefined) {
    const isNested = path.includes('/')
    return isNested ? [`${source.path}: give the folders of ${from} their floors in tests/tidy/floors.ts`] : []
  }
  const floor = floorOf(path, order.includes('entry'))
  if (!order.includes(floor)) return [`${source.path}: ${floor} has no floor: give it one in tests/tidy/floors.ts`]
  return importsWithin(source.text, path).flatMap((imported) => {
    const other = floorOf(imported, order.includes('entry'))
    if (other === floor || order.indexOf(other) > order.indexOf(floor)) return []
    return [
      `${source.path}: imports ${imported}: ${other} stands above ${floor} (tests/tidy/floors.ts); move one of them, or pass in what is needed`,
    ]
  })
}

/** The files of the same package that a file imports, by their paths below `src`; types and lazy imports too. */
function importsWithin(text: string, path: string): string[] {
  const folder = path.split('/').slice(0, -1)
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) => {
    const steps = [...folder]
    for (const step of specifier.split('/')) {
      if (step === '..') steps.pop()
      else if (step !== '.') steps.push(step)
    }
    return steps.join('/')
  })
}

/** Files that import each other in a circle, each circle once, by its files. */
export function circleComplaints(sources: readonly Source[]): Complaint[] {
  const arrows = new Map<string, string[]>()
  for (const source of sources.filter(isProduct)) {
    const [, root = '', path = ''] = /^(packages\/[^/]+\/src\/)(.+)$/.exec(source.path) ?? []
    arrows.set(
      source.path,
      importsWithin(source.text, path).map((imported) => root + imported),
    )
  }
  const reachable = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const open = [...(arrows.get(from) ?? [])]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      open.push(...(arrows.get(file) ?? []))
    }
    return seen
  }
  const reach = new Map([...arrows.keys()].map((file) => [file, reachable(file)]))
  const circles = new Set<string>()
  for (const [file, others] of reach) {
    if (!others.has(file)) continue
    circles.add(
      [...others]
        .filter((other) => reach.get(other)?.has(file))
        .sort()
        .join(', '),
    )
  }
  return [...circles].map(
    (circle) => `${circle}: import each other in a circle: move what both need to a file of its own`,
  )
}
