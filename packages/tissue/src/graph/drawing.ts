// A graph as boxes and lines: what comes first at the left, what hangs together side by side.

import type { Dep } from '../schema/event-schema.ts'
import { type Cell, layersOf } from './drawing-layers.ts'
import { placeCells } from './drawing-place.ts'

/** The size of a box, in pixels. */
export const boxSize = { width: 208, height: 44 } as const

const gap = { column: 72, row: 12, line: 16, part: 40 }
const widthMin = 1_500

/** The upper left corner of an issue's box. */
type Box = { readonly id: string; readonly x: number; readonly y: number }
/** A link, and the points that its line passes from left to right. */
export type Wire = { readonly dep: Dep; readonly points: readonly (readonly [number, number])[] }
/** A drawing with its size, in pixels. */
export type Drawing = { readonly width: number; readonly height: number; readonly boxes: Box[]; readonly wires: Wire[] }

/** Draws issues and the links between them; the largest group that hangs together is on top. */
export function draw(ids: readonly string[], deps: readonly Dep[]): Drawing {
  const known = new Set(ids)
  const drawn = deps.filter(({ from, to }) => from !== to && known.has(from) && known.has(to))
  const parts = groupsOf(ids, drawn).map((group) => drawGroup(group.ids, group.deps))
  return pack(parts.sort((a, b) => b.boxes.length - a.boxes.length))
}

function drawGroup(ids: readonly string[], deps: readonly Dep[]): Drawing {
  const { columns, lines } = layersOf(ids, deps)
  placeCells(columns, ({ isIssue }) => (isIssue ? boxSize.height + gap.row : gap.line))
  const left = new Map<Cell, number>()
  columns.forEach((column, index) => {
    for (const cell of column) left.set(cell, index * (boxSize.width + gap.column))
  })
  const cells = new Map(columns.flat().map((cell) => [cell.key, cell]))
  const boxes = ids.map((id) => {
    const cell = cells.get(id)
    return { id, x: cell ? (left.get(cell) ?? 0) : 0, y: round((cell?.y ?? 0) - boxSize.height / 2) }
  })
  const wires = lines.map(({ dep, through }) => {
    const at = (cell: Cell | undefined, side: number): readonly [number, number] => {
      return [(cell ? (left.get(cell) ?? 0) : 0) + side, round(cell?.y ?? 0)]
    }
    const middle = through.flatMap((cell) => [at(cell, 0), at(cell, boxSize.width)])
    return { dep, points: [at(cells.get(dep.from), boxSize.width), ...middle, at(cells.get(dep.to), 0)] }
  })
  const bottom = columns.flat().reduce((most, { y }) => Math.max(most, y), 0)
  const width = columns.length * (boxSize.width + gap.column) - gap.column
  return { width, height: round(bottom + boxSize.height / 2 + gap.row), boxes, wires }
}

/** Puts drawings on shelves as wide as the widest of them. */
function pack(parts: readonly Drawing[]): Drawing {
  const width = parts.reduce((most, part) => Math.max(most, part.width), widthMin)
  const whole: Drawing = { width, height: 0, boxes: [], wires: [] }
  let x = 0
  let y = 0
  let shelf = 0
  for (const part of parts) {
    if (x > 0 && x + part.width > width) {
      x = 0
      y += shelf + gap.part
      shelf = 0
    }
    whole.boxes.push(...part.boxes.map((box) => ({ ...box, x: box.x + x, y: box.y + y })))
    for (const { dep, points } of part.wires) {
      whole.wires.push({ dep, points: points.map(([left, top]) => [left + x, top + y] as const) })
    }
    x += part.width + gap.part
    shelf = Math.max(shelf, part.height)
  }
  return { ...whole, height: y + shelf }
}

/** The issues that hang together, in the order of their first ones. */
function groupsOf(ids: readonly string[], deps: readonly Dep[]): { ids: string[]; deps: Dep[] }[] {
  const beside = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const { from, to } of deps) {
    beside.get(from)?.push(to)
    beside.get(to)?.push(from)
  }
  const numbers = new Map<string, number>()
  const groups: { ids: string[]; deps: Dep[] }[] = []
  for (const id of ids) {
    if (numbers.has(id)) continue
    const group = new Set([id])
    for (const member of group) for (const next of beside.get(member) ?? []) group.add(next)
    for (const member of group) numbers.set(member, groups.length)
    groups.push({ ids: [], deps: [] })
  }
  for (const id of ids) groups[numbers.get(id) ?? 0]?.ids.push(id)
  for (const dep of deps) groups[numbers.get(dep.from) ?? 0]?.deps.push(dep)
  return groups
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
