import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'
import { appendEvents, type EventDraft, type Run } from './append-records.ts'
import type { Chunk } from './chunk-schema.ts'
import type { OpenScan } from './open-scan.ts'

/**
 * Gives a scan its chunks in place of those that it had, all or none, and notes the events. Results stay: they count
 * for the chunks that have the same id.
 */
export async function replaceChunks(
  open: OpenScan,
  chunks: readonly Chunk[],
  events: { run: Run; drafts: readonly EventDraft[] },
): Promise<void> {
  const path = join(open.folder, 'chunks.jsonl')
  await transact(path, () => {
    rmSync(`${path}.draft`, { force: true })
    replaceWhole(path, `${path}.draft`, linesOf(chunks), { mode: 0o600 })
    appendEvents(open, events.run, events.drafts)
  })
}

function* linesOf(chunks: readonly Chunk[]): Generator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(`${JSON.stringify(chunk)}\n`)
}
