// Notes that one iteration leaves to the next, on a topic of the run: whoever works in it posts there.

import { readMessagesBackwards, type Store, topicExists } from '@switchyard/topic'
import { tail } from '../text/cut-text.ts'

const notesMax = 10
const noteBytesMax = 1024

/** Where the notes of a run are; runners have it in LOOP_NOTES. */
export const notesTopic = (run: string) => `loop:notes:${run}`

/** The last notes of a run, oldest first, each with who left it. */
export function readNotes(store: Store, run: string): string[] {
  const notes: string[] = []
  if (!topicExists(store, notesTopic(run))) return notes
  for (const { message } of readMessagesBackwards(store, notesTopic(run))) {
    notes.unshift(`${message.from}: ${tail(message.body.trim(), noteBytesMax)}`)
    if (notes.length === notesMax) break
  }
  return notes
}
