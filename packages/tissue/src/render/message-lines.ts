// Messages of the bus as lines for people.
import { renderAge } from '@switchyard/cli-kit/age'
import type { BusMessage } from '../schema/schemas.ts'

const widthMax = 100

/** One line a message: where, who, how long ago, and how it begins. `now` is milliseconds since 1970. */
export function messageLines(messages: readonly BusMessage[], now: number): string[] {
  return messages.map(({ topic, from, at, body }) => {
    const [first = ''] = body.trimStart().split('\n')
    const begin = first.length > widthMax ? `${first.slice(0, widthMax - 1)}…` : first
    return `on the bus ${topic}  ${from}, ${renderAge(at, now)}: ${begin.trimEnd()}`
  })
}
