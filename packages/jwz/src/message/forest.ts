import type { Message } from '@switchyard/topic'

/** A message at its place among the threads of a topic. What begins a thread has depth 0. */
export type Placed = { message: Message; depth: number }

/** Whether going from reply to parent leads from `start` to `child`; only then would an edge between them be a circle. */
function leadsTo(messages: ReadonlyMap<string, Message>, start: Message, child: Message): boolean {
  const visited = new Set<Message>()
  for (let at: Message | undefined = start; at && !visited.has(at); at = messages.get(at.reply_to ?? '')) {
    if (at === child) return true
    visited.add(at)
  }
  return false
}

/**
 * All messages of a topic in reading order: each thread where its first message stands in the log, each message before
 * its replies. A reply whose parent is not there begins a thread, and so does the first of a circle. An import may have
 * put a parent behind its reply; nothing is lost by that.
 */
export function forestOf(messages: readonly Message[]): Placed[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const places = new Map(messages.map((message, place) => [message, place]))
  const replies = new Map<Message, Message[]>()
  const roots: Message[] = []
  for (const [place, message] of messages.entries()) {
    const parent = message.reply_to === undefined ? undefined : byId.get(message.reply_to)
    // A circle has a link to a later message somewhere, so only those are looked into.
    const isCircle = parent && (places.get(parent) ?? 0) >= place && leadsTo(byId, parent, message)
    const siblings = !parent || isCircle ? roots : (replies.get(parent) ?? [])
    siblings.push(message)
    if (parent && siblings !== roots) replies.set(parent, siblings)
  }
  const placed: Placed[] = []
  const stack: Placed[] = roots.map((message) => ({ message, depth: 0 })).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    placed.push(next)
    const { message, depth } = next
    for (const reply of (replies.get(message) ?? []).reverse()) stack.push({ message: reply, depth: depth + 1 })
  }
  return placed
}
