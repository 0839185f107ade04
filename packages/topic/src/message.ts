import type { Message } from './message-schema.ts'

/** Whether a message has had its time; `now` is milliseconds since 1970. Readers leave it out, the log keeps it. */
export function isExpired({ expires }: Pick<Message, 'expires'>, now: number): boolean {
  return expires !== undefined && expires <= now
}
