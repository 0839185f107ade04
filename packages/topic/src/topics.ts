import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { logExists, type Place, readLinesBackwards, segmentsOf } from '@switchyard/jsonl'
import { entriesIn, makeFolder, orRefused, realPathIfThere, statIfThere, syncFolder } from './disk.ts'
import { topicPath } from './post.ts'
import { createBus, type Store, topicsFolder } from './store.ts'
import { topicOfFile } from './topic-name.ts'

function* filesBelow(folder: string, prefix: string): Generator<string> {
  for (const entry of entriesIn(folder)) {
    if (entry.isDirectory() && !entry.name.endsWith('.lock'))
      yield* filesBelow(join(folder, entry.name), `${prefix}${entry.name}/`)
    else if (entry.isFile() || (entry.isSymbolicLink() && leadsToFile(join(folder, entry.name))))
      yield prefix + entry.name
  }
}

/** A link to a folder is not followed: it may lead back to where it lies. */
function leadsToFile(link: string): boolean {
  const path = realPathIfThere(link)
  return path !== undefined && statIfThere(path)?.isFile() === true
}

/** A sealed segment's file name as its topic's active file name, any other name as it is. */
function activeFile(file: string): string {
  return file.replace(/\.[0-9A-HJKMNP-TV-Z]{26}\.jsonl$/, '.jsonl')
}

/** The topics of a bus, sorted by name; none when the bus has not been made. */
export function listTopics(store: Store): string[] {
  const files = [...filesBelow(topicsFolder(store), '')]
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
    // Nothing, appended: whoever posts at the same moment loses nothing.
    appendFileSync(path, '')
    syncFolder(dirname(path))
  })
  return true
}

/** Bytes of a topic's files, without the long bodies and attachments that are kept beside them. */
export function sizeOfTopic(store: Store, topic: string): number {
  return segmentsOf(topicPath(store, topic)).reduce((sum, path) => sum + (statIfThere(path)?.size ?? 0), 0)
}

/** The place behind all that is in the topic now, for `followTopics`; undefined when nothing is. */
export function endOfTopic(store: Store, topic: string): Place | undefined {
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
