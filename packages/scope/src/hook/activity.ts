// What an agent does now, as one short line for people.
import type { Deed } from '@switchyard/wire/tool-deed'
import { cut, oneLine } from '../short-text.ts'

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
