import type { Message } from '@switchyard/topic'

/**
 * A message at its place in a thread; the thread's first message has depth 0. `lead` is what stands before its headline
 * and `under` before its body. `gone` is the id of a first message that is not there, on the first of its answers.
 */
export type Threaded = { message: Message; depth: number; lead: string; under: string; gone?: string }

/** Levels that are drawn; deeper answers stand where these do, so that a long chain stays on the screen. */
const drawnDepthMax = 24

/**
 * The id that a message's thread begins with, by what answers what. It may be of a message that is not there; of
 * messages that answer each other in a circle it is the smallest.
 */
export function rootFinder(parentOf: ReadonlyMap<string, string>): (id: string) => string {
  const roots = new Map<string, string>()
  return (id) => {
    const climbed = new Set<string>()
    let top = id
    for (let parent = parentOf.get(top); parent !== undefined; parent = parentOf.get(top)) {
      if (climbed.has(top) || roots.has(top)) break
      climbed.add(top)
      top = parent
    }
    const root = roots.get(top) ?? (climbed.has(top) ? smallestOfCircle(parentOf, top) : top)
    for (const each of climbed) roots.set(each, root)
    return root
  }
}

function smallestOfCircle(parentOf: ReadonlyMap<string, string>, start: string): string {
  let smallest = start
  for (let id = parentOf.get(start); id !== undefined && id !== start; id = parentOf.get(id)) {
    if (id < smallest) smallest = id
  }
  return smallest
}

/**
 * The messages of one thread, which come in the order of the log, in reading order: each before its answers, answers
 * in the order of the log, with the lines that draw the tree.
 */
export function threadOf(messages: readonly Message[], root: string): Threaded[] {
  const first = messages.find(({ id }) => id === root)
  const answers = groupByParent(messages)
  const placed: Threaded[] = []
  const visited = new Set<string>()
  const top = { depth: 0, lead: '', under: '' }
  const stack: Threaded[] = first ? [{ message: first, ...top }] : answersBelow(top, answers.get(root)).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (visited.has(next.message.id)) continue
    visited.add(next.message.id)
    placed.push(next)
    for (const answer of answersBelow(next, answers.get(next.message.id)).reverse()) stack.push(answer)
  }
  const [opening] = placed
  if (opening && !first) opening.gone = root
  return placed
}

function groupByParent(messages: readonly Message[]): Map<string, Message[]> {
  const answers = new Map<string, Message[]>()
  for (const message of messages) {
    if (message.reply_to === undefined) continue
    const siblings = answers.get(message.reply_to)
    if (siblings) siblings.push(message)
    else answers.set(message.reply_to, [message])
  }
  return answers
}

function answersBelow({ depth, under }: Omit<Threaded, 'message'>, answers: readonly Message[] = []): Threaded[] {
  const isDrawn = depth < drawnDepthMax
  const last = answers.length - 1
  return answers.map((message, place) => ({
    message,
    depth: depth + 1,
    lead: `${isDrawn ? under : under.slice(0, -3)}${place === last ? '└─ ' : '├─ '}`,
    under: isDrawn ? `${under}${place === last ? '   ' : '│  '}` : under,
  }))
}
