import { statuses } from '../schema/event.check.ts'
import type { Status } from '../schema/event-schema.ts'
import { parseWord } from '../text/parse-word.ts'

/** A status by its name. Exits 2 on any other word. */
export function parseStatus(text: string): Status {
  return parseWord('a status', text, statuses)
}
