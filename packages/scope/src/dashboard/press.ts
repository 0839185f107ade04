// What a key does: the board after it, and what is to be done.
import { scrollStep, typedInto } from '@switchyard/cli-kit/terminal/line-keys'
import { type Board, type Mode, wishing } from './board.ts'
import { pressInRows } from './press-rows.ts'
import type { Act, Room, Step } from './step.ts'

/** What a key does. Keys that mean nothing change nothing but the message. */
export function press(board: Board, key: string, room: Room): Step {
  if (key === 'ctrl-c') return { board, act: { is: 'quit' } }
  if (key === 'ctrl-z') return { board, act: { is: 'suspend' } }
  const quiet = { ...board, message: '' }
  const { mode } = board
  switch (mode.is) {
    case 'rows':
      return pressInRows(quiet, key, room)
    case 'line':
      return pressInLine(quiet, mode, key)
    case 'abort':
      return { board: back(quiet), ...(key === 'y' ? { act: { is: 'abort', id: mode.id } } : {}) }
    case 'answer':
      return pressInAnswer(quiet, mode, key)
    default:
      return { board: scrolled(quiet, mode, key, room) }
  }
}

/** Pasted text is text where a line is written, and nothing elsewhere: no letter of it is a key. */
export function paste(board: Board, pasted: string): Board {
  const { mode } = board
  if (mode.is !== 'line') return board
  return withText(board, mode, mode.text + pasted.replace(/\s+/g, ' '))
}

const back = (board: Board): Board => ({ ...board, mode: { is: 'rows' } })

type LineMode = Extract<Mode, { is: 'line' }>

function pressInLine(board: Board, mode: LineMode, key: string): Step {
  if (key === 'escape') return { board: back(mode.for === 'filter' ? wishing(board, { filter: '' }) : board) }
  if (key !== 'enter') return { board: withText(board, mode, typedInto(mode.text, key)) }
  const act = actOf(mode)
  return { board: back(board), ...(act === undefined ? {} : { act }) }
}

function withText(board: Board, mode: LineMode, text: string): Board {
  const next = { ...board, mode: { ...mode, text } }
  return mode.for === 'filter' ? wishing(next, { filter: text }) : next
}

/** A line without a word asks for nothing, but a session can go on without a word. */
function actOf({ for: what, id, text }: LineMode): Act | undefined {
  const said = text.trim()
  if (what === 'resume') return { is: 'resume', id, text: said }
  if (said === '' || what === 'filter') return undefined
  return what === 'new' ? { is: 'new', task: said } : { is: 'send', id, text: said }
}

/** What an agent asks is answered by the keys that its own dialog takes. */
function pressInAnswer(board: Board, { id }: Extract<Mode, { is: 'answer' }>, key: string): Step {
  if (key === 'y' || key === 'enter') return { board: back(board), act: { is: 'key', id, key: 'Enter' } }
  if (key === 'n') return { board: back(board), act: { is: 'key', id, key: 'Escape' } }
  if (/^[1-9]$/.test(key)) return { board: back(board), act: { is: 'key', id, key } }
  return { board: key === 'escape' || key === 'q' ? back(board) : board }
}

function scrolled(board: Board, mode: Extract<Mode, { scroll: number }>, key: string, room: Room): Board {
  const step = scrollStep(key, room.page)
  if (step === undefined) return ['q', 'escape', 'enter', 'tab', '?', 'L'].includes(key) ? back(board) : board
  return { ...board, mode: { ...mode, scroll: Math.max(0, Math.min(room.scrollMax, mode.scroll + step)) } }
}
