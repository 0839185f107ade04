// What is told of a turn or a gate that did not do: to the agent, who is to do it better, and to people.
import { doneWords } from './done-words.ts'

/** Beginning with the line that says the most; people are told that one alone in many places. */
export type Told = { readonly toAgent: string; readonly toPeople: string }

export const alike = (text: string): Told => ({ toAgent: text, toPeople: text })

export const nothingChanged: Told = {
  toAgent: 'You said that it is done, but nothing changed in the worktree.',
  toPeople: 'the agent said that it is done, but nothing changed in the worktree',
}

const namedMax = 20

export function uncommittedTold(files: readonly string[]): Told {
  const more = files.length > namedMax ? `, and ${files.length - namedMax} more` : ''
  const names = `${files.slice(0, namedMax).join(', ')}${more}`
  return {
    toAgent: `You said that you are done, but this is not committed: ${names}. Commit what belongs to it, remove the rest.`,
    toPeople: `the agent said that it is done, but this is not committed: ${names}`,
  }
}

/** A line of the agent's that begins with no word that exists. */
export function noSignal(line: string): string {
  const words = [...doneWords.keys()].join(', ')
  return `<loop-done>${line}</loop-done> is no signal; the words are: ${words}.`
}

/** What the agent says with a word, and why, as far as it said; all that it printed behind that. */
export function saidBehind(what: string, why: string | undefined, output: string): string {
  const rest = output.trim()
  if (why === undefined) return rest === '' ? what : `${what}: ${rest}`
  return rest === '' || rest === why ? `${what}: ${why}` : `${what}: ${why}\n${rest}`
}

export function sameAgain(times: number): string {
  return `It failed in the same way ${times} times in a row. The third time the loop stops: do something else than before.`
}

/** A verdict that was given on the very change that is there now. */
export function stillReviewed({ toAgent, toPeople }: Told): Told {
  return { toAgent: `${toAgent}\nNothing is changed since.`, toPeople: `${toPeople}\nNothing is changed since.` }
}

type Conflict = { where: string; salvage: string | undefined; output: string }

export function conflictTold({ where, salvage, output }: Conflict): Told {
  const kept = salvage === undefined ? '' : ` Your change is kept in ${salvage} (git show).`
  const toAgent =
    `Your change was sound but conflicts with what has landed since in ${where}. ` +
    `The worktree is at the new base now, without your change: make it again.${kept}`
  return {
    toAgent: output === '' ? toAgent : `${toAgent}\n${output}`,
    toPeople: `the change conflicted with what has landed since in ${where}`,
  }
}

export const nudge =
  'The last turns left everything as it was. Do something else than before: look at the problem from another side, ' +
  'ask for a second opinion, or say that you are stuck.'
