import type { Message } from '@switchyard/topic'

/** A message at its place in a thread. The root has depth 0. */
export type Threaded = { message: Message; depth: number; lead: string; under: string }

/** The message that a thread begins with: from any of its members upwards, as far as the messages are there. */
export function findRoot(messages: ReadonlyMap<string, Message>, member: Message): Message {
  const visited = new Set<string>()
  let root = member
  while (root.reply_to !== undefined && !visited.has(root.id)) {
    visited.add(root.id)
    const parent = messages.get(root.reply_to)
    if (!parent) break
    root = parent
  }
  return root
}

function groupByParent(messages: readonly Message[]): Map<string, Message[]> {
  const replies = new Map<string, Message[]>()
  for (const message of messages) {
    if (message.reply_to === undefined) continue
    const siblings = replies.get(message.reply_to)
    if (siblings) siblings.push(message)
    else replies.set(message.reply_to, [message])
  }
  return replies
}

/**
 * A thread in reading order: each message before its replies, replies in the order of the log, with the lines that draw
 * the tree.
 */
export function threadOf(messages: readonly Message[], root: Message): Threaded[] {
  const replies = groupByParent(messages)
  const placed: Threaded[] = []
  const visited = new Set<string>()
  const stack: Threaded[] = [{ message: root, depth: 0, lead: '', under: '' }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (visited.has(next.message.id)) continue
    visited.add(next.message.id)
    placed.push(next)
    const children = replies.get(next.message.id) ?? []
    for (const [place, message] of [...children.entries()].reverse()) {
      const isLast = place === children.length - 1
      const { under, depth } = next
      stack.push({
        message,
        depth: depth + 1,
        lead: `${under}${isLast ? '└─ ' : '├─ '}`,
        under: `${under}${isLast ? '   ' : '│  '}`,
      })
    }
  }
  return placed
}
