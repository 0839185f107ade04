// The bus beside the issues: which it is, and whether there is one. The log is the truth, the bus a hint.
import type { Context } from '@switchyard/cli-kit'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { busExists, locateStore, type Store } from '@switchyard/topic'
import type { SingleEvent } from '../schema/event-schema.ts'
import type { IssueStore } from '../store/store.ts'
import type { Outbox } from './outbox.ts'

type Caller = Pick<Context, 'cwd' | 'env'>

/** The bus of a call, whether it exists or not. Exits 2 when the environment names none. */
function busOf({ cwd, env }: Caller): Store {
  return locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
}

/** The bus of a place; undefined when it cannot be told: the issues do without. */
export function busIfAny(place: Caller): Store | undefined {
  try {
    return busOf(place)
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}

/** The bus, if there is one. */
export function busIfThere(place: Caller): Store | undefined {
  const bus = busIfAny(place)
  return bus !== undefined && busExists(bus) ? bus : undefined
}

/** Exits 2 where there is no bus. */
export function needBus(place: Caller): void {
  const bus = busOf(place)
  if (busExists(bus)) return
  throw new Failure('usage', `expected a bus to lease paths on, there is none at ${bus.path}`, {
    hint: 'make one with jwz init',
  })
}

/** A place moved to the top of the work tree, to which the bus's own form of paths is relative. */
export function atTop<P extends Caller>(place: P): P {
  const { repository, root } = busOf(place)
  return { ...place, cwd: repository?.top ?? root }
}

/** Tells the bus, if there is one, of what is in the log; that it cannot be told is only worth a word. */
export async function publish(
  place: Caller & Pick<Context, 'output'>,
  store: IssueStore,
  events: readonly SingleEvent[],
  outbox: Outbox | undefined,
): Promise<void> {
  try {
    const bus = busOf(place)
    if (!busExists(bus)) return
    const { publishEvents } = await import('./publish.ts')
    await publishEvents(bus, store.log, events, outbox)
  } catch (error) {
    noteUnlessBug(place, 'written, but not published on the bus', error)
  }
}

/** Says what could not be done besides the change itself, which is in the log and counts. */
export function noteUnlessBug({ output }: Pick<Context, 'output'>, what: string, error: unknown): void {
  if (!isFailure(error) && !(error instanceof Error && 'code' in error)) throw error
  output.note(`${what}: ${error.message}`)
}
