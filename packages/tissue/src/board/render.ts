// The board as lines of a screen of a given size.
import { cellsOf, clip, inCells, wrap } from '@switchyard/cli-kit/cells'
import type { Size } from '@switchyard/cli-kit/terminal/screen'
import { cellsOfLine, fitLine, type Line, type Span } from '@switchyard/cli-kit/terminal/styled'
import { shownWhole } from '../render/whole.ts'
import type { Issue } from '../schema/schemas.ts'
import { renderCard } from './card.ts'
import { type Board, chosenIssue, issuesShown, type Room } from './model.ts'

/** Narrower than this a column says too little. */
const columnCellsMin = 26
const gap: Span = { text: ' ' }

const keysOfColumns = ['? help', 'q quit', 'Enter show', 'c claim', 'x close', 'o open', 'r release', '/ filter']
const keysOfIssue = ['q back', 'j k scroll', 'c claim', 'x close', 'o open', 'r release']

const help = [
  'Move      arrows or h j k l, Tab to the next column, Space and Page keys, g and G to the ends',
  'Enter     show the issue; again, q or Escape to come back',
  'c         claim it, for as long as claims last here',
  'r         release it',
  'x         close it; asks for the reason',
  'o         open it again',
  '/         show only what has these words; Escape takes the filter away',
  'Ctrl-Z    back to the shell for a while, fg to return',
  'q         quit',
  '',
  'Behind a title: who holds it and for how long, overdue, in 2d (deferred), waits 2 (for so many issues),',
  '3/7 (parts that are done), and how long ago it was made or closed',
]

/** Exactly `rows` lines of exactly `columns` cells. */
export function renderBoard(board: Board, { columns, rows }: Size): Line[] {
  if (rows < 1 || columns < 1) return []
  // Where there is room for one line, what is asked or answered comes before what is chosen.
  const isAsking = board.message !== undefined || board.mode.is === 'filter' || board.mode.is === 'reason'
  const footRows = rows > 1 || isAsking ? 1 : 0
  const body = bodyOf(board, { columns, rows: rows - footRows })
  const lines = [...body, ...Array<Line>(Math.max(0, rows - footRows - body.length)).fill([])].slice(0, rows - footRows)
  return [...lines, ...(footRows > 0 ? [foot(board, columns)] : [])].map((line) => fitLine(line, columns))
}

/** What the keys have to know of a screen of this size. */
export function roomOn(board: Board, { columns, rows }: Size): Room {
  const issue = board.mode.is === 'issue' ? chosenIssue(board) : undefined
  const lines = issue ? linesOf(issue, board.now, columns).length : 0
  return { page: Math.max(1, rows - 3), scrollMax: Math.max(0, lines - Math.max(1, rows - 1)) }
}

function bodyOf(board: Board, size: Size): Line[] {
  const { mode } = board
  if (mode.is === 'help') return help.flatMap((text) => wrap(text, size.columns)).map((text) => [{ text }])
  const open = mode.is === 'reason' ? mode.back : mode
  if (open.is === 'issue') return renderOpen(board, open.scroll, size)
  if (board.columns.every(({ issues }) => issues.length === 0) && size.rows > 2)
    return [...renderColumns(board, { ...size, rows: 1 }), [], [{ text: 'no issue yet: tissue new "TITLE"' }]]
  return renderColumns(board, size)
}

function renderOpen(board: Board, scroll: number, { columns, rows }: Size): Line[] {
  const issue = chosenIssue(board)
  if (!issue) return [[{ text: 'it is not on the board any more' }]]
  const lines = linesOf(issue, board.now, columns)
  const from = Math.min(scroll, Math.max(0, lines.length - rows))
  return lines.slice(from, from + rows)
}

function linesOf(issue: Issue, now: number, columns: number): Line[] {
  return wrap(shownWhole(now).text(issue), columns).map((text, row) => [
    { text, style: row === 0 ? 'bold' : undefined },
  ])
}

