import { isExpired, type Message } from '@switchyard/topic'
import { everybody } from './acks.ts'

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/**
 * Whether a body mentions somebody: `@name` as a word of its own, so neither an address (`x@name`) nor a package
 * (`@name/x`) nor another name that begins like it.
 */
export function mentions(body: string, name: string): boolean {
  if (!body.includes(`@${name}`)) return false
  const word = String.raw`[\p{L}\p{N}_]`
  return new RegExp(`(?<![\\p{L}\\p{N}_@./-])@${escaped(name)}(?!${word}|[-./]${word})`, 'u').test(body)
}

/**
 * Whether a message is meant for somebody: addressed to them or to all, mentioning them, or in their own topic
 * `agent:NAME`; never one's own.
 */
export function isFor(
  name: string,
  { now, bodyOf }: { now: number; bodyOf: (message: Message) => string },
): (message: Message) => boolean {
  const names = [name, everybody]
  return (message) => {
    if (message.from === name || isExpired(message, now)) return false
    if (message.topic === `agent:${name}`) return true
    if (message.to?.some((addressee) => names.includes(addressee))) return true
    const body = bodyOf(message)
    return names.some((mentioned) => mentions(body, mentioned))
  }
}
