// What an agent says of its own work in a text: a line `<loop-done>WORD</loop-done>`.
import { doneWords } from './done-words.ts'
import type { WorkInput } from './work-schema.ts'

/** What the agent says; whether it is true is for the gates. */
export type Said = Extract<WorkInput, { of: 'turn' }>['said']

/** What a turn says: `why` stands behind the word, `unknown` is a line that has no word of ours. */
export type Words = { readonly said: Said; readonly why?: string; readonly unknown?: string }

type Heard = Pick<Words, 'why'> & ({ said: Said } | { said?: undefined; unknown: string })

const doneLine = /^\s*<loop-done>(.*)<\/loop-done>$/
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/
const lengthMax = 200

/**
 * What the last `<loop-done>` line of a text says; undefined when it has none. The line stands alone but for blanks:
 * what is quoted or in a fence is only talked about. A fence that is never closed goes on to the end, as in Markdown.
 */
export function hearIn(text: string): Heard | undefined {
  let open: string | undefined
  let heard: Heard | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, marks, info = ''] = fence.exec(line) ?? []
    if (open !== undefined) {
      if (marks?.startsWith(open) && info.trim() === '') open = undefined
    } else if (marks !== undefined && !(marks.startsWith('`') && info.includes('`'))) {
      open = marks
    } else {
      const words = doneLine.exec(line.trimEnd())?.[1]
      if (words !== undefined) heard = heardOf(words.trim())
    }
  }
  return heard
}

function heardOf(line: string): Heard {
  const [first = '', rest = ''] = split(line)
  const said = doneWords.get(first.toLowerCase())
  if (said === undefined) return { unknown: line.slice(0, lengthMax) }
  return rest === '' ? { said } : { said, why: rest.slice(0, lengthMax) }
}

/** The first word, and what stands behind it. A hyphen or an apostrophe is a part of a word. */
function split(line: string): [string, string] {
  const [word = ''] = /^[\p{L}\p{N}_'’-]*/u.exec(line) ?? []
  return [word, line.slice(word.length).replace(/^[\s:;,.!–—]+/, '')]
}

/**
 * What a turn says, by how it ended and by what was heard of it. No word makes a turn that failed a good one, and a
 * turn whose word nobody knows has not said that it is done.
 */
export function wordsOf(ended: Said, heard: Heard | undefined): Words {
  const isGood = ended !== 'failed' && ended !== 'timeout'
  if (heard === undefined) return { said: ended }
  if (heard.said === undefined) return { said: isGood ? 'quiet' : ended, unknown: heard.unknown }
  if (ended === 'timeout' || (!isGood && (heard.said === 'done' || heard.said === 'nothing'))) return { said: ended }
  return heard
}
