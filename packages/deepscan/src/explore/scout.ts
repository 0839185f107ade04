import type { ManifestEntry } from '../store/manifest-schema.ts'
import { addEntry, startSummary } from '../store/summary.ts'
import type { Scout } from './scout-schema.ts'

type Sums = { files: number; lines: number; bytes: number; tokens: number }

/** What is seen of a tree in one pass; memory grows with its files' paths only where they change or are large. */
export type Survey = Omit<Scout, 'v' | 'type' | 'path' | 'prices'>

const listed = 10
const chunkBytes = 150_000
/** What a prompt says besides the code of its chunk. */
const promptTokens = 1_500
const wholeChunksMax = 3
const mapTokensMax = 3_000_000

/** Surveys the files of a walk; `commits` says how often each was changed, `below` its path from what was asked for. */
export async function survey(
  entries: AsyncIterable<ManifestEntry>,
  commits: ReadonlyMap<string, number>,
  below: (path: string) => string,
): Promise<Survey> {
  const summary = startSummary()
  const folders = new Map<string, Sums>()
  let largest: Scout['largest'] = []
  let hot: Scout['hot_spots'] = []
  const changed: Scout['changed'] = []
  for await (const entry of entries) {
    addEntry(summary, entry)
    const { path, skip, kind, bytes, lines, tokens } = entry
    if (skip !== null) continue
    const changes = commits.get(path) ?? 0
    addTo(folders, topFolder(below(path)), { files: 1, lines, bytes, tokens })
    largest = kept([...largest, { path, lines, tokens }], (one) => one.tokens)
    if (changes > 0) changed.push({ path, commits: changes })
    if (changes > 1 && kind === 'source') hot = kept([...hot, { path, commits: changes, tokens }], heatOf)
  }
  const { files, bytes, lines, tokens } = summary
  const chunks = Math.ceil(bytes / chunkBytes)
  return {
    ...{ files, lines, bytes, tokens, left_out: Object.fromEntries(summary.skipped), largest, hot_spots: hot },
    ...{ languages: byTokens(summary.languages), kinds: byTokens(summary.kinds), folders: byTokens(folders) },
    ...{ changed: kept(changed, (one) => one.commits), chunks, input_tokens: tokens + chunks * promptTokens },
    strategy: chunks <= wholeChunksMax ? 'whole' : tokens <= mapTokensMax ? 'map' : 'narrow',
  }
}

function heatOf({ commits, tokens }: { commits: number; tokens: number }): number {
  return commits * tokens
}

function kept<T extends { path: string }>(all: readonly T[], weight: (one: T) => number): T[] {
  return [...all].sort((a, b) => weight(b) - weight(a) || (a.path < b.path ? -1 : 1)).slice(0, listed)
}

function topFolder(path: string): string {
  const slash = path.indexOf('/')
  return slash < 0 ? '.' : path.slice(0, slash + 1)
}

function addTo(all: Map<string, Sums>, name: string, added: Sums): void {
  const { files, lines, bytes, tokens } = all.get(name) ?? { files: 0, lines: 0, bytes: 0, tokens: 0 }
  all.set(name, {
    files: files + added.files,
    lines: lines + added.lines,
    bytes: bytes + added.bytes,
    tokens: tokens + added.tokens,
  })
}

function byTokens(sums: ReadonlyMap<string, Sums>) {
  const all = [...sums].map(([name, { files, lines, bytes, tokens }]) => ({ name, files, lines, bytes, tokens }))
  return all.sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1))
}
