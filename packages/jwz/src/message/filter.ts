import type { Context } from '@switchyard/cli-kit'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { type Entry, isExpired, isMe, type Message, nameMeant, type Store, withBody } from '@switchyard/topic'

/**
 * Which messages are meant. Apart are `since` (milliseconds since 1970), because it says how far back to read, and
 * `voidToo`, because readers judge it. `mark` says of a message what time or its log have made of it.
 */
export type Filter = {
  isMeant: (message: Message) => boolean
  since: number | undefined
  voidToo: boolean
  mark: (entry: Entry) => Message
}

/** What `filterFlags` gave, and `periodFlags` where a verb has them. */
export type Flags = {
  from: readonly string[]
  to: string | undefined
  role: string | undefined
  model: string | undefined
  tag: readonly string[]
  match: string | undefined
  branch: string | undefined
  urgent: boolean
  all?: boolean
  since?: string | undefined
  until?: string | undefined
}

function momentOf(flags: Flags, flag: 'since' | 'until', now: number): number | undefined {
  const text = flags[flag]
  return text === undefined ? undefined : parseMoment(text, now, `--${flag}`)
}

/** By name or by role: agents that share a terminal tell themselves apart by the role alone. */
function isFrom({ from, role }: Message, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => name === from || name === role)
}

/**
 * The message of an entry with the fields `void`, when it was conditional and does not count, and `expired`, when it
 * has had its time by `now` (milliseconds since 1970).
 */
export function marked({ message, isVoid }: Entry, now: number): Message {
  if (!isVoid && !isExpired(message, now)) return message
  return { ...message, ...(isVoid ? { void: true } : {}), ...(isExpired(message, now) ? { expired: true } : {}) }
}

function isEither<T>(wanted: T | undefined, given: T | undefined): boolean {
  return wanted === undefined || wanted === given
}

/** Whether a text has `wanted` in it: as it is when that has an upper-case letter, else in any case. */
function containing(wanted: string): (text: string) => boolean {
  const isExact = /\p{Lu}/u.test(wanted)
  const folded = wanted.toLowerCase()
  return (text) => (isExact ? text.includes(wanted) : text.toLowerCase().includes(folded))
}

/**
 * The filter that a call's flags describe: a message has to fit them all. `--match` looks into the whole body, wherever
 * it is kept. Expired messages are left out, unless `all` are wanted. `now` is milliseconds since 1970; fails as bad
 * input on a moment that is none.
 */
export function filterBy(store: Store, flags: Flags, now: number): Filter {
  const { from, to, role, model, tag, branch, urgent, all = false } = flags
  const [since, until] = [momentOf(flags, 'since', now), momentOf(flags, 'until', now)]
  const hasText = flags.match === undefined ? undefined : containing(flags.match)
  const isMeant = (message: Message) =>
    (all || !isExpired(message, now)) &&
    (since === undefined || message.at >= since) &&
    (until === undefined || message.at <= until) &&
    isFrom(message, from) &&
    (to === undefined || Boolean(message.to?.includes(to))) &&
    isEither(role, message.role) &&
    isEither(model, message.model) &&
    tag.every((wanted) => message.tags?.includes(wanted)) &&
    isEither(branch, message.git?.branch ?? undefined) &&
    (!urgent || message.urgent === true) &&
    // Last, because it may read a file.
    (hasText === undefined || hasText(withBody(store, message).body))
  return { isMeant, since, voidToo: all, mark: (entry) => marked(entry, now) }
}

/** Like `filterBy`, where `me` is who calls, as `env` says it. */
export async function filterOf(
  store: Store,
  flags: Flags,
  { now, env }: { now: number; env: Context['env'] },
): Promise<Filter> {
  const { from, to } = flags
  if (![...from, to ?? ''].some(isMe)) return filterBy(store, flags, now)
  const { callerOf } = await import('./caller.ts')
  const named = (name: string) => nameMeant(name, () => callerOf(store, env))
  return filterBy(store, { ...flags, from: from.map(named), to: to === undefined ? undefined : named(to) }, now)
}
