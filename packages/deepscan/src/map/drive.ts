import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { endOrphan, readPidFile } from '@switchyard/exec'
import { nameOfRunner } from '@switchyard/exec/runner'
import { entriesIn } from '@switchyard/ground/disk'
import { isFailure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { appendEvents, startRun } from '../store/append-records.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest, readResults } from '../store/read-records.ts'
import type { Result } from '../store/result-schema.ts'
import { openAgentsFeed } from './agents-feed.ts'
import { chooseChunks, lastResults, sampleOf } from './choose-chunks.ts'
import { openLedger } from './ledger.ts'
import type { MapRun } from './map-run.ts'
import { type MapSummary, summaryOf } from './map-summary.ts'
import { runPool } from './pool.ts'
import { requireChunks } from './require-chunks.ts'
import type { MapSettings } from './settings.ts'
import { workChunk } from './work-chunk.ts'

/** What a map needs of the world. */
export type MapWorld = Pick<MapRun, 'env' | 'random' | 'pid' | 'draining' | 'stop' | 'fence' | 'hintsOf'> & {
  readonly now: () => number
  readonly bus: Store | undefined
  readonly order: (chunks: readonly Chunk[]) => Promise<readonly Chunk[]>
  readonly onResult: (result: Result, done: number, total: number) => void
  readonly note: (text: string) => void
  /** Called before anybody is asked, with the estimated tokens of what is shown. */
  readonly onBegin: (chunks: number, tokens: number) => void
  /** The exit code of an interruption that has come. */
  readonly interruptedCode: () => number
}

const lockMs = 2_000
const graceMs = 2_000

/**
 * Asks agents about the chunks of a scan, several at once, and keeps each answer as it comes. One map works on a scan
 * at a time: Failure `lockTimeout` names another. What a killed one has left running is ended first.
 */
export async function driveMap(open: OpenScan, settings: MapSettings, world: MapWorld): Promise<MapSummary> {
  return holdLock(join(open.folder, 'map'), () => mapUnderLock(open, settings, world), { deadlineMs: lockMs })
}

async function mapUnderLock(open: OpenScan, settings: MapSettings, world: MapWorld): Promise<MapSummary> {
  const pids = join(open.folder, 'agents')
  mkdirSync(pids, { recursive: true, mode: 0o700 })
  await endOrphans(pids)
  const all = await requireChunks(open)
  const chosen = await world.order(chooseChunks(all, lastResults(readResults(open)), settings.only))
  const items = settings.sample === undefined ? chosen : sampleOf(chosen, settings.sample)
  world.onBegin(
    items.length,
    items.reduce((sum, { tokens }) => sum + tokens, 0),
  )
  const map = await beginMap(open, settings, world, { pids, total: all.length, items: items.length })
  let failure: unknown
  try {
    await runPool(items, poolOptions(map, items.length, world))
  } catch (error) {
    failure = error
  }
  return endMap(map, world, failure)
}

type Begin = { readonly pids: string; readonly total: number; readonly items: number }

async function beginMap(
  open: OpenScan,
  settings: MapSettings,
  world: MapWorld,
  { pids, total, items }: Begin,
): Promise<MapRun> {
  const { now, bus, env, random, pid, draining, stop, fence, hintsOf } = world
  const run = startRun(now)
  const agent = nameOfRunner(settings.runner)
  const about = { scan: open.scan.id, root: open.scan.root, query: settings.query, agent, model: settings.model }
  let done = 0
  appendEvents(open, run, [
    { type: 'session_start', verb: 'map', agent, chunks: items, jobs: settings.jobs },
    { type: 'phase', phase: 'mapping' },
  ])
  return {
    ...{ open, run, settings, pids, total, env, random, pid, draining, stop, fence, hintsOf },
    files: new Map([...readManifest(open)].map((entry) => [entry.path, entry])),
    ledger: openLedger(settings.budget),
    feed: await openAgentsFeed({ bus, now, ...about }),
    tell: (result) => {
      done += 1
      world.onResult(result, done, items)
    },
  }
}

function poolOptions(map: MapRun, items: number, { note }: MapWorld) {
  const { jobs } = map.settings
  const batches = Math.ceil(items / jobs)
  const begin = (number: number) => {
    const chunks = Math.min(jobs, items - (number - 1) * jobs)
    if (chunks > 0) appendEvents(map.open, map.run, [{ type: 'batch_start', batch: number, total: batches, chunks }])
  }
  begin(1)
  return {
    ...{ jobs, draining: map.draining, now: map.run.now },
    work: (chunk: Chunk, worker: number, pool: Parameters<typeof workChunk>[3]) => workChunk(map, chunk, worker, pool),
    onBatch: ({ number, success, failed }: { number: number; success: number; failed: number }) => {
      appendEvents(map.open, map.run, [{ type: 'batch_end', batch: number, success, failed }])
      begin(number + 1)
    },
    onAlone: () => {
      appendEvents(map.open, map.run, [{ type: 'phase', phase: 'mapping', jobs: 1, reason: 'two batches failed' }])
      note('two batches in a row have failed for the most part; one agent goes on alone')
    },
  }
}

async function endMap(map: MapRun, world: MapWorld, failure: unknown): Promise<MapSummary> {
  const { open, run, ledger, draining } = map
  if (draining.aborted) appendEvents(open, run, [{ type: 'cancel', level: map.stop.aborted ? 'stop' : 'drain' }])
  const summary = summaryOf(open, {
    ...{ last: lastResults(readResults(open)), isMeant: ({ analyser }) => analyser === 'agent' },
    ...{ spent: ledger.spent(), over: ledger.over(), isStopped: draining.aborted },
  })
  const told = failure === undefined ? summary.outcome : 'failed'
  appendEvents(open, run, [{ type: 'session_end', outcome: told, ...summary.chunks, ...ledger.spent() }])
  const why = isFailure(failure) ? failure.message : told === 'done' ? undefined : told
  await map.feed.ends(draining.aborted ? world.interruptedCode() : why === undefined ? 0 : 1, why)
  if (failure !== undefined) throw failure
  return summary
}

/** A killed map's agents still work, and would cost on. */
async function endOrphans(pids: string): Promise<void> {
  for (const { name } of entriesIn(pids)) {
    if (!name.endsWith('.pid')) continue
    const spawned = await readPidFile(join(pids, name))
    if (spawned !== undefined) await endOrphan(spawned, graceMs)
  }
}
