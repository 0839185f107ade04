// The bus beside the sessions: which it is, and whether there is one.
import type { Context } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import { busExists, locateStore, type Store } from '@switchyard/topic'
import type { Scribe } from './record.ts'
import { openScope } from './scope-store.ts'

type Caller = Pick<Context, 'cwd' | 'env'>

/** Where the bus is, or would be; undefined where it cannot be told: sessions do without. */
export function busPlace({ cwd, env }: Caller): Store | undefined {
  try {
    return locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}

/** Who writes about the sessions of a call. */
export function scribeOf(call: Caller & Pick<Context, 'now'>, store = openScope(call)): Scribe {
  return {
    ...{ store, now: call.now },
    // Looked for by whoever has something to tell: most only look.
    get bus() {
      const bus = busPlace(call)
      return bus !== undefined && busExists(bus) ? bus : undefined
    },
    announce: async (events) => (await import('./announce.ts')).announce(store, events, call.env),
  }
}
