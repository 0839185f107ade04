import { type Block, cutAt } from './block.ts'
import { layoutBlock } from './layout-blocks.ts'

type Heading = { at: number; level: number; text: string }

/** Markdown, cut before the headings of the highest level that it has, then of the next, then by its layout. */
export function markdownBlock(text: string, sliceUnits: number): Block {
  const headings = headingsOf(text)
  return sectionBlock(text, 0, text.length, { headings, from: 0, to: headings.length, sliceUnits })
}

/** The headings of a text, and which of them a section has: from the `from`th to before the `to`th. */
type Outline = { headings: readonly Heading[]; from: number; to: number; sliceUnits: number }

function sectionBlock(text: string, start: number, end: number, outline: Outline): Block {
  const { headings, from, to, sliceUnits } = outline
  const own = headings[from]?.at === start && from < to ? headings[from] : undefined
  const parts = () => {
    const first = own === undefined ? from : from + 1
    const inside = headings.slice(first, to)
    if (inside.length === 0) return [layoutBlock(text, start, end, sliceUnits)]
    const highest = inside.reduce((level, heading) => Math.min(level, heading.level), inside[0]?.level ?? 1)
    const cuts = inside.flatMap(({ level }, index) => (level === highest ? [first + index] : []))
    const places = cuts.map((index) => headings[index]?.at ?? end)
    return cutAt(start, end, places).map(([pieceStart, pieceEnd], index) => {
      const own = { from: cuts[index - 1] ?? from, to: cuts[index] ?? to }
      return sectionBlock(text, pieceStart, pieceEnd, { ...outline, ...own })
    })
  }
  return { start, end, by: 'text', parts, scope: () => own?.text }
}

const line = /^(?:(#{1,6})[ \t].*|[ \t]*(```+|~~~+).*)$/gm

/** The headings outside of fenced code. */
function headingsOf(text: string): readonly Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  for (const { 0: whole, 1: marks, 2: opened, index } of text.matchAll(line)) {
    if (opened !== undefined) {
      if (fence === undefined) fence = opened
      else if (opened.startsWith(fence)) fence = undefined
    } else if (fence === undefined && marks !== undefined)
      headings.push({ at: index, level: marks.length, text: whole.trim() })
  }
  return headings
}
