// What a key does where sessions are chosen.
import { scrollStep } from '@switchyard/cli-kit/terminal/line-keys'
import { standingOf } from '../render/session-line.ts'
import type { SessionView } from '../session/session-schema.ts'
import { isOver } from '../session/transitions.ts'
import { type Board, chosenRow, type LineFor, placeOf, wishing, withProjects } from './board.ts'
import { isWaiting, type Row } from './rows.ts'
import type { Act, Room, Step } from './step.ts'

export function pressInRows(board: Board, key: string, room: Room): Step {
  const row = chosenRow(board)
  const down = key === 'left' || key === 'right' ? undefined : scrollStep(key, room.page)
  if (down !== undefined) return { board: choosing(board, placeOf(board) + down) }
  switch (key) {
    case 'q':
      return { board, act: { is: 'quit' } }
    case 'n':
      return { board: asking(board, 'new', '') }
    case 'd':
      return { board: wishing(board, { hidesOver: !board.wish.hidesOver }) }
    case '/':
      return { board: asking(board, 'filter', '', board.wish.filter) }
    case 'escape':
      return { board: wishing(board, { filter: '' }) }
    case '?':
      return { board: { ...board, mode: { is: 'help', scroll: 0 } } }
    case 'p':
      return { board: withProjects(board, !board.hasProjects), act: { is: 'projects' } }
    case 'v':
      return { board: { ...board, hasDetail: !board.hasDetail } }
    default:
      return row === undefined ? { board } : pressOnRow(board, row, key)
  }
}

function pressOnRow(board: Board, row: Row, key: string): Step {
  const { view } = row
  switch (key) {
    case 'h':
    case 'left':
      return { board: row.hasKids && !row.isFolded ? folding(board, view.id, true) : choosingParent(board, row) }
    case 'l':
    case 'right':
      return { board: row.isFolded ? folding(board, view.id, false) : choosingChild(board, row) }
    case 'tab':
      return { board: { ...board, mode: { is: 'detail', scroll: 0 } } }
    default:
      return board.others.has(view.id) && view.project === undefined ? foreign(board, key) : pressToAct(board, row, key)
  }
}

function pressToAct(board: Board, row: Row, key: string): Step {
  const { view } = row
  const { id } = view
  switch (key) {
    case 'enter':
      return enter(board, row)
    case 'x':
      return view.alive || !isOver(view.status) || row.hasKids
        ? { board: { ...board, mode: { is: 'abort', id } } }
        : said(board, `${id} is ${view.status}: nothing runs`)
    case 's':
      return view.backend === 'tmux' ? { board: asking(board, 'send', id) } : said(board, `${id} has no terminal`)
    case 'a':
      if (!isWaiting(view)) return said(board, `${id} asks nothing`)
      return view.backend === 'tmux' ? act(board, { is: 'dialog', id }) : said(board, `${id} has no terminal`)
    case 'P':
      return isGoing(view) ? act(board, { is: 'pause', id }) : said(board, `${id} is ${standingOf(view)}`)
    case 'R':
      return !isGoing(view) ? { board: asking(board, 'resume', id) } : said(board, `${id} is ${view.status}`)
    case 'L':
      return act(board, { is: 'logs', id })
    case 'r':
      return rubric(board, view)
    default:
      return { board }
  }
}

/** Whether it goes on by itself: neither over nor paused. */
const isGoing = ({ status, turn }: SessionView) => !isOver(status) && turn !== 'paused'

/** A terminal is entered; what has none, and others below it, is folded. One that is done goes on first. */
function enter(board: Board, { view, hasKids, isFolded }: Row): Step {
  const { id } = view
  if (view.backend !== 'tmux' || view.role === 'loop') {
    if (hasKids) return { board: folding(board, id, !isFolded) }
    return said(board, `${id} has no terminal; L shows its log`)
  }
  if (view.alive || !isOver(view.status)) return act(board, { is: 'attach', id })
  if (view.status === 'done') return act(board, { is: 'resume', id, text: '', attaches: true })
  return said(board, `${id} is ${view.status}; R resumes it`)
}

/** The rubric of a session, or of the loop that it is a part of. */
function rubric(board: Board, { id, role }: SessionView): Step {
  if (role === 'loop') return act(board, { is: 'rubric', id })
  const loop = /^(.*)-\d+-(?:do|check)$/.exec(id)?.[1]
  return loop === undefined
    ? said(board, `${id} is no loop, and has no rubric`)
    : act(board, { is: 'rubric', id: loop })
}

/** What another tool keeps going is steered by that tool. */
function foreign(board: Board, key: string): Step {
  return 'enter x s a P R L r'.split(' ').includes(key)
    ? said(board, 'another tool keeps it going; use that one')
    : { board }
}

const said = (board: Board, message: string): Step => ({ board: { ...board, message } })
const act = (board: Board, what: Act): Step => ({ board, act: what })
const asking = (board: Board, what: LineFor, id: string, text = ''): Board => ({
  ...board,
  mode: { is: 'line', for: what, id, text },
})

function choosing(board: Board, place: number): Board {
  const at = Math.max(0, Math.min(board.rows.length - 1, place))
  return { ...board, chosen: board.rows[at]?.view.id }
}

function choosingParent(board: Board, { depth }: Row): Board {
  const above = board.rows.slice(0, placeOf(board)).findLastIndex((row) => row.depth < depth)
  return above < 0 ? board : choosing(board, above)
}

const choosingChild = (board: Board, { hasKids }: Row): Board => (hasKids ? choosing(board, placeOf(board) + 1) : board)

function folding(board: Board, id: string, isFolded: boolean): Board {
  const folded = new Set(board.wish.folded)
  if (isFolded) folded.add(id)
  else folded.delete(id)
  return wishing(board, { folded })
}
