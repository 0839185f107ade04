import { isFailure } from '@switchyard/ground/failure'
import { follow, type Judge, type Line, type LineVerdict, markSealed, parseRecord, type Start } from '@switchyard/jsonl'
import { isMessage } from './message.check.ts'
import { type Entry, judgeOf } from './read.ts'
import { createBus, type Store, topicPath, topicsFolder } from './store.ts'
import { listTopics } from './topics.ts'
import { watchTree } from './watch-tree.ts'

/** How often topics are looked for without an event, because some file systems send none. */
const rescanMs = 1000
/** Ids of conditional messages that are remembered, so that none comes twice. */
const idsMax = 8192

export type FollowOptions = {
  /** Which topics, also those that come into being later. */
  isMeant: (topic: string) => boolean
  /** Where to begin in a topic that is already there (default: its end, as it is at the first call of `next`). */
  from?: (topic: string) => Start
  signal: AbortSignal
  /**
   * Told once of each topic, or folder of topics, that cannot be read; the others go on, and it is looked at again.
   * Without it a topic that is meant and cannot be read is a failure.
   */
  onUnread?: (place: string, reason: string) => void
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

/** The message that a line holds, or undefined when it holds none that counts and has not come before. */
function entryReader(path: string): (line: Line) => Entry | undefined {
  const came = new Set<string>()
  let judge = judgeOf(path)
  let last: Line | undefined
  const counts = (line: Line, id: string) => {
    // Begun anew under the same number, a file is another.
    if (last && last.inode === line.inode && line.offset < last.offset) judge = judgeOf(path)
    if (came.has(id) || verdictAtLast(path, judge, line) !== 'counts') return false
    came.add(id)
    if (came.size > idsMax) for (const oldest of came) return came.delete(oldest)
    return true
  }
  return (line) => {
    const record = parseRecord(line)
    if (!record || !isMessage(record)) return undefined
    const isMeant = !('expect' in record) || counts(line, record.id)
    last = line
    return isMeant ? { message: record, line } : undefined
  }
}

/** How far a topic has been followed, and what has come of it. */
type Pumped = { at: Start; readonly toEntry: (line: Line) => Entry | undefined }

/** What a killed sealer has left undecided is decided by whoever has to know. */
function verdictAtLast(path: string, judge: Judge, line: Line): LineVerdict {
  const verdict = judge.verdict(line)
  if (verdict !== 'unsettled') return verdict
  try {
    markSealed(path)
  } catch (error) {
    if (!isFailure(error)) throw error
    return 'void'
  }
  return judge.verdict(line)
}

/**
 * New messages of all topics that are meant, as they are written, each once; topics that come later are followed from
 * their first message. Ends when the signal is aborted. Makes the bus when there is none, so that there is something to
 * watch.
 */
export async function* followTopics(
  store: Store,
  { isMeant, from = () => 'end', signal, onUnread }: FollowOptions,
): AsyncGenerator<Entry> {
  createBus(store)
  const queue = new Queue()
  const followed = new Set<string>()
  const done = new AbortController()
  const ended = AbortSignal.any([signal, done.signal])

  const told = new Set<string>()
  const tell = (place: string, reason: string) => {
    if (!told.has(place)) onUnread?.(place, reason)
    told.add(place)
  }
  /** Where to go on in a topic that could not be read. */
  const left = new Map<string, Pumped>()
  const pump = async (topic: string, pumped: Pumped) => {
    try {
      for await (const line of follow(topicPath(store, topic), { from: pumped.at, signal: ended })) {
        pumped.at = { inode: line.inode, offset: line.end }
        const entry = pumped.toEntry(line)
        if (entry) queue.push(entry)
      }
    } catch (error) {
      if (onUnread === undefined || !isFailure(error)) return queue.fail(error)
      tell(topic, error.message)
      left.set(topic, pumped)
      followed.delete(topic)
    }
  }
  const scan = (startOf: (topic: string) => Start) => {
    for (const topic of listTopics(store, ({ path, reason }) => tell(path, reason))) {
      if (followed.has(topic) || !isMeant(topic)) continue
      followed.add(topic)
      void pump(topic, left.get(topic) ?? { at: startOf(topic), toEntry: entryReader(topicPath(store, topic)) })
    }
  }
  const rescan = () => {
    try {
      tree.refresh()
      scan(() => 'start')
    } catch (error) {
      // Nobody is there to catch what a timer throws.
      queue.fail(error)
    }
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
    done.abort()
    letGo()
  }
}
