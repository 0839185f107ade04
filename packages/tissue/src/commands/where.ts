import { defineVerb } from '@switchyard/cli-kit'
import { busExists } from '@switchyard/topic'
import { busIfAny } from '../bus/bus.ts'
import { cacheFolder } from '../cache/cache.ts'
import { storeFlag, storeOf } from '../session/session.ts'
import { describeStore } from '../store/store.ts'

/** `tissue where`: which store a verb would use here, and why. */
export const where = defineVerb({
  summary: 'Print which store is used here, and why',
  flags: storeFlag,
  examples: ['tissue where', 'tissue where --json'],
  run(call) {
    const store = storeOf(call)
    const { path, root, log, reason } = store
    const { exists, private: isPrivate } = describeStore(store)
    const cache = cacheFolder(log)
    const place = busIfAny(call)
    const bus = place && busExists(place) ? place.path : null
    call.output.one(
      { v: 1, store: path, base: root, exists, reason, log, private: isPrivate, cache, bus },
      {
        text: () => `${path}\n${reason}${exists ? '' : '; not made yet'}`,
        id: () => path,
      },
    )
    return undefined
  },
})
