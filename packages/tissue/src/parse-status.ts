import type { Status } from './log/event-schema.ts'
import { statuses } from './log/guard.ts'
import { parseWord } from './parse-word.ts'

/** A status by its name. Exits 2 on any other word. */
export function parseStatus(text: string): Status {
  return parseWord('a status', text, statuses)
}
