import { redact } from '../secrets/redact.ts'
import type { Chunk, Span } from '../store/chunk-schema.ts'
import type { ManifestEntry } from '../store/manifest-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readSnapshot, spanBytes } from '../store/read-text.ts'
import { decodeText } from '../walk/measure.ts'
import { type Located, locateQuote } from './locate-quote.ts'
import type { PromptPart } from './prompt.ts'

/** What agents are shown of a chunk, and what of it was held back. */
export type ChunkContent = {
  readonly parts: readonly PromptPart[]
  /** All parts as they are on disk. */
  readonly raw: readonly PromptPart[]
  /** The lines before and behind the chunk, in its first and its last file. */
  readonly around: () => Promise<readonly PromptPart[]>
  /** How many secrets of each kind have a placeholder. */
  readonly secrets: ReadonlyMap<string, number>
  readonly placeholders: ReadonlySet<string>
}

/** The files of a scan by path. */
export type Files = ReadonlyMap<string, ManifestEntry>

const aroundLines = 120
const aroundUnits = 12_000

/**
 * Reads what a chunk consists of, as it was at `init`. Secrets are replaced before anything else sees the text, unless
 * the scan allows them. Fails as `conflict` when a file has changed since.
 */
export async function readContent(open: OpenScan, files: Files, chunk: Chunk): Promise<ChunkContent> {
  const secrets = new Map<string, number>()
  const placeholders = new Set<string>()
  const clean = async (text: string) => {
    if (open.scan.secrets === 'allow') return text
    const { text: kept, found } = await redact(text)
    for (const { rule, placeholder } of found) {
      secrets.set(rule, (secrets.get(rule) ?? 0) + 1)
      placeholders.add(placeholder)
    }
    return kept
  }
  const parts: PromptPart[] = []
  const raw: PromptPart[] = []
  for (const span of chunk.spans) {
    const entry = entryOf(files, span)
    const bytes = spanBytes(readSnapshot(open, entry), span)
    const text = decodeText(bytes, entry.encoding, entry.mark && span.start_byte === 0)
    const place = { path: span.path, first: span.start_line }
    raw.push({ ...place, text })
    parts.push({ ...place, text: await clean(text) })
  }
  return { parts, raw, secrets, placeholders, around: () => besides(open, files, chunk, clean) }
}

/** Where in a chunk a quote stands, nearest to the line where it was said to. */
export function locateIn(parts: readonly PromptPart[], path: string, quote: string, said: number): Located | undefined {
  const found = parts
    .filter((part) => part.path === path)
    .flatMap(({ text, first }) => locateQuote(text.split('\n'), first, quote, said) ?? [])
  return found.toSorted((a, b) => Math.abs(a.line - said) - Math.abs(b.line - said))[0]
}

function entryOf(files: Files, { path }: Span): ManifestEntry {
  const entry = files.get(path)
  if (entry === undefined) throw new Error(`bug: a chunk of ${path}, which is not in the manifest`)
  return entry
}

type Clean = (text: string) => Promise<string>

async function besides(open: OpenScan, files: Files, { spans }: Chunk, clean: Clean): Promise<PromptPart[]> {
  const [first] = spans
  const last = spans.at(-1)
  if (first === undefined || last === undefined) return []
  const before = fitting(
    linesOf(open, files, first)
      .slice(0, first.start_line - 1)
      .reverse(),
  ).reverse()
  const behind = fitting(linesOf(open, files, last).slice(last.end_line))
  const sides = [
    { path: first.path, first: first.start_line - before.length, lines: before },
    { path: last.path, first: last.end_line + 1, lines: behind },
  ]
  const parts: PromptPart[] = []
  for (const { lines, ...part } of sides) {
    if (lines.length > 0) parts.push({ ...part, text: await clean(lines.join('\n')) })
  }
  return parts
}

/** As many of the lines as fit beside a chunk, from the first on. */
function fitting(lines: readonly string[]): string[] {
  let units = 0
  const kept = lines.slice(0, aroundLines)
  const end = kept.findIndex((line) => {
    units += line.length + 1
    return units > aroundUnits
  })
  return end < 0 ? kept : kept.slice(0, end)
}

function linesOf(open: OpenScan, files: Files, span: Span): string[] {
  const entry = entryOf(files, span)
  const text = decodeText(readSnapshot(open, entry), entry.encoding, entry.mark)
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
