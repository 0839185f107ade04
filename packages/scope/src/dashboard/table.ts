// The rows of the dashboard as lines of exactly so many cells. Columns for which a narrow screen has no room are left
// out.
import { renderSpan } from '@switchyard/cli-kit/age'
import { cellsOf, inCells } from '@switchyard/cli-kit/cells'
import { fitLine, type Line, type Span, type Style } from '@switchyard/cli-kit/terminal/styled'
import { standingOf } from '../render/session-line.ts'
import { doingOf } from '../render/session-table.ts'
import type { SessionView } from '../session/session-schema.ts'
import { isWaiting, type Row } from './rows.ts'

/** What a row is drawn with beside its session. */
export type Look = {
  readonly now: number
  readonly chosen: string | undefined
  /** The branches of folders, as far as they are known. */
  readonly branches: ReadonlyMap<string, string>
}

type Column = {
  readonly title: string
  /** Its cells, or its part of what the others leave. */
  readonly cells: number | { readonly part: number }
  /** The screen that it needs, in cells. */
  readonly from: number
  readonly text: (row: Row, look: Look) => string
  readonly style?: (row: Row) => Style | undefined
}

const gap = 2
const idCellsMax = 28

const columns: readonly Column[] = [
  { title: 'TASK', cells: { part: 3 }, from: 0, text: ({ view }) => view.task || '(no task)' },
  { title: 'STATUS', cells: 13, from: 0, text: statusOf, style: colourOf },
  { title: 'MODE', cells: 5, from: 60, text: ({ view }) => modeOf(view) },
  { title: 'ACTIVITY', cells: { part: 2 }, from: 70, text: ({ view }) => newsOf(view) },
  { title: 'AGENT', cells: 8, from: 100, text: ({ view }) => view.agent },
  { title: 'AGE', cells: 3, from: 50, text: ({ view }, { now }) => ageOf(view, now) },
  { title: 'COST', cells: 6, from: 100, text: ({ view }) => costOf(view) },
  { title: 'BRANCH', cells: 18, from: 124, text: ({ view }, { branches }) => branches.get(view.cwd) ?? '' },
]

/** The line above the rows, and a line for each of them. */
export function tableLines(rows: readonly Row[], look: Look, cells: number): { head: Line; lines: Line[] } {
  const idCells = Math.min(idCellsMax, Math.max(4, ...rows.map((row) => cellsOf(idOf(row)))))
  const shown = columns.filter(({ from }) => cells >= from)
  const widths = widthsOf(shown, cells - idCells - 1)
  const lineOf = (first: string, others: readonly Span[]): Span[] => [
    ...fitLine([{ text: inCells(first) }], idCells + 1),
    ...others.flatMap(({ text, style }, at) => [
      { text: ' '.repeat(gap) },
      ...fitLine([{ text: inCells(text), style }], widths[at] ?? 0, undefined),
    ]),
  ]
  const titles = shown.map(({ title }): Span => ({ text: title }))
  return {
    head: lineOf(' ID', titles).map(({ text }) => ({ text, style: 'dim' as const })),
    lines: rows.map((row) => {
      const isChosen = row.view.id === look.chosen
      const spans = shown.map(({ text, style }): Span => ({ text: text(row, look), style: style?.(row) }))
      const line = lineOf(`${isChosen ? '>' : ' '}${idOf(row)}`, spans)
      return isChosen ? [{ text: line.map(({ text }) => text).join(''), style: 'inverse' }] : line
    }),
  }
}

function widthsOf(shown: readonly Column[], cells: number): number[] {
  const fixed = shown.reduce((sum, { cells: own }) => sum + gap + (typeof own === 'number' ? own : 0), 0)
  const parts = shown.reduce((sum, { cells: own }) => sum + (typeof own === 'number' ? 0 : own.part), 0)
  const left = Math.max(0, cells - fixed)
  let rest = left
  return shown.map(({ cells: own }) => {
    if (typeof own === 'number') return own
    const width = own.part === parts ? rest : Math.min(rest, Math.ceil((left * own.part) / parts))
    rest -= width
    return width
  })
}

const idOf = ({ view, depth, hasKids, isFolded }: Row) => {
  const mark = hasKids ? (isFolded ? '▶' : '▼') : ' '
  return `${'  '.repeat(depth)}${mark} ${depth === 0 ? view.id : ownPart(view.id)}${view.alias === null ? '' : ` ${view.alias}`}`
}

/** Below the session of another tool that began it, the part of its id that is its own. */
const ownPart = (id: string) => id.slice(id.lastIndexOf(':') + 1)

const signs = new Map([
  ['running', '●'],
  ['idle', '○'],
  ['queued', '◌'],
  ['starting', '◌'],
  ['paused', '◌'],
  ['needs input', '!'],
  ['done', '✓'],
  ['failed', '✗'],
  ['exited', '■'],
  ['aborted', '■'],
])

function statusOf({ view, hidesWait }: Row): string {
  const standing = standingOf(view)
  return `${hidesWait ? '!' : (signs.get(standing) ?? ' ')} ${standing}`
}

function colourOf({ view, hidesWait }: Row): Style | undefined {
  if (isWaiting(view) || hidesWait) return 'yellow'
  if (view.turn === 'paused') return 'dim'
  switch (view.status) {
    case 'running':
      return 'green'
    case 'failed':
      return 'red'
    case 'pending':
      return 'cyan'
    default:
      return 'dim'
  }
}

function modeOf({ role, loop }: SessionView): string {
  if (loop !== null) return `${loop.iteration + 1}/${loop.max}`
  return role === 'run' ? '' : role
}

const newsOf = (view: SessionView): string => view.needs_input ?? view.exit_reason ?? doingOf(view)

const ageOf = ({ state_since }: SessionView, now: number) =>
  renderSpan(Math.max(0, Math.floor((now - state_since) / 1000)))

function costOf({ cost_usd, tokens }: SessionView): string {
  if (cost_usd !== null) return `$${cost_usd.toFixed(2)}`
  if (tokens === null) return ''
  const all = tokens.input_tokens + tokens.output_tokens
  return all < 1000 ? `${all}` : all < 1e6 ? `${Math.round(all / 1000)}k` : `${(all / 1e6).toFixed(1)}M`
}
