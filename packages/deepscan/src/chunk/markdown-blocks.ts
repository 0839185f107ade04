import { type Block, cutAt } from './block.ts'
import { layoutBlock } from './layout-blocks.ts'

type Heading = { at: number; level: number; text: string }

/** Markdown, cut before the headings of the highest level that it has, then of the next, then by its layout. */
export function markdownBlock(text: string, sliceUnits: number): Block {
  return sectionBlock(text, 0, text.length, { headings: headingsOf(text), sliceUnits })
}

type Settings = { headings: readonly Heading[]; sliceUnits: number }

function sectionBlock(text: string, start: number, end: number, settings: Settings): Block {
  const own = settings.headings.find(({ at }) => at === start)
  const parts = () => {
    const inside = settings.headings.filter(({ at }) => at > start && at < end)
    if (inside.length === 0) return [layoutBlock(text, start, end, settings.sliceUnits)]
    const highest = Math.min(...new Set(inside.map(({ level }) => level)))
    const cuts = inside.filter(({ level }) => level === highest).map(({ at }) => at)
    return cutAt(start, end, cuts).map(([from, to]) =>
      sectionBlock(text, from, to, { ...settings, headings: inside.filter(({ at }) => at >= from && at < to) }),
    )
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
