/**
 * A file as the map sees it: what it defines, how often it says each name, and the words of its imports; undefined
 * where a language finds names in other files without them.
 */
export type MappedFile = {
  path: string
  defines: ReadonlySet<string>
  says: ReadonlyMap<string, number>
  imports: ReadonlySet<string> | undefined
}

/** Names that more files define say nothing about which of them is meant. */
const definersMax = 20

/** How much of its weight a file passes on. */
const damping = 0.85

/** How often that is repeated: then no rank moves by a hundredth of itself. */
const rounds = 40

/** How much of the attention starts at the files in focus; the rest starts anywhere. */
const focusShare = 0.9

type Edge = { from: number; to: number; name: string; weight: number }

/**
 * How much each name that a file defines matters to the others, by file and name: PageRank over who says a name that
 * another defines. With `focus` it starts at those files. The same files give the same ranks.
 */
export function rankNames(
  files: readonly MappedFile[],
  focus: ReadonlySet<string>,
): readonly ReadonlyMap<string, number>[] {
  const edges = edgesBetween(files)
  const outgoing = new Float64Array(files.length)
  for (const { from, weight } of edges) outgoing[from] = (outgoing[from] ?? 0) + weight
  const ranks = rankFiles(files, edges, outgoing, focus)
  const named = files.map(({ defines }) => new Map([...defines].map((name) => [name, 0])))
  for (const { from, to, name, weight } of edges) {
    const names = named[to]
    names?.set(name, (names.get(name) ?? 0) + ((ranks[from] ?? 0) * weight) / (outgoing[from] ?? 1))
  }
  return named
}

function edgesBetween(files: readonly MappedFile[]): readonly Edge[] {
  const definers = new Map<string, number[]>()
  for (const [at, { defines }] of files.entries()) {
    for (const name of defines) {
      const known = definers.get(name)
      if (known === undefined) definers.set(name, [at])
      else known.push(at)
    }
  }
  const stems = files.map(({ path }) => stemOf(path))
  return files.flatMap(({ defines, says, imports }, from) =>
    [...says].flatMap(([name, times]) => {
      const known = definers.get(name) ?? []
      if (known.length === 0 || known.length > definersMax || defines.has(name)) return []
      const to = imports === undefined ? known : meant(known, { name, imports, stems })
      return to.map((definer) => ({ from, to: definer, name, weight: (weightOf(name) * Math.sqrt(times)) / to.length }))
    }),
  )
}

/** The files that a name means: those of its definers that are imported; all where the name itself is; else none. */
function meant(
  definers: readonly number[],
  { name, imports, stems }: { name: string; imports: ReadonlySet<string>; stems: readonly string[] },
): readonly number[] {
  const imported = definers.filter((definer) => imports.has(stems[definer] ?? ''))
  return imported.length > 0 || !imports.has(name) ? imported : definers
}

/** The word by which imports call a file: its name without an ending, or that of its folder. */
function stemOf(path: string): string {
  const [name = '', folder = ''] = path.split('/').reverse()
  const stem = name.replace(/\..*$/, '')
  return ['index', '__init__', 'mod', 'main'].includes(stem) && folder !== '' ? folder : stem
}

/** A long name in several words is meant; a short or private one is often another of the same name. */
function weightOf(name: string): number {
  const isLong = name.length >= 8 && (/[a-z][A-Z]/.test(name) || name.includes('_'))
  const isPrivate = name.startsWith('_') || name.length < 4
  return (isLong ? 10 : 1) * (isPrivate ? 0.1 : 1)
}

function rankFiles(
  files: readonly MappedFile[],
  edges: readonly Edge[],
  outgoing: Float64Array,
  focus: ReadonlySet<string>,
): Float64Array {
  const focused = files.filter(({ path }) => focus.has(path)).length
  const isFocused = focused > 0
  const start = Float64Array.from(files, ({ path }) => {
    const anywhere = (isFocused ? 1 - focusShare : 1) / files.length
    return anywhere + (focus.has(path) ? focusShare / focused : 0)
  })
  let ranks = start
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(files.length)
    let lost = 0
    for (const [at, rank] of ranks.entries()) if ((outgoing[at] ?? 0) === 0) lost += rank
    for (const { from, to, weight } of edges) {
      next[to] = (next[to] ?? 0) + ((ranks[from] ?? 0) * weight) / (outgoing[from] ?? 1)
    }
    ranks = next.map((rank, at) => damping * (rank + lost * (start[at] ?? 0)) + (1 - damping) * (start[at] ?? 0))
  }
  return ranks
}
