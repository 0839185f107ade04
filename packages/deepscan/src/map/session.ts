// A time in which agents work on a scan: for a map, or to refute what one has found.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { endOrphan, readPidFile } from '@switchyard/exec'
import { nameOfRunner } from '@switchyard/exec/runner'
import { entriesIn } from '@switchyard/ground/disk'
import { isFailure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { appendEvents, startRun } from '../store/append-records.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest } from '../store/read-records.ts'
import { openAgentsFeed } from './agents-feed.ts'
import { openLedger } from './ledger.ts'
import type { MapRun } from './map-run.ts'
import type { MapSettings } from './settings.ts'

/** What agents at work need of the world. */
export type MapWorld = Pick<MapRun, 'env' | 'random' | 'pid' | 'draining' | 'stop' | 'fence' | 'hintsOf'> & {
  readonly now: () => number
  readonly bus: Store | undefined
  readonly note: (text: string) => void
  /** The exit code of an interruption that has come. */
  readonly interruptedCode: () => number
}

const lockMs = 10_000
const graceMs = 2_000

/**
 * Runs `body` while no other process lets agents work on the scan: Failure `lockTimeout` names one that does. What a
 * killed one has left running is ended first.
 */
export async function withAgentsLock<T>(open: OpenScan, body: (pids: string) => Promise<T>): Promise<T> {
  const work = async () => {
    const pids = join(open.folder, 'agents')
    mkdirSync(pids, { recursive: true, mode: 0o700 })
    await endOrphans(pids)
    return body(pids)
  }
  return holdLock(join(open.folder, 'map'), work, { deadlineMs: lockMs })
}

/** What is to be done: by which verb, and how much. */
export type Begin = { readonly verb: string; readonly pids: string; readonly total: number; readonly items: number }

/** Opens the ledger, the feed and the log. */
export async function beginSession(
  open: OpenScan,
  settings: MapSettings,
  world: MapWorld,
  { verb, pids, total, items }: Begin,
): Promise<Omit<MapRun, 'tell'>> {
  const { now, bus, env, random, pid, draining, stop, fence, hintsOf } = world
  const run = startRun(now)
  const agent = nameOfRunner(settings.runner)
  const about = { scan: open.scan.id, root: open.scan.root, query: settings.query, agent, model: settings.model }
  appendEvents(open, run, [{ type: 'session_start', verb, agent, items, jobs: settings.jobs }])
  return {
    ...{ open, run, settings, pids, total, env, random, pid, draining, stop, fence, hintsOf },
    files: new Map([...readManifest(open)].map((entry) => [entry.path, entry])),
    ledger: openLedger(settings.budget),
    feed: await openAgentsFeed({ bus, now, ...about }),
  }
}

/** Says how it ended, to the log and to whoever watches; throws the failure that ended it. */
export async function endSession(
  map: Omit<MapRun, 'tell'>,
  world: MapWorld,
  { outcome, counts, failure }: { outcome: string; counts: Readonly<Record<string, number>>; failure: unknown },
): Promise<void> {
  const { open, run, ledger, draining, stop } = map
  if (draining.aborted) appendEvents(open, run, [{ type: 'cancel', level: stop.aborted ? 'stop' : 'drain' }])
  const told = failure === undefined ? outcome : 'failed'
  appendEvents(open, run, [{ type: 'session_end', outcome: told, ...counts, ...ledger.spent() }])
  const why = isFailure(failure) ? failure.message : told === 'done' ? undefined : told
  await map.feed.ends(draining.aborted ? world.interruptedCode() : why === undefined ? 0 : 1, why)
  if (failure !== undefined) throw failure
}

/** A killed map's agents still work, and would cost on. */
async function endOrphans(pids: string): Promise<void> {
  for (const { name } of entriesIn(pids)) {
    if (!name.endsWith('.pid')) continue
    const spawned = await readPidFile(join(pids, name))
    if (spawned !== undefined) await endOrphan(spawned, graceMs)
  }
}
