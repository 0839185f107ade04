// What an agent does now, as one short line for people.
import type { Deed } from '@switchyard/wire/tool-deed'

const commandLengthMax = 40
const lengthMax = 80

const words: Readonly<Record<Deed['do'], (what: string) => string>> = {
  read: (what) => `reading ${what || 'files'}`,
  edit: (what) => `editing ${what || 'files'}`,
  run: (what) => `running: ${cut(what, commandLengthMax)}`,
  search: (what) => `searching: ${what}`,
  find: (what) => `finding: ${what}`,
  spawn: () => 'spawning subtask',
  ask: (what) => `asking: ${what}`,
  use: (what) => what,
}

/** A deed as a line. `redact` takes secrets out of it, before anything is cut. */
export const activityOf = (deed: Deed, redact: (text: string) => string): string =>
  cut(words[deed.do](oneLine(redact(deed.what))), lengthMax).trim()

/** A text as one line that does nothing to a terminal. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()

/** At most so many characters, the last of which says that there were more. */
export function cut(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}
