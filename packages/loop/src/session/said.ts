// What an agent says of its own work in a text: a line `<loop-done>WORD</loop-done>`.
import type { WorkInput } from '../state/work-schema.ts'

/** What the agent says; whether it is true is for the gates. */
export type Said = Extract<WorkInput, { of: 'turn' }>['said']

const doneLine = /^<loop-done>(.*)<\/loop-done>$/
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/

/**
 * What the last `<loop-done>` line of a text says; undefined when it has none. The line stands alone and begins at the
 * left: what is quoted, in a fence or indented as code is only talked about. A fence that is never closed goes on to
 * the end, as in Markdown.
 */
export function saidIn(text: string): Said | undefined {
  let open: string | undefined
  let said: Said | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, marks, info = ''] = fence.exec(line) ?? []
    if (open !== undefined) {
      if (marks?.startsWith(open) && info.trim() === '') open = undefined
    } else if (marks !== undefined && !(marks.startsWith('`') && info.includes('`'))) {
      open = marks
    } else {
      const word = doneLine.exec(line.trimEnd())?.[1]
      if (word !== undefined) said = saidBy(word)
    }
  }
  return said
}

const words: ReadonlyMap<string, Said> = new Map([
  ['nothing to do', 'nothing'],
  ['nothing', 'nothing'],
  ['stuck', 'stuck'],
  ['max_iterations', 'limit'],
  ['limit', 'limit'],
])

/** The word of a `<loop-done>` line. Others than these mean that it is done. */
function saidBy(word: string): Said {
  return words.get(word.trim().toLowerCase()) ?? 'done'
}
