// What every verb does around its decision: find the store, read it, write, tell the bus.
import type { Context } from '@switchyard/cli-kit'
import { Failure, isFailure } from '@switchyard/cli-kit/failure'
import { busExists, identify, locateStore, type Store, ulid } from '@switchyard/topic'
import type { Actor } from './claim.ts'
import type { SingleEvent } from './event-schema.ts'
import type { Ledger } from './fold.ts'
import type { Need } from './need.ts'
import { type EndedLeases, leasesEndedBy } from './path-leases.ts'
import { commit, type Decide, type IssueStore, openStore, readLedger } from './store.ts'

/** The part of a call that says where and who. */
export type Scene = Pick<Context, 'cwd' | 'env' | 'now' | 'output'> & {
  readonly flags: { readonly store?: string | undefined; readonly as?: string | undefined }
}

/** Flags of every verb that reads. */
export const storeFlag = {
  store: { type: 'string', value: 'DIR', summary: 'Use this store, not the one of the current folder' },
} as const

/** Flags of every verb that writes. */
export const authorFlags = {
  ...storeFlag,
  as: { type: 'string', value: 'NAME', summary: 'Act under this name' },
} as const

/** The store of a call and what is in it, as far as it is needed. */
export function look(scene: Scene, need: Need = 'everything'): { store: IssueStore; ledger: Ledger } {
  const store = storeOf(scene)
  const { ledger, damaged } = readLedger(store.log, need)
  noteDamage(scene, damaged)
  return { store, ledger }
}

/**
 * Writes what `decide` asks for, then publishes it on the bus if there is one; the log is the truth, the bus a hint.
 * `need` is what `decide` looks at; the returned ledger has no more.
 */
export async function change(
  scene: Scene,
  decide: (ledger: Ledger, actor: Actor, store: IssueStore) => ReturnType<Decide>,
  need: Need = 'everything',
): Promise<{ ledger: Ledger; events: SingleEvent[]; created: string[] }> {
  const store = storeOf(scene)
  const by = nameOf(scene)
  // What is decided and what is written about it happen at the same time, so that a lease is as long as it says.
  let at = scene.now()
  let ended: EndedLeases[] = []
  const decideNow = (ledger: Ledger) => {
    at = scene.now()
    const entries = decide(ledger, { by, at }, store)
    ended = leasesEndedBy(ledger, entries)
    return entries
  }
  const { events, created, reading } = await commit(store, { by, now: () => at, ulid }, decideNow, { need })
  noteDamage(scene, reading.damaged)
  if (events.length > 0) await publish(scene, events)
  if (ended.length > 0) await giveBack(scene, ended)
  return { ledger: reading.ledger, events, created }
}

/** Who acts: also by the name that `jwz whoami --save` keeps on the bus, which is looked at only when nothing else says. */
export function nameOf({ cwd, env, flags }: Scene): string {
  const isGiven = flags.as !== undefined || env['JWZ_AGENT'] !== undefined
  return identify({ as: flags.as, env, store: isGiven ? undefined : busIfAny({ cwd, env }) })
}

/** A bus that cannot be found keeps nobody's name; the issues do without. */
export function busIfAny(scene: Pick<Scene, 'cwd' | 'env'>): Store | undefined {
  try {
    return busOf(scene)
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}

function busOf({ cwd, env }: Pick<Scene, 'cwd' | 'env'>): Store {
  return locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
}

/** The store of a call. */
export function storeOf({ cwd, env, flags }: Scene): IssueStore {
  return openStore({ cwd, env, override: flags.store })
}

/** The same scene at the top of the work tree, to which the bus's own form of paths is relative. */
export function atTop(scene: Scene): Scene {
  const { repository, base } = busOf(scene)
  return { ...scene, cwd: repository?.top ?? base }
}

/** Exits 2 where there is no bus. */
export function needBus(scene: Scene): void {
  const bus = busOf(scene)
  if (busExists(bus)) return
  throw new Failure('usage', `expected a bus to lease paths on, there is none at ${bus.path}`, {
    hint: 'make one with jwz init',
  })
}

/** Says what could not be done besides the change itself, which is in the log and counts. */
export function noteUnlessBug({ output }: Scene, what: string, error: unknown): void {
  if (!isFailure(error) && !(error instanceof Error && 'code' in error)) throw error
  output.note(`${what}: ${error.message}`)
}

/** What is in the log is done: a bus that cannot be found or written to is only worth a word. */
async function publish(scene: Scene, events: readonly SingleEvent[]): Promise<void> {
  try {
    const bus = busOf(scene)
    if (!busExists(bus)) return
    const { publishEvents } = await import('./publish.ts')
    await publishEvents(bus, events, scene.now())
  } catch (error) {
    noteUnlessBug(scene, 'written, but not published on the bus', error)
  }
}

async function giveBack(scene: Scene, ended: readonly EndedLeases[]): Promise<void> {
  try {
    const { releaseLeases } = await import('./jwz.ts')
    for (const { keys, by } of ended) await releaseLeases(atTop(scene), keys, by)
  } catch (error) {
    noteUnlessBug(scene, 'the leases were not given back and run out by themselves', error)
  }
}

function noteDamage({ output }: Scene, damaged: number): void {
  if (damaged > 0)
    output.note(`${damaged} damaged ${damaged === 1 ? 'line' : 'lines'} skipped; tissue check says where`)
}
