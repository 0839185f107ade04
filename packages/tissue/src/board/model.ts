// What the board shows, and how a key changes that: values in, values out.
import { scrollStep, typedInto } from '@switchyard/cli-kit/terminal/line-keys'
import type { Issue } from '../schema/schemas.ts'
import type { Column } from './columns.ts'

/** What the keys do at the moment: move about, scroll an issue or the help, or write a line. */
type Mode =
  | { readonly is: 'columns' }
  | { readonly is: 'help' }
  | { readonly is: 'issue'; readonly id: string; readonly scroll: number }
  | { readonly is: 'filter'; readonly before: string }
  | { readonly is: 'reason'; readonly id: string; readonly text: string; readonly back: Mode }

export type Board = {
  readonly columns: readonly Column[]
  /** Milliseconds since 1970: what leases are measured against. */
  readonly now: number
  readonly mode: Mode
  readonly filter: string
  /** Which column is chosen, and which issue of each column. */
  readonly column: number
  readonly chosen: readonly number[]
  /** What the last act came to, in a line. */
  readonly message: { readonly text: string; readonly isError: boolean } | undefined
}

/** What a key asks for beside another view. */
type Act = IssueAct | { readonly is: 'quit' } | { readonly is: 'suspend' }
export type IssueAct =
  | { readonly is: 'claim'; readonly id: string }
  | { readonly is: 'open'; readonly id: string }
  | { readonly is: 'release'; readonly id: string }
  | { readonly is: 'close'; readonly id: string; readonly reason: string }

/** A board and what is to be done. */
export type Step = { readonly board: Board; readonly act?: Act | undefined }

/** A board on which nothing was typed yet. */
export function newBoard(columns: readonly Column[], now: number): Board {
  return {
    columns,
    now,
    mode: { is: 'columns' },
    filter: '',
    column: 0,
    chosen: columns.map(() => 0),
    message: undefined,
  }
}

/** The board with what the log holds by now; in each column the same issue stays chosen, or else the same place. */
export function refresh(board: Board, columns: readonly Column[], now: number): Board {
  const chosen = columns.map((column, index) => {
    const id = issuesShown(board, index)[board.chosen[index] ?? 0]?.id
    const place = filtered(column, board.filter).findIndex((issue) => issue.id === id)
    return place < 0 ? (board.chosen[index] ?? 0) : place
  })
  return clamped({ ...board, columns, now, chosen })
}

/** The issues of a column that pass the filter. */
export function issuesShown(board: Board, column: number): readonly Issue[] {
  const found = board.columns[column]
  return found ? filtered(found, board.filter) : []
}

/** The issue on which a key acts: the one that is open, or the chosen one. */
export function chosenIssue(board: Board): Issue | undefined {
  const { mode } = board
  if (mode.is === 'issue') return board.columns.flatMap(({ issues }) => issues).find(({ id }) => id === mode.id)
  return issuesShown(board, board.column)[board.chosen[board.column] ?? 0]
}

/** How many rows a page of the screen has, and how far down the open issue goes. */
export type Room = { readonly page: number; readonly scrollMax: number }

/** What a key does. Keys that mean nothing change nothing but the message. */
export function press(board: Board, key: string, room: Room): Step {
  if (key === 'ctrl-c') return { board, act: { is: 'quit' } }
  if (key === 'ctrl-z') return { board, act: { is: 'suspend' } }
  const quiet = { ...board, message: undefined }
  switch (board.mode.is) {
    case 'columns':
      return pressInColumns(quiet, key, room.page)
    case 'issue':
      return pressInIssue(quiet, board.mode, key, room)
    case 'help':
      return { board: { ...quiet, mode: { is: 'columns' } } }
    case 'filter':
      return { board: pressInFilter(quiet, board.mode.before, key) }
    case 'reason':
      return pressInReason(quiet, board.mode, key)
  }
}

