import type { Finding } from '../finding/finding.ts'
import { indexLines, type LineColumn } from '../text/source-text.ts'

/** The files that findings are held against: their texts, or nothing for a path that there is no file at. */
export type Evidence = { textOf: (path: string) => string | undefined; paths: () => Iterable<string> }

/** Fewer letters and digits than this name no place of their own when they are looked for elsewhere. */
const tellingMin = 12

/** Findings whose quote is not in their file, which are looked for in all others; those beyond are ghosts at once. */
const strayMax = 500

/**
 * Says of each finding whether its quote stands where it says: `verified`; elsewhere (`moved`, and the finding comes
 * with its true place); nowhere (`ghost`); or that it quotes nothing that could be looked up (`unverified`). What
 * was refuted stays so.
 */
export function verifyFindings(findings: readonly Finding[], evidence: Evidence): Finding[] {
  const read = remember(evidence.textOf)
  const verified = findings.map((finding) => verifyInFile(finding, read(finding.path)))
  const strays = verified.filter(({ verification, quote }) => verification === 'ghost' && isTelling(quote))
  const moved = findStrays(strays.slice(0, strayMax), evidence)
  return verified.map((finding) => moved.get(finding) ?? finding)
}

type Placed = { text: string; placeOf: (offset: number) => LineColumn }

/** Keeps the last file only: findings come by path, and a tree may be larger than memory. */
function remember(textOf: Evidence['textOf']): (path: string) => Placed | undefined {
  let last: { path: string; placed: Placed | undefined } | undefined
  return (path) => {
    if (last?.path === path) return last.placed
    const text = textOf(path)
    last = { path, placed: text === undefined ? undefined : { text, placeOf: indexLines(text) } }
    return last.placed
  }
}

function verifyInFile(finding: Finding, file: Placed | undefined): Finding {
  if (finding.verification === 'refuted') return finding
  if (file === undefined) return { ...finding, verification: 'ghost' }
  if (!/[\p{L}\p{N}]/u.test(finding.quote)) {
    const isInside = finding.line <= file.placeOf(file.text.length).line
    return { ...finding, verification: isInside ? 'unverified' : 'ghost' }
  }
  const found = nearestPlace(file, finding)
  if (found === undefined) return { ...finding, verification: 'ghost' }
  return placedAt(finding, file, found, found.from.line === finding.line ? 'verified' : 'moved')
}

type Found = { start: number; end: number; from: LineColumn }

function placedAt(
  finding: Finding,
  file: Placed,
  { start, end, from }: Found,
  verification: 'verified' | 'moved',
): Finding {
  const to = file.placeOf(end)
  const place = { line: from.line, column: from.column, end_line: to.line, end_column: to.column }
  return { ...finding, ...place, quote: file.text.slice(start, end), verification }
}

/** The place of the quote nearest to the one that the finding names: as it is, else with other spaces. */
function nearestPlace(file: Placed, { quote, line, column }: Finding): Found | undefined {
  const distance = ({ from }: Found) => Math.abs(from.line - line) * 1e6 + Math.abs(from.column - column)
  const places = placesOf(file, quote)
  return places.reduce<Found | undefined>((best, found) => {
    return best === undefined || distance(found) < distance(best) ? found : best
  }, undefined)
}

/** Places beyond these are not looked at: the quote tells no place then. */
const placesMax = 10_000

function placesOf(file: Placed, quote: string): Found[] {
  const exact: Found[] = []
  const add = (start: number, end: number) => exact.push({ start, end, from: file.placeOf(start) })
  for (
    let at = file.text.indexOf(quote);
    at !== -1 && exact.length < placesMax;
    at = file.text.indexOf(quote, at + 1)
  ) {
    add(at, at + quote.length)
  }
  if (exact.length > 0) return exact
  const words = quote.trim().split(/\s+/)
  const pattern = new RegExp(words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'gu')
  for (const match of file.text.matchAll(pattern)) {
    if (exact.length >= placesMax) break
    add(match.index, match.index + match[0].length)
  }
  return exact
}

function isTelling(quote: string): boolean {
  return (quote.match(/[\p{L}\p{N}]/gu) ?? []).length >= tellingMin
}

/** Findings whose quote stands in one other file alone: that file was renamed, or their path was wrong. */
function findStrays(strays: readonly Finding[], evidence: Evidence): ReadonlyMap<Finding, Finding> {
  const moved = new Map<Finding, Finding | 'several'>()
  if (strays.length === 0) return new Map()
  for (const path of evidence.paths()) {
    const text = evidence.textOf(path)
    if (text === undefined) continue
    for (const stray of strays) {
      if (stray.path === path || !text.includes(stray.quote)) continue
      const file = { text, placeOf: indexLines(text) }
      const found = nearestPlace(file, stray)
      if (found === undefined) continue
      moved.set(stray, moved.has(stray) ? 'several' : { ...placedAt(stray, file, found, 'moved'), path })
    }
  }
  return new Map([...moved].filter((entry): entry is [Finding, Finding] => entry[1] !== 'several'))
}
