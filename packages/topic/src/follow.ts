import { follow, type Line, parseRecord, type Start } from '@switchyard/jsonl'
import { isMessage } from './message.ts'
import { topicPath } from './post.ts'
import type { Entry } from './read.ts'
import { createBus, type Store, topicsFolder } from './store.ts'
import { listTopics } from './topics.ts'
import { watchTree } from './watch-tree.ts'

/** How often topics are looked for without an event, because some file systems send none. */
const rescanMs = 1000

export type FollowOptions = {
  /** Which topics, also those that come into being later. */
  isMeant: (topic: string) => boolean
  /** Where to begin in a topic that is already there (default: its end, as it is at the first call of `next`). */
  from?: (topic: string) => Start
  signal: AbortSignal
}

/** Entries wait here between the followers that find them and the one reader that asks. */
class Queue {
  readonly #entries: Entry[] = []
  #failure: { error: unknown } | undefined
  #wake: () => void = () => undefined

  push(entry: Entry): void {
    this.#entries.push(entry)
    this.#wake()
  }

  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#wake()
  }

  wake(): void {
    this.#wake()
  }

  /** The next entry; undefined once the signal is aborted. Throws what a follower failed with. */
  async next(signal: AbortSignal): Promise<Entry | undefined> {
    while (!signal.aborted) {
      const entry = this.#entries.shift()
      if (entry) return entry
      if (this.#failure) throw this.#failure.error
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return undefined
  }
}

function toEntry(line: Line): Entry | undefined {
  const record = parseRecord(line)
  return record && isMessage(record) ? { message: record, line } : undefined
}

/**
 * New messages of all topics that are meant, as they are written, each once; topics that come later are followed from
 * their first message. Ends when the signal is aborted. Makes the bus when there is none, so that there is something to
 * watch.
 */
export async function* followTopics(
  store: Store,
  { isMeant, from = () => 'end', signal }: FollowOptions,
): AsyncGenerator<Entry> {
  createBus(store)
  const queue = new Queue()
  const followed = new Set<string>()
  const left = new AbortController()
  const ended = AbortSignal.any([signal, left.signal])

  const pump = async (topic: string, start: Start) => {
    for await (const line of follow(topicPath(store, topic), { from: start, signal: ended })) {
      const entry = toEntry(line)
      if (entry) queue.push(entry)
    }
  }
  const scan = (startOf: (topic: string) => Start) => {
    for (const topic of listTopics(store)) {
      if (followed.has(topic) || !isMeant(topic)) continue
      followed.add(topic)
      pump(topic, startOf(topic)).catch((error: unknown) => queue.fail(error))
    }
  }
  const rescan = () => {
    tree.refresh()
    scan(() => 'start')
  }
  const tree = watchTree(topicsFolder(store), rescan)

  tree.refresh()
  scan(from)
  const timer = setInterval(rescan, rescanMs)
  const letGo = () => {
    clearInterval(timer)
    tree.close()
    queue.wake()
  }
  ended.addEventListener('abort', letGo)
  try {
    for (let entry = await queue.next(ended); entry; entry = await queue.next(ended)) yield entry
  } finally {
    left.abort()
    letGo()
  }
}
