import { Failure } from '@switchyard/ground/failure'
import { searchLines } from '../explore/line-search.ts'
import { renderTree } from '../explore/render-tree.ts'
import { buildTree, firstNodes } from '../explore/tree.ts'
import type { PatternMaker } from '../text/line-pattern.ts'
import { numberOr, textOf } from './arguments.ts'
import type { Reading } from './reading.ts'

/** What code in the isolate may call, by name, with its arguments as JSON has them. */
export type Helpers = ReadonlyMap<string, (given: readonly unknown[]) => unknown>

const peekMax = 50_000
const peekDefault = 3_000
const contextMax = 50_000_000
const loadMax = 5_000_000
const chunkDefault = 150_000

/** The helpers that read. `late` says that the time is over, between two files. */
export function readingHelpers(reading: Reading, makePattern: PatternMaker, late: () => boolean): Helpers {
  const context = once(() => joined(reading))
  const slice = (from: number, to: number) => context().slice(from, to).slice(0, peekMax)
  const found = (paths: readonly string[], given: readonly unknown[]) =>
    find(reading, paths, { given, makePattern, late })
  return new Map<string, (given: readonly unknown[]) => unknown>([
    ['peek', ([start, end]) => peek(context(), numberOr(start, 0), end)],
    ['peek_head', ([n]) => slice(0, numberOr(n, peekDefault))],
    ['peek_tail', ([n]) => slice(-Math.min(numberOr(n, peekDefault), peekMax), context().length)],
    ['grep', (given) => found(reading.paths, given)],
    ['grep_file', ([pattern, path, ...rest]) => found([textOf(path, 'a path')], [pattern, ...rest])],
    ['context_length', () => context().length],
    [
      'chunk_indices',
      ([size, overlap]) => indices(context().length, numberOr(size, chunkDefault), numberOr(overlap, 0)),
    ],
    ['list_files', () => reading.paths],
    ['load_file', ([path]) => load(reading, textOf(path, 'a path'))],
    ['get_tree_view', () => treeOf(reading, '', 3, 50)],
    [
      'preview_dir',
      ([path, depth, files]) => treeOf(reading, textOf(path, 'a folder'), numberOr(depth, 2), numberOr(files, 30)),
    ],
  ])
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** All files as one text, each below a line with its path. */
function joined({ paths, text }: Reading): string {
  const parts: string[] = []
  let length = 0
  for (const path of paths) {
    const part = `=== ${path} ===\n${text(path)}\n`
    length += part.length
    if (length > contextMax) {
      throw new Failure(
        'limit',
        `the files have more than ${contextMax} characters; use grep(), grep_file() and load_file()`,
      )
    }
    parts.push(part)
  }
  return parts.join('')
}

function peek(context: string, start: number, end: unknown): string {
  const from = start < 0 ? Math.max(0, context.length + start) : start
  return context.slice(from, numberOr(end, from + peekDefault)).slice(0, peekMax)
}

function load({ text }: Reading, path: string): string {
  const whole = text(path)
  if (whole.length <= loadMax) return whole
  throw new Failure('limit', `${path} has more than ${loadMax} characters; use grep_file()`)
}

function indices(length: number, size: number, overlap: number): [number, number][] {
  if (size < 1 || overlap < 0 || overlap >= size) {
    throw new Failure('usage', `expected a size above its overlap, got ${size} and ${overlap}`)
  }
  const count = Math.ceil(Math.max(0, length - overlap) / (size - overlap))
  return Array.from({ length: count }, (_, at) => [
    at * (size - overlap),
    Math.min(length, at * (size - overlap) + size),
  ])
}

type Finding = { path: string; line: number; column: number; match: string; snippet: string }
type Search = { given: readonly unknown[]; makePattern: PatternMaker; late: () => boolean }

/** The first matches, with so many characters of their line on both sides. */
function find(reading: Reading, paths: readonly string[], { given, makePattern, late }: Search): Finding[] {
  const [max, window] = [numberOr(given[1], 20), numberOr(given[2], 100)]
  const pattern = makePattern(textOf(given[0], 'a pattern'), { ignoreCase: false, word: false, fixed: false })
  const found: Finding[] = []
  for (const path of paths) {
    if (late()) throw new Failure('waitTimeout', 'the time is over')
    for (const { line, text, spans } of searchLines(
      [{ bytes: Buffer.from(reading.text(path)), isLast: true }],
      pattern,
      0,
    )) {
      for (const [start, end] of spans) {
        if (found.length >= max) return found
        const snippet = text.slice(Math.max(0, start - window), end + window)
        found.push({ path, line, column: start + 1, match: text.slice(start, end), snippet })
      }
    }
  }
  return found
}

function treeOf({ paths, text }: Reading, below: string, depth: number, limit: number): string {
  const lead = below === '' || below === '.' ? '' : `${below.replace(/\/+$/, '')}/`
  const inside = paths.filter((path) => path.startsWith(lead))
  if (inside.length === 0) throw new Failure('notFound', `there is no folder ${JSON.stringify(below)} with files in it`)
  const leaves = inside.map((path) => ({
    path: path.slice(lead.length),
    bytes: Buffer.byteLength(text(path)),
    tokens: 0,
  }))
  const root = buildTree(leaves, Math.max(1, depth))
  return renderTree(root, lead === '' ? './' : lead, firstNodes(root, Math.max(0, limit)), false)
}
