// Changes to a JSON text that leave the rest of it as it is, to the byte.
import { type Container, containerAt } from './json-place.ts'

/** How the text is laid out: one step of indentation and the line break; no line break: it is all on one line. */
type Layout = { readonly step: string; readonly newline: string }

/** The text with a member put behind the others of the object at `start`. */
export function withMember(text: string, start: number, key: string, value: unknown): string {
  return withItem(
    text,
    start,
    (layout, indent) => `${JSON.stringify(key)}:${gap(layout)}${render(value, layout, indent)}`,
  )
}

/** The text with a value put behind the others of the list at `start`. */
export function withElement(text: string, start: number, value: unknown): string {
  return withItem(text, start, (layout, indent) => render(value, layout, indent))
}

/** The text without one item of the container at `start`. Taken from its end, that undoes what put it there. */
export function withoutItem(text: string, start: number, index: number): string {
  const { start: open, end, items } = containerAt(text, start)
  const [before, item, behind] = [items[index - 1], items[index], items[index + 1]]
  if (item === undefined) return text
  if (behind !== undefined) return cut(text, item.start, behind.start)
  return before === undefined ? cut(text, open + 1, end - 1) : cut(text, before.end, item.end)
}

const cut = (text: string, from: number, to: number) => text.slice(0, from) + text.slice(to)

type Render = (layout: Layout, indent: string) => string

function withItem(text: string, start: number, renderItem: Render): string {
  const layout = layoutOf(text)
  const container = containerAt(text, start)
  const last = container.items.at(-1)
  if (last !== undefined) {
    const indent = indentOfItems(text, container)
    const lead = indent === undefined ? `,${gap(layout)}` : `,${layout.newline}${indent}`
    return put(text, last.end, last.end, lead + renderItem(indent === undefined ? inline : layout, indent ?? ''))
  }
  const outer = indentOfLine(text, container.start)
  const inner = outer + layout.step
  const [open, close] = layout.newline === '' ? ['', ''] : [layout.newline + inner, layout.newline + outer]
  return put(text, container.start + 1, container.end - 1, open + renderItem(layout, inner) + close)
}

const put = (text: string, from: number, to: number, inserted: string) =>
  text.slice(0, from) + inserted + text.slice(to)

const inline: Layout = { step: '', newline: '' }
const gap = ({ newline }: Layout) => (newline === '' ? '' : ' ')

function layoutOf(text: string): Layout {
  const [, newline, step] = /(\r?\n)([ \t]+)"/.exec(text) ?? []
  if (newline !== undefined && step !== undefined) return { newline, step }
  const isOneLine = !text.trim().includes('\n') && text.replace(/\s/g, '') !== '{}'
  return isOneLine ? inline : { newline: '\n', step: '  ' }
}

/** The white space before the first item, when that begins a line. */
function indentOfItems(text: string, { start, items }: Container): string | undefined {
  return /\n([ \t]*)$/.exec(text.slice(start + 1, items[0]?.start))?.[1]
}

function indentOfLine(text: string, at: number): string {
  return /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, at))?.[1] ?? ''
}

function render(value: unknown, { step, newline }: Layout, indent: string): string {
  if (newline === '') return JSON.stringify(value)
  return JSON.stringify(value, null, step).replaceAll('\n', newline + indent)
}
