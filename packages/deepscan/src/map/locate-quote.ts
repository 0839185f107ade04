/** Where a quote stands in a text: lines from 1, columns in UTF-16 units from 1, the end exclusive; `text` is what stands there. */
export type Located = {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly text: string
}

/**
 * The place of a quote nearest to the line where it was said to stand. Space at the edges of its lines does not count.
 * Undefined when the text does not have it. `first` is the number of the text's first line.
 */
export function locateQuote(lines: readonly string[], first: number, quote: string, said: number): Located | undefined {
  const wanted = quote.split('\n').map((line) => line.trim())
  while (wanted[0] === '') wanted.shift()
  while (wanted.at(-1) === '') wanted.pop()
  let best: Located | undefined
  for (let at = 0; at + wanted.length <= lines.length && wanted.length > 0; at++) {
    const found = placeAt(lines, at, wanted)
    if (found === undefined) continue
    const located = { ...found, line: found.line + first, endLine: found.endLine + first }
    if (best === undefined || Math.abs(located.line - said) < Math.abs(best.line - said)) best = located
  }
  return best
}

/** The first line may begin and the last one end within a line of the text; those between are whole. */
function placeAt(lines: readonly string[], at: number, wanted: readonly string[]): Located | undefined {
  const [head = ''] = wanted
  const tail = wanted.at(-1) ?? ''
  const start = lines[at] ?? ''
  if (wanted.length === 1) {
    const column = start.indexOf(head)
    if (column < 0) return undefined
    return { line: at, column: column + 1, endLine: at, endColumn: column + 1 + head.length, text: head }
  }
  const last = at + wanted.length - 1
  const end = lines[last] ?? ''
  const inner = wanted.slice(1, -1)
  const isThere =
    start.trimEnd().endsWith(head) &&
    end.trimStart().startsWith(tail) &&
    inner.every((line, index) => lines[at + 1 + index]?.trim() === line)
  if (!isThere) return undefined
  const column = start.trimEnd().length - head.length
  const endColumn = end.length - end.trimStart().length + tail.length
  const text = [start.slice(column), ...lines.slice(at + 1, last), end.slice(0, endColumn)].join('\n')
  return { line: at, column: column + 1, endLine: last, endColumn: endColumn + 1, text }
}
