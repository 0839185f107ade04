// What the keys do, as the foot of the screen and its help tell it.
import { cellsOf } from '@switchyard/cli-kit/cells'
import type { Line } from '@switchyard/cli-kit/terminal/styled'
import type { Board } from './board.ts'

const keysOfRows = (hidesOver: boolean) => [
  ...['n new', '↵ attach', 'x abort', hidesOver ? 'd show done' : 'd hide done', '/ filter', 's send', 'a answer'],
  ...['L logs', 'P pause', 'R resume', 'r rubric', 'v detail', 'p projects'],
]

export const help = [
  'j k ↑ ↓    to the next session; Space, Page keys, g and G go further',
  'h l ← →    fold and unfold; again: to the one above, or below',
  'Enter      enter its terminal (in tmux beside this one); one that is done goes on first; a loop folds',
  'n          a new session: asks for the task, starts it and enters it',
  'x          abort it with all below it, once you have said y',
  'd          hide those that are over, or show them',
  '/          show only what has these words; Escape takes the filter away',
  's          say something to its agent',
  'a          shows what its agent asks: y approves (Enter), n denies (Escape), 1-9 chooses',
  'L          its log, the newest last; g and G go to the ends',
  'P          pause it with all below it: its work is kept, its worktree is free',
  'R          resume one that is over or paused',
  'r          edit the rubric of its loop, in $VISUAL or $EDITOR',
  'Tab        all of its detail: result, rubric, events, changes; v hides or shows the detail',
  'p          the sessions of all your projects, or of this one alone',
  'Ctrl-Z     back to the shell for a while, fg to return',
  'q          quit: all sessions go on',
]

/** As many of the keys as fit; help and the way out always. */
export function keysThatFit({ mode, wish }: Board, cells: number): Line {
  const keys = keysOf(mode, wish.hidesOver)
  const last = mode.is === 'rows' ? '? help  q quit' : ''
  let text = ' '
  for (const key of keys) {
    if (cellsOf(`${text}${key}  ${last}`) > cells) break
    text += `${key}  `
  }
  return [{ text: text + last, style: 'dim' }]
}

function keysOf(mode: Board['mode'], hidesOver: boolean): readonly string[] {
  switch (mode.is) {
    case 'rows':
      return keysOfRows(hidesOver)
    case 'line':
      return ['↵ done', 'Esc leave']
    case 'abort':
      return ['y abort', 'n leave']
    case 'answer':
      return ['y approve', 'n deny', '1-9 choose', 'Esc leave']
    default:
      return ['j k scroll', 'q back']
  }
}
