import type { WorkInput } from './work-schema.ts'

/** The words that a `<loop-done>` line may begin with, and what they say. */
export const doneWords: ReadonlyMap<string, Extract<WorkInput, { of: 'turn' }>['said']> = new Map([
  ['done', 'done'],
  ['complete', 'done'],
  ['nothing', 'nothing'],
  ['stuck', 'stuck'],
  ['limit', 'limit'],
  ['max_iterations', 'limit'],
])
