import { join } from 'node:path'
import { follow, parseRecord, readLines } from '@switchyard/jsonl'
import { eventSchema, type ScanEvent } from './event-schema.ts'
import type { OpenScan } from './open-scan.ts'
import { workerOn } from './writer.ts'

const lookMs = 500

/**
 * The events of the last run of a scan, and what comes while somebody works on it; ends by itself once nobody does, or
 * `signal` is aborted.
 */
export async function* watchEvents(open: OpenScan, signal: AbortSignal): AsyncGenerator<ScanEvent, void> {
  const path = join(open.folder, 'events.jsonl')
  const { run, end } = lastRun(path)
  const isWatched = (event: ScanEvent, offset: number) => event.run === run || offset >= end
  const over = new AbortController()
  const stop = () => over.abort()
  // Asked before the log is read to its end: what the worker wrote last is then in it.
  const stopWhenIdle = () => workerOn(open) === undefined && stop()
  signal.addEventListener('abort', stop)
  const timer = setInterval(stopWhenIdle, lookMs)
  stopWhenIdle()
  let seen = 0
  try {
    for await (const line of follow(path, { from: 'start', signal: over.signal })) {
      seen = line.end
      const event = eventOf(line)
      if (event === undefined || !isWatched(event, line.offset)) continue
      yield event
      if (event.type === 'session_end' && line.offset >= end) return
    }
    if (signal.aborted) return
    for (const line of readLines(path)) {
      const event = line.offset < seen ? undefined : eventOf(line)
      if (event !== undefined && isWatched(event, line.offset)) yield event
    }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
  }
}

function lastRun(path: string): { run: string | undefined; end: number } {
  let [run, end]: [string | undefined, number] = [undefined, 0]
  for (const line of readLines(path)) {
    run = eventOf(line)?.run ?? run
    end = line.end
  }
  return { run, end }
}

function eventOf(line: { text: string }): ScanEvent | undefined {
  return eventSchema.safeParse(parseRecord(line)).data
}
