import type { Finding } from '../finding/finding.ts'
import { numberIdentities } from '../finding/fingerprint.ts'
import { type Category, categories } from '../finding/severity.ts'
import type { AnsweredFinding } from './answer-schema.ts'
import { type ChunkContent, type Files, locateIn } from './chunk-content.ts'

/** By whom a chunk was looked at, and under which result its findings stand. */
export type Author = { readonly agent: string; readonly type: string; readonly chunk: string; readonly result: string }

/** How many of the quotes stand in the chunk, as the agent was shown it. */
export function countLocated(findings: readonly AnsweredFinding[], { parts }: Pick<ChunkContent, 'parts'>): number {
  return findings.filter(({ path, quote, line }) => locateIn(parts, path, quote, line) !== undefined).length
}

/**
 * An agent's findings as records. A quote that stands in the chunk gets its true place and the text there; another stays
 * as it was said, for `verify` to judge. No secret gets into a record: of a quote with a placeholder the longest piece
 * without one is kept.
 */
export function findingsOf(
  answered: readonly AnsweredFinding[],
  content: Pick<ChunkContent, 'raw' | 'placeholders'>,
  author: Author,
  files: Files,
): Finding[] {
  const idOf = numberIdentities()
  return answered.map((said) => {
    const quote = withoutPlaceholders(said.quote, content.placeholders)
    const located = locateIn(content.raw, said.path, quote, said.line)
    const rule = `agent/${author.type}`
    const place = located === undefined ? asSaid(said, quote) : placeOf(located)
    return {
      ...{ v: 1, type: 'finding', id: idOf({ rule, path: said.path, symbol: said.title.toLowerCase(), quote }), rule },
      ...{
        title: said.title,
        severity: said.severity,
        confidence: said.confidence,
        category: categoryOf(said, author),
      },
      path: said.path,
      ...place,
      ...{ message: said.message || said.title, fixable: false, language: files.get(said.path)?.language ?? 'text' },
      ...{ analyser: 'agent', agent: author.agent, chunk: author.chunk, result: author.result },
      verification_required: said.verification_required,
    }
  })
}

type Place = Pick<Finding, 'line' | 'column' | 'end_line' | 'end_column' | 'quote'>

function placeOf({ line, column, endLine, endColumn, text }: NonNullable<ReturnType<typeof locateIn>>): Place {
  return { line, column, end_line: endLine, end_column: endColumn, quote: text }
}

function asSaid({ line, end_line }: AnsweredFinding, quote: string): Place {
  const lines = quote.split('\n')
  const endLine = Math.max(line, end_line ?? line + lines.length - 1)
  return { line, column: 1, end_line: endLine, end_column: (lines.at(-1) ?? '').length + 1, quote }
}

function categoryOf({ category }: AnsweredFinding, { type }: Author): Category {
  const said = category?.toLowerCase()
  return categories.find((known) => known === said) ?? categories.find((known) => known === type) ?? 'correctness'
}

function withoutPlaceholders(quote: string, placeholders: ReadonlySet<string>): string {
  let pieces = [quote]
  for (const placeholder of placeholders) pieces = pieces.flatMap((piece) => piece.split(placeholder))
  return pieces.reduce((longest, piece) => (piece.trim().length > longest.trim().length ? piece : longest), '').trim()
}