function renderColumns(board: Board, { columns, rows }: Size): Line[] {
  const { first, count } = columnsShown(board, columns)
  const width = Math.floor((columns - (count - 1)) / count)
  const blocks = Array.from({ length: count }, (_, index) =>
    renderColumn(board, first + index, { columns: width, rows }),
  )
  return Array.from({ length: rows }, (_, row) => {
    return blocks.flatMap((block, index) => [...(index === 0 ? [] : [gap]), ...fitLine(block[row] ?? [], width)])
  })
}

/** The columns for which there is room, the chosen one among them. */
function columnsShown(board: Board, columns: number): { first: number; count: number } {
  const count = Math.max(1, Math.min(board.columns.length, Math.floor(columns / columnCellsMin)))
  return { first: Math.min(Math.max(0, board.column - count + 1), board.columns.length - count), count }
}

function renderColumn(board: Board, index: number, { columns, rows }: Size): Line[] {
  const issues = issuesShown(board, index)
  const isHere = index === board.column
  const chosen = board.chosen[index] ?? 0
  const title = `${isHere ? '>' : ' '} ${board.columns[index]?.title ?? ''} ${issues.length}`
  // With too few rows for a title, what is chosen is all there is room for.
  const head: Line[] =
    rows > 1
      ? [fitLine([{ text: title, style: isHere ? 'inverse' : 'bold' }], columns, isHere ? 'inverse' : undefined)]
      : []
  const room = rows - head.length
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), issues.length - room))
  const cards = issues.slice(from, from + room).map((issue, place) => {
    return renderCard(issue, { isChosen: isHere && from + place === chosen, now: board.now, cells: columns })
  })
  return [...head, ...cards]
}

function foot(board: Board, columns: number): Line {
  const { mode, filter, message } = board
  if (mode.is === 'filter') return question('/', filter, columns)
  if (mode.is === 'reason') return question(`close ${mode.id}, why? (Escape: not) `, mode.text, columns)
  if (message) return [{ text: message.text, style: message.isError ? 'red' : 'green' }]
  if (mode.is === 'help') return [{ text: 'any key goes back', style: 'dim' }]
  const right: Line = mode.is === 'columns' ? columnsBeside(board, columns) : []
  const narrowed: Span = { text: filter === '' ? '' : `/${filter}  `, style: 'yellow' }
  const room = columns - cellsOfLine(right)
  const keys = keysWithin(room - cellsOfLine([narrowed]), mode.is === 'issue' ? keysOfIssue : keysOfColumns)
  return [...fitLine([narrowed, { text: keys, style: 'dim' }], room), ...right]
}

/** As many keys as there is room for, those first without which one is lost. */
function keysWithin(cells: number, keys: readonly string[]): string {
  let text = ''
  for (const key of keys) {
    const longer = text === '' ? key : `${text}  ${key}`
    if (cellsOf(longer) > cells) break
    text = longer
  }
  return text
}

/** What the columns hold for which there is no room. */
function columnsBeside(board: Board, columns: number): Line {
  const { first, count } = columnsShown(board, columns)
  const texts = board.columns.flatMap(({ title }, index) => {
    const issues = issuesShown(board, index).length
    return (index < first || index >= first + count) && issues > 0 ? [`${title} ${issues}`] : []
  })
  return texts.length > 0 && columns >= 60 ? [{ text: `  ${texts.join('  ')}`, style: 'bold' }] : []
}

/** What is asked and what was written so far, of which the end is seen. */
function question(asked: string, text: string, columns: number): Line {
  const shown = inCells(text)
  const room = Math.max(Math.floor(columns / 2), columns - cellsOf(asked) - 1)
  let end = shown
  while (cellsOf(end) > room) end = [...end].slice(1).join('')
  return [
    { text: clip(asked, columns - cellsOf(end) - 1), style: 'bold' },
    { text: end },
    { text: ' ', style: 'inverse' },
  ]
}
