import { Failure } from '@switchyard/cli-kit/failure'
import type { Status } from './log/event-schema.ts'
import { statuses } from './log/guard.ts'

/** A status by its name. Exits 2 on any other word. */
export function parseStatus(text: string): Status {
  const status = statuses.find((name) => name === text)
  if (status) return status
  throw new Failure('usage', `expected a status, got "${text}"`, { hint: `one of ${statuses.join(', ')}` })
}