/** Pasted text is text where a line is written, and nothing elsewhere: no letter of it is a key. */
export function paste(board: Board, pasted: string): Board {
  const { mode } = board
  const text = pasted.replace(/\s+/g, ' ')
  if (mode.is === 'filter') return clamped({ ...board, filter: board.filter + text })
  return mode.is === 'reason' ? { ...board, mode: { ...mode, text: mode.text + text } } : board
}

function pressInColumns(board: Board, key: string, page: number): Step {
  const moved = moves(board, key, page)
  if (moved) return { board: moved }
  const issue = chosenIssue(board)
  switch (key) {
    case 'q':
      return { board, act: { is: 'quit' } }
    case 'escape':
      return { board: clamped({ ...board, filter: '' }) }
    case '/':
      return { board: { ...board, mode: { is: 'filter', before: board.filter } } }
    case '?':
      return { board: { ...board, mode: { is: 'help' } } }
    case 'enter':
      return { board: issue ? { ...board, mode: { is: 'issue', id: issue.id, scroll: 0 } } : board }
    default:
      return pressToAct(board, key, issue)
  }
}

function pressToAct(board: Board, key: string, issue: Issue | undefined): Step {
  if (!issue) return { board }
  const { id } = issue
  if (key === 'c') return { board, act: { is: 'claim', id } }
  if (key === 'o') return { board, act: { is: 'open', id } }
  if (key === 'r') return { board, act: { is: 'release', id } }
  if (key === 'x') return { board: { ...board, mode: { is: 'reason', id, text: '', back: board.mode } } }
  return { board }
}

function pressInIssue(board: Board, mode: Extract<Mode, { is: 'issue' }>, key: string, room: Room): Step {
  const step = scrollStep(key, room.page)
  if (step !== undefined) {
    const scroll = Math.max(0, Math.min(room.scrollMax, mode.scroll + step))
    return { board: { ...board, mode: { ...mode, scroll } } }
  }
  if (['q', 'escape', 'enter', 'left', 'h'].includes(key)) return { board: { ...board, mode: { is: 'columns' } } }
  return pressToAct(board, key, chosenIssue(board))
}

function pressInFilter(board: Board, before: string, key: string): Board {
  if (key === 'enter') return { ...board, mode: { is: 'columns' } }
  if (key === 'escape') return clamped({ ...board, filter: before, mode: { is: 'columns' } })
  return clamped({ ...board, filter: typedInto(board.filter, key) })
}

function pressInReason(board: Board, mode: Extract<Mode, { is: 'reason' }>, key: string): Step {
  const left = { ...board, mode: mode.back }
  if (key === 'escape') return { board: left }
  if (key === 'enter') return { board: left, act: { is: 'close', id: mode.id, reason: mode.text.trim() } }
  return { board: { ...board, mode: { ...mode, text: typedInto(mode.text, key) } } }
}

/** The board with another choice; undefined for keys that do not move. */
function moves(board: Board, key: string, page: number): Board | undefined {
  const { column, columns, chosen } = board
  const last = columns.length - 1
  if (key === 'left' || key === 'h') return { ...board, column: Math.max(0, column - 1) }
  if (key === 'right' || key === 'l') return { ...board, column: Math.min(last, column + 1) }
  if (key === 'tab') return { ...board, column: column === last ? 0 : column + 1 }
  if (key === 'shift-tab') return { ...board, column: column === 0 ? last : column - 1 }
  const step = scrollStep(key, page)
  if (step === undefined) return undefined
  return clamped({ ...board, chosen: chosen.with(column, (chosen[column] ?? 0) + step) })
}

/** The board with each choice on an issue that is there. */
function clamped(board: Board): Board {
  const chosen = board.columns.map((_, index) => {
    const last = issuesShown(board, index).length - 1
    return Math.max(0, Math.min(last, board.chosen[index] ?? 0))
  })
  return { ...board, chosen }
}

function filtered({ issues }: Column, filter: string): readonly Issue[] {
  const words = filter.toLowerCase().split(' ').filter(Boolean)
  if (words.length === 0) return issues
  return issues.filter((issue) => {
    const { id, title, tags, claim, assignee, body } = issue
    const text = [id, title, ...tags, claim?.by, assignee, body].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
