// One call that reads many topics: what cannot be read takes nothing from the others, and the answer says so.
import { type ExitCode, exitCodes, isFailure } from '@switchyard/ground/failure'
import { listTopics, type Store } from '@switchyard/topic'

/**
 * What `read` finds in a topic. Where the disk refuses, what came before that is all, and it is said once which topic
 * that was and why.
 */
export type Sparing = <T>(topic: string, read: () => Iterable<T>) => Iterable<T>

export type ManyTopics = {
  /** The topics that are seen. */
  names: readonly string[]
  sparing: Sparing
  /** The exit code of an answer that would have `code`, if it were whole: a part must not pass for all there is. */
  ended: (code?: ExitCode) => ExitCode | undefined
}

/** Opens the topics of a bus for reading them one after the other. */
export function manyTopics(store: Store, note: (text: string) => void): ManyTopics {
  const told = new Set<string>()
  let isWhole = true
  const lack = (what: string, reason: string) => {
    isWhole = false
    if (!told.has(what)) note(`${what}: ${reason}`)
    told.add(what)
  }
  const names = listTopics(store, ({ path, reason, isUnread }) => {
    if (isUnread) lack(path, reason)
    else note(`${path}: ${reason}`)
  })
  function* sparing<T>(topic: string, read: () => Iterable<T>): Generator<T> {
    try {
      yield* read()
    } catch (error) {
      if (!isRefusal(error)) throw error
      lack(topic, `is not read whole: ${error.message}`)
    }
  }
  return { names, sparing, ended: (code) => (isWhole ? code : exitCodes.corrupt) }
}

/** The disk's answer, or a link in a store; not what the caller asked for wrongly. */
function isRefusal(error: unknown): error is Error {
  return isFailure(error) && (error.kind === 'failed' || error.kind === 'conflict')
}
