import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { follow, type Line, type Place, parseRecord } from '@switchyard/jsonl'
import { isMessage } from './message.ts'
import { topicPath } from './post.ts'
import type { Entry } from './read.ts'
import { createBus, type Store, topicsFolder } from './store.ts'
import { listTopics } from './topics.ts'

/** How often topics are looked for without an event, because some file systems send none. */
const rescanMs = 1000

type Start = Place | 'start' | 'end'

export type FollowOptions = {
  /** Which topics, also those that come into being later. */
  isMeant: (topic: string) => boolean
  /** Where to begin in a topic that is already there: behind this place, or at the end. */
  from?: (topic: string) => Place | undefined
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

  /** The next entry; undefined once the signal is aborted and nothing is left. */
  async next(signal: AbortSignal): Promise<Entry | undefined> {
    for (;;) {
      const entry = this.#entries.shift()
      if (entry) return entry
      if (this.#failure) throw this.#failure.error
      if (signal.aborted) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

function toEntry(line: Line): Entry | undefined {
  const record = parseRecord(line)
  return record && isMessage(record) ? { message: record, line } : undefined
}

function* foldersBelow(folder: string): Generator<string> {
  yield folder
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !entry.name.endsWith('.lock')) yield* foldersBelow(join(folder, entry.name))
  }
}

/** Calls back when a file or folder comes or goes below `root`. */
class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #root: string
  readonly #onChange: () => void

  constructor(root: string, onChange: () => void) {
    this.#root = root
    this.#onChange = onChange
  }

  /** Watches folders that have come since. */
  refresh(): void {
    for (const folder of foldersBelow(this.#root)) {
      if (this.#watchers.has(folder)) continue
      const watcher = watch(folder, (event) => {
        if (event === 'rename') this.#onChange()
      })
      watcher.on('error', () => this.#forget(folder))
      this.#watchers.set(folder, watcher)
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  close(): void {
    for (const folder of [...this.#watchers.keys()]) this.#forget(folder)
  }
}

/**
 * New messages of all topics that are meant, as they are written, each once; topics that come later are followed from their first
 * message. Ends when the signal is aborted. Makes the bus when there is none, so that there is something to watch.
 */
export async function* followTopics(store: Store, { isMeant, from, signal }: FollowOptions): AsyncGenerator<Entry> {
  createBus(store)
  const queue = new Queue()
  const followed = new Set<string>()

  const pump = async (topic: string, start: Start) => {
    const path = topicPath(store, topic)
    for await (const line of follow(path, { from: start, signal })) {
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
    folders.refresh()
    scan(() => 'start')
  }
  const folders = new FolderWatch(topicsFolder(store), rescan)

  folders.refresh()
  scan((topic) => from?.(topic) ?? 'end')
  const timer = setInterval(rescan, rescanMs)
  const stop = () => queue.wake()
  signal.addEventListener('abort', stop)
  try {
    for (let entry = await queue.next(signal); entry; entry = await queue.next(signal)) yield entry
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(timer)
    folders.close()
  }
}
