import { appendEvents } from '../store/append-records.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readChunks, readResults } from '../store/read-records.ts'
import type { Result } from '../store/result-schema.ts'
import { chooseChunks, lastResults, sampleOf } from './choose-chunks.ts'
import { promptTokens } from './estimate.ts'
import type { MapRun } from './map-run.ts'
import { type MapSummary, summaryOf } from './map-summary.ts'
import { runPool } from './pool.ts'
import { beginSession, endSession, type MapWorld, withAgentsLock } from './session.ts'
import type { MapSettings } from './settings.ts'
import { workChunk } from './work-chunk.ts'

/** What a map does beside asking. */
export type MapView = {
  /** Chunks in the order in which they are asked about. */
  readonly order: (chunks: readonly Chunk[]) => Promise<readonly Chunk[]>
  readonly onResult: (result: Result, done: number, total: number) => void
  /** Called before anybody is asked, with the estimated tokens of what is shown. */
  readonly onBegin: (chunks: number, tokens: number) => void
}

/** Asks agents about the chunks of a scan, several at once, and keeps each answer as it comes. */
export async function driveMap(
  open: OpenScan,
  settings: MapSettings,
  world: MapWorld,
  view: MapView,
): Promise<MapSummary> {
  return withAgentsLock(open, async (pids) => {
    const all = [...readChunks(open)]
    const chosen = await view.order(chooseChunks(all, lastResults(readResults(open)), settings.only))
    const items = settings.sample === undefined ? chosen : sampleOf(chosen, settings.sample)
    const total = items.length
    view.onBegin(
      total,
      items.reduce((sum, chunk) => sum + promptTokens(chunk), 0),
    )
    let done = 0
    const tell = (result: Result) => {
      done += 1
      view.onResult(result, done, total)
    }
    const begun = await beginSession(open, settings, world, { verb: 'map', pids, total: all.length, items: total })
    const map = { ...begun, tell }
    appendEvents(open, map.run, [{ type: 'phase', phase: 'mapping' }])
    const failure = await runPool(items, poolOptions(map, total, world)).catch((error: unknown) => error)
    const summary = summaryNow(map)
    await endSession(map, world, { outcome: summary.outcome, counts: summary.chunks, failure })
    return summary
  })
}

function summaryNow({ open, ledger, draining }: MapRun): MapSummary {
  return summaryOf(open, {
    ...{ last: lastResults(readResults(open)), isMeant: ({ analyser }) => analyser === 'agent' },
    ...{ spent: ledger.spent(), over: ledger.over(), isStopped: draining.aborted },
  })
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
