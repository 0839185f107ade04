import type { ParserPool } from '../syntax/parser-process.ts'
import type { Hunk } from '../walk/hunks.ts'
import { gatherSymbols, namesIn, type Source, type SourceSymbols } from './gather-symbols.ts'

/** When more names than this have changed, everything calls them. */
const namesMax = 2_000

/**
 * The functions and classes in which something that has changed is called, by path: their first and last lines. `read`
 * gives the sources of the tree, each time anew; a file that cannot be parsed calls nothing.
 */
export async function findCallers(
  read: () => Iterable<Source>,
  hunks: ReadonlyMap<string, readonly Hunk[]>,
  parser: ParserPool,
): Promise<ReadonlyMap<string, readonly Hunk[]>> {
  const means = { parser, lose: () => undefined }
  const changed = new Set<string>()
  for await (const symbols of gatherSymbols(
    matching(read(), ({ path }) => hunks.has(path)),
    means,
  )) {
    for (const hunk of hunks.get(symbols.path) ?? []) {
      for (const { name } of innermost(symbols, hunk)) changed.add(name)
    }
  }
  const callers = new Map<string, readonly Hunk[]>()
  if (changed.size === 0 || changed.size > namesMax) return callers
  const mentioning = matching(read(), ({ text }) => [...namesIn(text).keys()].some((name) => changed.has(name)))
  for await (const symbols of gatherSymbols(mentioning, { ...means, calls: [...changed] })) {
    const lines = symbols.calls.map((line) => around(symbols, line))
    if (lines.length > 0) callers.set(symbols.path, inOrder(lines))
  }
  return callers
}

function* matching<T>(values: Iterable<T>, isWanted: (value: T) => boolean): Generator<T> {
  for (const value of values) if (isWanted(value)) yield value
}

/** The definitions that share lines with a stretch, and hold none that does, too. */
function innermost({ definitions }: SourceSymbols, [first, last]: Hunk): SourceSymbols['definitions'] {
  const touched = definitions.filter(({ line, end_line }) => line <= last && end_line >= first)
  return touched.filter(
    (outer) => !touched.some((inner) => inner !== outer && inner.start >= outer.start && inner.end <= outer.end),
  )
}

/** The lines of the definition that a line stands in; the line alone outside of any. */
function around(symbols: SourceSymbols, line: number): Hunk {
  const [definition] = innermost(symbols, [line, line])
  return definition === undefined ? [line, line] : [definition.line, definition.end_line]
}

/** Stretches by their place, each once. */
function inOrder(lines: readonly Hunk[]): readonly Hunk[] {
  const once = new Map(lines.map((stretch) => [stretch.join('-'), stretch]))
  return [...once.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1])
}
