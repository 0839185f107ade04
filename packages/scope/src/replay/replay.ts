// Doing again what was recorded: each edit whose tool succeeded, in order, and what was said.
import type { FileEdit } from './edit.ts'
import { editsIn } from './file-edit.ts'
import { makeEdit, placeOf } from './make-edits.ts'
import type { Recording } from './recording.ts'
import type { Replayed } from './replay-schema.ts'

/** Does it in the folder `into`; `say` hears all that was said before the answer. */
export function replay(
  { session, cwd, steps, result }: Recording,
  into: string,
  say: (text: string) => void,
): Replayed {
  const leftOut = new Set<string>()
  let [edits, others] = [0, 0]
  const make = (edit: FileEdit) => {
    const place = placeOf(edit.path, cwd, into)
    if (place === undefined) {
      leftOut.add(edit.path)
      return
    }
    makeEdit(edit, place, into)
    edits += 1
  }
  // Results stand in the order of the uses.
  const results = steps.filter(({ step }) => step === 'tool-result')
  let uses = 0
  const answer = steps.findLastIndex(({ step }) => step === 'text')
  for (const [at, step] of steps.entries()) {
    if (step.step === 'text' && at !== answer) say(step.text)
    if (step.step !== 'tool') continue
    const made = results[uses]?.failed === false ? editsIn(step.tool ?? '', step.text) : []
    uses += 1
    if (made.length === 0) others += 1
    for (const edit of made) make(edit)
  }
  return { v: 1, session, text: result, edits, left_out: [...leftOut], other_tools: others }
}
