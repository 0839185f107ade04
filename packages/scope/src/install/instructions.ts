// What an agent is told of sessions in the file that it reads at each start: a marked block, which is put in and taken
// out whole.
import { Failure } from '@switchyard/ground/failure'

const begin = '<!-- scope: begin -->'
const end = '<!-- scope: end -->'

/** When to start a session for a part of a task, and how. */
const instructions = `${begin}
## Sessions for parts of a task

\`scope spawn "TASK"\` starts another agent in a session of its own. It has its own context: you pay for its answer, not for its reading.

Start one when the part
- would fill a good part of your context with things that you need only once (more than about a third of it),
- can go on beside your own work,
- has a beginning and an end that you can write down,
- needs nothing that only you know by now.

Do it yourself when
- it is a quick look or a small edit,
- it would need questions and answers on the way, or you have to see each step,
- it hangs together with what you are just changing.

How
- \`id=$(scope spawn "TASK" --type explore|implement|test|review|refactor --input PATH)\` returns at once.
- \`scope poll $id\` says how it stands, \`scope wait $id --text\` waits and prints its answer, \`scope result $id\` prints it again.
- Say in the task all that it has to know. Start those that need not wait for each other together, then wait for all: \`scope wait 0.0 0.1\`.
- \`scope exit "REASON"\` stops your own session when its way leads nowhere. \`scope prime\` has more.
${end}`

/** A text with the block, at its end when it has none yet. Failure `corrupt` where marks stand without each other. */
export function withBlock(text: string | undefined, path: string): string {
  const place = findBlock(text ?? '', path)
  if (text === undefined) return `${instructions}\n`
  if (place !== undefined) return text.slice(0, place.from) + instructions + text.slice(place.to)
  const isEnded = text.endsWith('\n') || text === ''
  return `${text}${isEnded ? '' : '\n'}\n${instructions}${isEnded ? '\n' : ''}`
}

/**
 * A text without the block, and without the lines that came with it: as it was before. Undefined for a file that holds
 * nothing else, and was made for it.
 */
export function withoutBlock(text: string, path: string): string | undefined {
  const place = findBlock(text, path)
  if (place === undefined) return text
  const [before, after] = [text.slice(0, place.from), text.slice(place.to)]
  if (before === '' && after.trim() === '') return undefined
  if (after === '') return before.replace(/\n\n$/, '')
  return before.replace(/\n$/, '') + after.replace(/^\n/, '')
}

/** Whether the block is there as this version writes it. */
export const hasBlock = (text: string | undefined) => text?.includes(instructions) === true

function findBlock(text: string, path: string): { from: number; to: number } | undefined {
  const begins = [...text.matchAll(new RegExp(begin, 'g'))].map(({ index }) => index)
  const ends = [...text.matchAll(new RegExp(end, 'g'))].map(({ index }) => index)
  const [from, to] = [begins[0], ends[0]]
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined || begins.length > 1 || ends.length > 1 || to < from) {
    throw new Failure('corrupt', `expected one block of scope in ${path}, got marks without each other`, {
      hint: `take out the lines ${begin} and ${end}, then run it again`,
    })
  }
  return { from, to: to + end.length }
}
