// What every verb does around its decision: find the store, read it, write, tell the bus.
import type { Context } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { isFailure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { identify } from '@switchyard/topic'
import { atTop, busIfAny, busIfThere, noteUnlessBug, publish } from '../bus/bus.ts'
import { dropNote, noteUnpublished, type Outbox } from '../bus/outbox.ts'
import type { Need } from '../cache/need.ts'
import { isWorthSaving, type LogReading } from '../cache/reading.ts'
import type { Actor } from '../change/fence.ts'
import type { IdSource } from '../change/new-issue.ts'
import { draftsOf, type NewEntry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { endsClaims } from '../log/overwritten.ts'
import type { NewLine } from '../log/write-lines.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import type { Decide } from '../store/append-events.ts'
import { commit, type IssueStore, openStore, readLedger } from '../store/store.ts'

/** The part of a call that says where and who. */
export type StoreScene = Pick<Context, 'cwd' | 'env' | 'now' | 'output'> & {
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
export function look(scene: StoreScene, need: Need = 'everything'): { store: IssueStore; ledger: Ledger } {
  const store = storeOf(scene)
  const reading = readLedger(store.log, need)
  noteStrange(scene, reading)
  saveLater(scene, store, reading)
  return { store, ledger: reading.ledger }
}

/**
 * Writes what `decide` asks for, then publishes it on the bus if there is one; the log is the truth, the bus a hint.
 * `need` is what `decide` looks at; the returned ledger has no more.
 */
export async function change(
  scene: StoreScene,
  decide: (ledger: Ledger, actor: Actor, source: IdSource) => ReturnType<Decide>,
  need: Need = 'everything',
): Promise<{ ledger: Ledger; events: SingleEvent[]; created: string[] }> {
  const store = storeOf(scene)
  const by = nameOf(scene)
  // What is decided and what is written about it happen at the same time, so that a lease is as long as it says.
  let at = scene.now()
  let ended: EndedLeases[] = []
  const decideNow = (ledger: Ledger) => {
    at = scene.now()
    const entries = decide(ledger, { by, at }, { root: store.root, ulid: () => ulid(at) })
    ended = leasesEndedBy(ledger, entries)
    return entries
  }
  let outbox: Outbox | undefined
  const onAppend = (lines: readonly NewLine[]) => {
    const ids = lines.flatMap(({ id, event }) => (event ? [id] : []))
    outbox = busIfThere(scene) ? noteUnpublished(store.path, ids) : undefined
  }
  const author = { by, now: () => at, ulid }
  const { events, created, reading } = await commit(store, author, decideNow, { need, onAppend }).catch((error) => {
    // What came to nothing is no news.
    if (outbox && isFailure(error) && error.kind === 'conflict') dropNote(outbox.own)
    throw error
  })
  noteStrange(scene, reading)
  if (events.length > 0) await publish(scene, store, events, outbox)
  if (ended.length > 0) await giveBack(scene, ended)
  saveLater(scene, store, reading)
  return { ledger: reading.ledger, events, created }
}

/** Who acts: also by the name that `jwz whoami --save` keeps on the bus, which is looked at only when nothing else says. */
export function nameOf({ cwd, env, flags }: StoreScene): string {
  const isGiven = flags.as !== undefined || env['JWZ_AGENT'] !== undefined
  return identify({ as: flags.as, env, store: isGiven ? undefined : busIfAny({ cwd, env }) })
}

/** A scene for who reads a log again and again: what was noted once is not noted again. */
export function notingOnce<S extends StoreScene>(scene: S): S {
  const { output } = scene
  const told = new Set<string>()
  const note = (text: string) => {
    if (told.size < told.add(text).size) output.note(text)
  }
  return { ...scene, output: { ...output, note } }
}

/** The store of a call. */
export function storeOf({ cwd, env, flags }: StoreScene): IssueStore {
  return openStore({ cwd, env, override: flags.store })
}

async function giveBack(scene: StoreScene, ended: readonly EndedLeases[]): Promise<void> {
  try {
    const { releaseLeases } = await import('../bus/jwz.ts')
    for (const { keys, by } of ended) await releaseLeases(atTop(scene), keys, by)
  } catch (error) {
    noteUnlessBug(scene, 'the leases were not given back and run out by themselves', error)
  }
}

/** After the answer: the next reader is the one who gains. */
function saveLater({ now }: StoreScene, { log }: IssueStore, reading: LogReading): void {
  if (!isWorthSaving(reading)) return
  setImmediate(async () => {
    const { saveCache } = await import('../cache/save-cache.ts')
    saveCache(log, reading, now())
  })
}

/** What a reader of a log leaves out of its answer. */
type Strange = Pick<LogReading, 'damaged'> & { readonly ledger: Pick<Ledger, 'later'> }

/** Says once what the answer leaves out. */
export function noteStrange({ output }: Pick<StoreScene, 'output'>, { damaged, ledger: { later } }: Strange): void {
  if (damaged > 0) output.note(`${counted(damaged, 'damaged line')} skipped; see tissue doctor`)
  if (later.size > 0)
    output.note(`events of a later version passed over (${[...later].sort().join(', ')}); update tissue`)
}

/** Leases to be given back, in the name of the one who took them. */
type EndedLeases = { readonly by: string; readonly keys: readonly string[] }

/** What the claims that these entries end had leased, without what another claim of the same holder needs. */
function leasesEndedBy(ledger: Ledger, entries: readonly NewEntry[]): EndedLeases[] {
  const ended = new Set(
    draftsOf(entries)
      .filter(endsClaims)
      .map(({ issue }) => issue),
  )
  const found = [...ended].flatMap((id) => {
    const claim = ledger.issues.get(id)?.claim
    return claim?.leases?.length ? [{ by: claim.by, keys: claim.leases }] : []
  })
  if (found.length === 0) return []
  const needed = [...ledger.issues.values()].flatMap(({ id, claim }) => (claim && !ended.has(id) ? [claim] : []))
  return found.flatMap(({ by, keys }) => {
    const others = new Set(needed.filter((claim) => claim.by === by).flatMap(({ leases = [] }) => leases))
    const free = keys.filter((key) => !others.has(key))
    return free.length > 0 ? [{ by, keys: free }] : []
  })
}
