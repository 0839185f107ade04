import { followTopics, type Store } from '@switchyard/topic'

/** How often all topics are looked at: events may be missed, and only messages make some. */
const lookMs = 1_000

/**
 * Tells which topics may have something new: at once those with a new message, and every second all (undefined). `next`
 * ends with the signal, too, and fails when the bus cannot be followed any more.
 */
export function watchChanges(
  store: Store,
  isMeant: (topic: string) => boolean,
  signal: AbortSignal,
): { next(): Promise<readonly string[] | undefined> } {
  const changed = new Set<string>()
  let wake: () => void = () => undefined
  let failure: { error: unknown } | undefined
  const follow = async () => {
    for await (const { message } of followTopics(store, { isMeant, signal })) {
      changed.add(message.topic)
      wake()
    }
  }
  follow().catch((error: unknown) => {
    failure = { error }
    wake()
  })
  signal.addEventListener('abort', () => wake())
  let lookedMs = 0
  return {
    async next() {
      const waitMs = lookMs - (performance.now() - lookedMs)
      if (changed.size === 0 && !failure && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, waitMs))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      if (failure) throw failure.error
      const topics = [...changed]
      changed.clear()
      if (topics.length > 0 && performance.now() - lookedMs < lookMs) return topics
      lookedMs = performance.now()
      return undefined
    },
  }
}
