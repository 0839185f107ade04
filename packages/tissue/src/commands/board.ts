import { defineVerb } from '@switchyard/cli-kit'
import { watchBoard } from '../board-live.ts'
import { authorFlags } from '../session.ts'

/** `tissue board`: the issues in columns, live, with keys to claim, close and open. Exits 2 without a terminal. */
export const board = defineVerb({
  summary: 'Watch the issues in columns, and work on them',
  flags: authorFlags,
  examples: ['tissue board', 'tissue board --as ada'],
  run: (call) => watchBoard(call),
})
