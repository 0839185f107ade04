// What decides whether work is good: commands that must pass, and criteria that an agent judges. Nothing in such a text
// is passed over: what cannot be read is a fault, because a gate that nobody runs would let anything through.

/** A rubric. `nice` and `notes` are told to the judge and decide nothing. */
export type Rubric = {
  readonly gates: readonly string[]
  readonly criteria: readonly string[]
  readonly nice: readonly string[]
  readonly notes: string
}

/** A rubric as it was read, and what in it cannot be understood, a sentence each. */
export type Reading = { readonly rubric: Rubric; readonly faults: readonly string[] }

type Section = 'gates' | 'criteria' | 'nice' | 'notes'

const sectionOf = new Map<string, Section>([
  ['gates', 'gates'],
  ['criteria', 'criteria'],
  ['nice to have', 'nice'],
  ['nice-to-have', 'nice'],
  ['notes', 'notes'],
])

/** A line with its number, from 1. */
type Line = { readonly text: string; readonly number: number }

/** Reads a rubric. One without a gate and without a criterion has a fault, as nothing in it decides. */
export function parseRubric(text: string): Reading {
  const faults: string[] = []
  const sections = sectionsOf(text, faults)
  const rubric: Rubric = {
    gates: gatesIn(sections.get('gates') ?? [], faults),
    criteria: itemsIn(sections.get('criteria') ?? []),
    nice: itemsIn(sections.get('nice') ?? []),
    notes: (sections.get('notes') ?? [])
      .map((line) => line.text)
      .join('\n')
      .trim(),
  }
  if (rubric.gates.length === 0 && rubric.criteria.length === 0) {
    faults.push('there is neither a gate (under "## Gates") nor a criterion (under "## Criteria"): nothing decides')
  }
  return { rubric, faults }
}

const heading = /^##[ \t]+(.*?)[ \t]*#*[ \t]*$/
const fence = /^([ \t]*)(`{3,}|~{3,})[^`]*$/

/** The lines below each heading. A heading that is none of ours is a fault, and so is text before the first. */
function sectionsOf(text: string, faults: string[]): ReadonlyMap<Section, Line[]> {
  const sections = new Map<Section, Line[]>()
  let current: Section | undefined
  let open: string | undefined
  for (const [at, raw] of text.split('\n').entries()) {
    const line = { text: raw.endsWith('\r') ? raw.slice(0, -1) : raw, number: at + 1 }
    const title = open === undefined ? heading.exec(line.text)?.[1] : undefined
    if (title !== undefined) {
      current = sectionOf.get(title.toLowerCase())
      if (current === undefined)
        faults.push(`line ${line.number}: expected Gates, Criteria, Nice to Have or Notes, got "${title}"`)
      else if (sections.has(current)) faults.push(`line ${line.number}: "${title}" stands there twice`)
      else sections.set(current, [])
      continue
    }
    // Code in a criterion is indented; only a fence at the margin, or among gates, holds headings back.
    const [, indent, ticks] = fence.exec(current === 'gates' ? line.text.replace(marker, '') : line.text) ?? []
    if (ticks !== undefined && (indent === '' || current === 'gates')) open = fenceAfter(open, ticks, line.text)
    if (current !== undefined) sections.get(current)?.push(line)
    else if (line.text.trim() !== '' && !/^#[ \t]/.test(line.text)) {
      faults.push(
        `line ${line.number}: expected a heading such as "## Gates" before "${line.text.trim().slice(0, 40)}"`,
      )
      current = 'notes'
    }
  }
  if (open !== undefined) faults.push(`the code that begins with ${open} has no end`)
  return sections
}

/** The fence that is open behind one more: a fence ends the one before it when it is as long and says nothing else. */
function fenceAfter(open: string | undefined, ticks: string, line: string): string | undefined {
  if (open === undefined) return ticks
  return ticks.startsWith(open) && line.trim() === ticks ? undefined : open
}

const marker = /^[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/

/** The commands: each an item that is one piece of code, or a block of code. */
function gatesIn(lines: readonly Line[], faults: string[]): string[] {
  const gates: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const { text, number } = lines[at] ?? { text: '', number: 0 }
    if (text.trim() === '') continue
    const item = text.replace(marker, '')
    const ticks = fence.exec(item)?.[2]
    if (ticks !== undefined) {
      const end = lines.findIndex((line, other) => other > at && closes(line.text, ticks))
      const block = lines.slice(at + 1, end < 0 ? undefined : end).map((line) => line.text)
      const gate = outdented(block, text.length - item.trimStart().length)
      if (end >= 0 && gate.trim() !== '') gates.push(gate)
      else faults.push(`line ${number}: expected a command in this block, and an end of it`)
      at = end < 0 ? lines.length : end
      continue
    }
    const gate = codeOf(item.trim())
    if (item !== text && gate !== undefined) gates.push(gate)
    else
      faults.push(
        `line ${number}: expected a command between backquotes, as in "- \`npm test\`" (two around one that has some), got "${text.trim()}"`,
      )
  }
  return gates
}

const closes = (line: string, ticks: string) => line.trim().startsWith(ticks) && /^(`+|~+)$/.test(line.trim())

/** A block without the indentation of the item that it stands in. */
function outdented(block: readonly string[], columns: number): string {
  const margin = new RegExp(`^[ \\t]{0,${columns}}`)
  return block.map((line) => line.replace(margin, '')).join('\n')
}

/** The command in a text that is one code span: between two runs of the same number of backquotes. */
function codeOf(item: string): string | undefined {
  const [, ticks = '', inner = ''] = /^(`+)([\s\S]*?[^`])\1$/.exec(item) ?? []
  const isClosedEarlier = [...inner.matchAll(/`+/g)].some(([run]) => run === ticks)
  if (ticks === '' || isClosedEarlier || inner.startsWith('`') || inner.trim() === '') return undefined
  const isPadded = inner.startsWith(' ') && inner.endsWith(' ') && inner.length > 2
  return isPadded ? inner.slice(1, -1) : inner
}

/** Items of a list with all their lines; a paragraph outside a list is one too, so that no word of it is lost. */
function itemsIn(lines: readonly Line[]): string[] {
  const items: string[][] = []
  let isBehindGap = true
  for (const { text } of lines) {
    const isInner = /^(?: {2}|\t)/.test(text)
    if (text.trim() === '') {
      items.at(-1)?.push('')
      isBehindGap = true
      continue
    }
    const begins = !isInner && (marker.test(text) || isBehindGap)
    if (begins || items.length === 0) items.push([text.replace(marker, '')])
    else items.at(-1)?.push(text.replace(/^(?: {2}|\t)/, ''))
    isBehindGap = false
  }
  return items.map((item) => item.join('\n').trim()).filter((item) => item !== '')
}
