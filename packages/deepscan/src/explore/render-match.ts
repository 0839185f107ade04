import { inRow } from '@switchyard/cli-kit/in-row'
import type { LineSpan } from '../text/line-span.ts'
import type { Match } from './match-schema.ts'

const unitsMax = 1_000

export type Printed = { path: string; line: number }

/**
 * A match as grep prints it, with the lines around it that are not printed yet: `next` is the match behind it in the
 * same file, whose own lines come with it.
 */
export function renderMatch(
  match: Match,
  next: Match | undefined,
  last: Printed | undefined,
  isColored: boolean,
): string {
  const { line, column, before = [], after = [] } = match
  const path = inRow(match.path)
  const first = line - before.length
  const seen = last?.path === match.path ? last.line : 0
  const isApart = match.before !== undefined && last !== undefined && (last.path !== match.path || first > seen + 1)
  const own = `${isColored ? `\u001b[35m${path}\u001b[39m` : path}:${line}:${column}:${lineOf(match, isColored)}`
  const lead = before.flatMap((text, at) => (first + at > seen ? [`${path}-${first + at}-${short(text)}`] : []))
  const until = next === undefined ? Number.POSITIVE_INFINITY : next.line
  const tail = after.flatMap((text, at) => (line + at + 1 < until ? [`${path}-${line + at + 1}-${short(text)}`] : []))
  return [...(isApart ? ['--'] : []), ...lead, own, ...tail].join('\n')
}

/** The last line that `renderMatch` prints of a match. */
export function lastPrinted({ path, line, after = [] }: Match): Printed {
  return { path, line: line + after.length }
}

function lineOf({ text, spans }: Match, isColored: boolean): string {
  if (text.length > unitsMax) return around(text, spans[0] ?? [0, 0])
  return isColored ? painted(text, spans) : text
}

/** The first match of a line that is too long to read, and what stands around it. */
function around(text: string, [start]: LineSpan): string {
  const from = Math.max(0, start - unitsMax / 5)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + unitsMax)}… (${text.length} characters)`
}

function short(text: string): string {
  return text.length > unitsMax ? around(text, [0, 0]) : text
}

function painted(text: string, spans: readonly LineSpan[]): string {
  let from = 0
  let line = ''
  for (const [start, end] of spans) {
    line += `${text.slice(from, start)}\u001b[31m${text.slice(start, end)}\u001b[39m`
    from = end
  }
  return line + text.slice(from)
}
