import { join } from 'node:path'
import { ulid } from '@switchyard/ground/ulid'
import { appendLine, appendLines } from '@switchyard/jsonl'
import type { Finding } from '../finding/finding.ts'
import type { eventTypes, ScanEvent } from './event-schema.ts'
import type { OpenScan } from './open-scan.ts'
import type { Result } from './result-schema.ts'

/** A call of deepscan that works on a scan: it counts its events. */
export type Run = { id: string; seq: number; now: () => number }

export type EventDraft = { type: (typeof eventTypes)[number] } & Readonly<Record<string, unknown>>

export function startRun(now: () => number): Run {
  return { id: ulid(now()), seq: 0, now }
}

/** Adds events to the log of a scan, as one write, and returns them as they are there. */
export function appendEvents({ scan, folder }: OpenScan, run: Run, drafts: readonly EventDraft[]): ScanEvent[] {
  const events = drafts.map(({ type, ...fields }) => {
    run.seq += 1
    const [id, at] = [ulid(run.now()), new Date(run.now()).toISOString()]
    return { v: 1 as const, type, id, scan: scan.id, run: run.id, seq: run.seq, at, ...fields }
  })
  appendLines(
    join(folder, 'events.jsonl'),
    events.map((event) => JSON.stringify(event)),
    { durable: false },
  )
  return events
}

/** Adds the result of one chunk; when this returns, it is kept whatever is killed. */
export function appendResult({ folder }: OpenScan, result: Result): void {
  appendLine(join(folder, 'results.jsonl'), JSON.stringify(result))
}

/** Adds findings; when this returns, they are kept whatever is killed. */
export function appendFindings({ folder }: OpenScan, findings: readonly Finding[]): void {
  appendLines(
    join(folder, 'findings.jsonl'),
    findings.map((finding) => JSON.stringify(finding)),
  )
}
