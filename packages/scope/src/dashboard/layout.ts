// The dashboard as the parts of a screen of a given size.
import { cellsOf, inCells, wrap } from '@switchyard/cli-kit/cells'
import type { Size } from '@switchyard/cli-kit/terminal/screen'
import { fitLine, type Line } from '@switchyard/cli-kit/terminal/styled'
import { isWithin } from '../session/callers.ts'
import { isOver } from '../session/transitions.ts'
import { type Board, chosenRow, type LineFor, placeOf } from './board.ts'
import { detailLines } from './detail.ts'
import { help, keysThatFit } from './keys.ts'
import { isWaiting } from './rows.ts'
import type { Room } from './step.ts'
import { tableLines } from './table.ts'

/** The parts of the screen from the top, `rows` lines in all. */
export type Layout = {
  readonly header: readonly Line[]
  readonly body: readonly Line[]
  readonly detail: readonly Line[]
  readonly footer: readonly Line[]
}

/** On fewer rows the detail has no place of its own. */
const rowsWithDetail = 18
const detailPart = 0.38
const [headerRows, footerRows] = [1, 2]

export function layoutOf(board: Board, branches: ReadonlyMap<string, string>, size: Size): Layout {
  const { columns, rows } = size
  const footer = [promptOf(board), keysThatFit(board, columns)].map((line) => fitLine(line, columns))
  const header = [headerOf(board, columns)]
  const detail = isList(board) ? detailOf(board, size) : []
  const room = Math.max(0, rows - header.length - detail.length - footer.length)
  const body = isList(board) ? listOf(board, branches, columns, room) : textOf(board, columns, room)
  return { header, body: body.slice(0, room), detail, footer }
}

/** What the keys have to know of a screen of this size. */
export function roomOn(board: Board, { columns, rows }: Size): Room {
  const page = Math.max(1, rows - 3)
  return { page, scrollMax: Math.max(0, linesOf(board, columns).length - page) }
}

/** The rows that are on the screen. */
export function rowsShown(board: Board, size: Size): Board['rows'] {
  const room = size.rows - headerRows - footerRows - detailRows(board, size)
  return isList(board) ? windowOf(board, Math.max(0, room - 1)) : []
}

const isList = ({ mode }: Board) => mode.is === 'rows' || mode.is === 'line' || mode.is === 'abort'

function headerOf({ repo, views, wish, rows, hasProjects }: Board, cells: number): Line {
  let [running, waiting] = [0, 0]
  for (const view of views.values()) {
    if (!isOver(view.status)) running += 1
    if (isWaiting(view)) waiting += 1
  }
  const hidden = wish.hidesOver ? views.size - running : 0
  const counts = [
    views.size === 0 ? 'no sessions' : `${running} running`,
    ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'needs' : 'need'} you`]),
    ...(hidden === 0 ? [] : [`${hidden} hidden`]),
    ...(wish.filter === '' ? [] : [`${rows.length} of ${views.size} shown`]),
  ].join(' · ')
  const left = inCells(`─ scope · ${repo}${hasProjects ? ' and your other projects' : ''} `)
  const right = ` ${counts} ─`
  const fill = '─'.repeat(Math.max(0, cells - cellsOf(left) - cellsOf(right)))
  return fitLine(
    [
      { text: left + fill, style: 'bold' },
      { text: right, style: waiting > 0 ? 'yellow' : 'bold' },
    ],
    cells,
  )
}

/** So many rows that the chosen one is among them, in the middle where there are more above and below. */
function windowOf(board: Board, count: number): Board['rows'] {
  const first = Math.min(board.rows.length - count, placeOf(board) - Math.floor(count / 2))
  return board.rows.slice(Math.max(0, first), Math.max(0, first) + count)
}

function listOf(board: Board, branches: ReadonlyMap<string, string>, cells: number, room: number): Line[] {
  if (board.rows.length === 0) {
    const why =
      board.views.size === 0 ? 'No sessions: n starts one' : 'Nothing to show: Escape ends the filter, d shows all'
    return [[], [{ text: `  ${why}` }], ...blank(room - 2)]
  }
  const { now, chosen } = board
  const { head, lines } = tableLines(windowOf(board, Math.max(0, room - 1)), { now, chosen, branches }, cells)
  return [head, ...lines, ...blank(room - 1 - lines.length)]
}

/** The rows that the detail takes beside a list. */
const detailRows = ({ hasDetail, rows: all }: Board, { rows }: Size) =>
  !hasDetail || all.length === 0 || rows < rowsWithDetail ? 0 : Math.floor(rows * detailPart)

function detailOf(board: Board, size: Size): Line[] {
  const { columns } = size
  const row = chosenRow(board)
  const count = detailRows(board, size)
  if (row === undefined || count === 0) return []
  const lines = detailLines(row.view, board.detail, board.now, columns - 2).slice(0, count - 1)
  const shown = [...lines, ...blank(count - 1 - lines.length)]
  return [
    [{ text: '─'.repeat(columns), style: 'dim' }],
    ...shown.map((line) => fitLine([{ text: ' ' }, ...line], columns)),
  ]
}

/** What is shown in place of the rows. */
function textOf(board: Board, columns: number, room: number): Line[] {
  const { mode } = board
  const lines = linesOf(board, columns)
  const last = Math.max(0, lines.length - room)
  const from = 'scroll' in mode ? Math.min(last, mode.scroll) : last
  return [...lines.slice(from, from + room), ...blank(room - lines.length)].map((line) => fitLine(line, columns))
}

function linesOf(board: Board, columns: number): Line[] {
  const { mode, now } = board
  const plain = (texts: readonly string[]): Line[] =>
    texts.flatMap((text) => wrap(text, columns)).map((text) => [{ text }])
  switch (mode.is) {
    case 'help':
      return plain(help)
    case 'logs':
      return plain(mode.lines)
    case 'answer':
      return plain(mode.screen)
    case 'detail': {
      const row = chosenRow(board)
      return row === undefined ? [] : detailLines(row.view, board.detail, now, columns)
    }
    default:
      return []
  }
}

const lineTitles: Readonly<Record<LineFor, (id: string) => string>> = {
  new: () => 'Task of the new session: ',
  filter: () => 'Show only what has: ',
  send: (id) => `Say to ${id}: `,
  resume: (id) => `Resume ${id}, and say (nothing: go on): `,
}

function promptOf({ mode, message, views, wish }: Board): Line {
  switch (mode.is) {
    case 'line':
      return [
        { text: lineTitles[mode.for](mode.id), style: 'bold' },
        { text: inCells(mode.text) },
        { text: ' ', style: 'inverse' },
      ]
    case 'abort': {
      const below = [...views.values()].filter(({ id }) => id !== mode.id && isWithin(id, mode.id)).length
      const more = below === 0 ? '' : below === 1 ? ' and the one below it' : ` and the ${below} below it`
      return [{ text: `Abort ${mode.id}${more}? y aborts, any other key does not`, style: 'yellow' }]
    }
    case 'answer':
      return [{ text: `${mode.id} asks: ${inCells(views.get(mode.id)?.needs_input ?? '')}`, style: 'yellow' }]
    case 'logs':
      return [{ text: `Log of ${mode.id}`, style: 'dim' }]
    default:
      if (message !== '') return [{ text: inCells(message), style: 'yellow' }]
      return wish.filter === '' ? [] : [{ text: `Only what has: ${inCells(wish.filter)}`, style: 'dim' }]
  }
}

const blank = (count: number): Line[] => Array.from({ length: Math.max(0, count) }, () => [])
