import type { Dirent } from 'node:fs'
import { entriesIn, makeFolder, orRefused, statIfThere, syncFolder } from '@switchyard/ground/disk'
import { isFailure } from '@switchyard/ground/failure'
import { closeSync, constants, dirname, join, openSync } from '@switchyard/ground/machine'
import { type LogPlace, logExists, readLinesBackwards, segmentsOf } from '@switchyard/jsonl'
import { busExists, createBus, type Store, topicPath, topicsFolder } from './store.ts'
import { topicOfFile } from './topic-name.ts'

/** What cannot be read where topics are looked for, and why; `isUnread`: a folder that may have topics in it. */
export type Odd = { path: string; reason: string; isUnread?: true }

/** Told of what is odd, it goes on; else a folder that may not be read is a failure. */
type OnOdd = ((odd: Odd) => void) | undefined

/** No link is followed: it may have come with the repository, and lead anywhere. */
function* filesBelow(folder: string, prefix: string, onOdd: OnOdd): Generator<string> {
  for (const entry of readable(folder, onOdd)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.endsWith('.lock')) {
      if (isTopicFile(prefix + entry.name)) onOdd?.({ path, reason: 'a topic is a file, this is a folder' })
      yield* filesBelow(path, `${prefix}${entry.name}/`, onOdd)
    } else if (entry.isFile()) yield prefix + entry.name
    else if (isTopicFile(prefix + entry.name)) onOdd?.({ path, reason: oddity(entry) })
  }
}

function readable(folder: string, onOdd: OnOdd): Dirent[] {
  try {
    return entriesIn(folder)
  } catch (error) {
    if (onOdd === undefined || !isFailure(error)) throw error
    onOdd({ path: folder, reason: `its topics are not seen: ${error.message}`, isUnread: true })
    return []
  }
}

const isTopicFile = (file: string) => topicOfFile(activeFile(file)) !== undefined

function oddity(entry: Dirent): string {
  return entry.isSymbolicLink()
    ? 'a topic is a file, this is a link, and none is followed'
    : 'a topic is a file, this is none'
}

/** A sealed segment's file name as its topic's active file name, any other name as it is. */
function activeFile(file: string): string {
  return file.replace(/\.[0-9A-HJKMNP-TV-Z]{26}\.jsonl$/, '.jsonl')
}

/**
 * The topics of a bus, sorted by name; none when the bus has not been made. What lies in the place of a topic and is no
 * file is none, and `onOdd` is told; without it a folder that may not be read is Failure `failed`.
 */
export function listTopics(store: Store, onOdd?: (odd: Odd) => void): string[] {
  if (!busExists(store)) return []
  const files = [...filesBelow(topicsFolder(store), '', onOdd)]
  const topics = new Set(files.map((file) => topicOfFile(activeFile(file))))
  return [...topics].filter((topic) => topic !== undefined).sort()
}

/**
 * Whether anybody has posted to the topic, without a look at the others. Fails as bad input on a name that is no topic.
 */
export function topicExists(store: Store, topic: string): boolean {
  return logExists(topicPath(store, topic))
}

/**
 * Makes a topic that nobody has posted to yet, and the bus where there is none; one that is there stays as it is.
 * Returns whether it is new. Fails as bad input on a name that is no topic, as `failed` when the disk refuses.
 */
export function createTopic(store: Store, topic: string): boolean {
  const path = topicPath(store, topic)
  createBus(store)
  if (topicExists(store, topic)) return false
  orRefused(`the topic ${topic} was to be made`, () => {
    makeFolder(dirname(path))
    // Opened, not written: whoever posts at the same moment loses nothing.
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o666))
    syncFolder(dirname(path))
  })
  return true
}

/** Bytes of a topic's files, without the long bodies and attachments that are kept beside them. */
export function sizeOfTopic(store: Store, topic: string): number {
  return segmentsOf(topicPath(store, topic)).reduce((sum, path) => sum + (statIfThere(path)?.size ?? 0), 0)
}

/** The place behind all that is in the topic now, for `followTopics`; undefined when nothing is. */
export function endOfTopic(store: Store, topic: string): LogPlace | undefined {
  for (const { inode, end } of readLinesBackwards(topicPath(store, topic))) return { inode, offset: end }
  return undefined
}

/** A test for topic names: `*` stands for any characters, also colons, `?` for one; a plain name is itself. */
export function topicPattern(pattern: string): (topic: string) => boolean {
  const wanted = [...pattern]
  return (topic) => fits(wanted, [...topic])
}

/** By hand, because a regular expression tries every way to share out a name among many `*`. */
function fits(wanted: readonly string[], given: readonly string[]): boolean {
  let at = 0
  let star: { at: number; upTo: number } | undefined
  for (let here = 0; here < given.length; here++) {
    if (wanted[at] === '*') {
      star = { at, upTo: here }
      at += 1
      here -= 1
    } else if (wanted[at] === '?' || wanted[at] === given[here]) {
      at += 1
    } else if (star) {
      // The last star takes one more character; an earlier one never has to.
      here = star.upTo
      star.upTo += 1
      at = star.at + 1
    } else {
      return false
    }
  }
  while (wanted[at] === '*') at += 1
  return at === wanted.length
}
