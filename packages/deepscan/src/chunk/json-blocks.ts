import { type Block, cutAt } from './block.ts'
import { layoutBlock } from './layout-blocks.ts'

/** How deep members are looked for. Deeper ones are cut by their lines. */
const depthMax = 40

/** JSON, cut after the commas between the members of the outermost list or object that has more than one, and so on. */
export function jsonBlock(text: string, start: number, end: number, sliceUnits: number): Block {
  const parts = () => {
    const cuts = outermostCommas(text, start, end).map((comma) => afterLine(text, comma + 1, end))
    const pieces = cutAt(start, end, cuts)
    if (pieces.length < 2) return [layoutBlock(text, start, end, sliceUnits)]
    return pieces.map(([from, to]) => jsonBlock(text, from, to, sliceUnits))
  }
  return { start, end, by: 'text', parts }
}

/** The commas at the least depth that has any inside the stretch, but for those at its end. */
function outermostCommas(text: string, start: number, end: number): readonly number[] {
  const byDepth: number[][] = []
  let depth = 0
  const signs = /["[\]{},]/g
  signs.lastIndex = start
  for (let found = signs.exec(text); found !== null && found.index < end; found = signs.exec(text)) {
    const [sign] = found
    if (sign === '"') signs.lastIndex = endOfString(text, found.index)
    else if (sign === '[' || sign === '{') depth++
    else if (sign !== ',') depth = Math.max(depth - 1, 0)
    else if (depth <= depthMax) pushAt(byDepth, depth, found.index)
  }
  const isLast = (comma: number) => text.slice(comma + 1, end).trim() === ''
  return (
    byDepth
      .map((commas) => (commas ?? []).filter((comma, at) => at < commas.length - 1 || !isLast(comma)))
      .find((commas) => commas.length > 0) ?? []
  )
}

function pushAt(lists: number[][], at: number, value: number): void {
  for (let missing = lists.length; missing <= at; missing++) lists.push([])
  lists[at]?.push(value)
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** Past the rest of a line that holds nothing more. */
function afterLine(text: string, at: number, end: number): number {
  let next = at
  while (next < end && ' \t\r'.includes(text[next] ?? '')) next++
  return text[next] === '\n' && next < end ? next + 1 : at
}
