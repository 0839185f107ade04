import { defineVerb } from '@switchyard/cli-kit'
import { ulid } from '@switchyard/ground/ulid'
import { busIfThere, publish } from '../bus/bus.ts'
import { noteUnpublished, type Outbox } from '../bus/outbox.ts'
import { compactLog, weighCompaction } from '../compact/log-swap.ts'
import { singlesOf } from '../log/write-lines.ts'
import type { KnownEvent } from '../schema/event-schema.ts'
import type { CompactionReport } from '../schema/schemas.ts'
import { authorFlags, nameOf, storeOf } from '../session/session.ts'
import { describeStore } from '../store/store.ts'

/**
 * `tissue compact`: takes the lines out of the log that nothing depends on any more, and keeps the old log as an
 * archive. Exits 7 when the log is corrupt.
 */
export const compact = defineVerb({
  summary: 'Shorten the log by what is overwritten; history keeps it',
  flags: {
    'dry-run': { type: 'boolean', summary: 'Only say what it would save' },
    ...authorFlags,
  },
  examples: ['tissue compact --dry-run', 'tissue compact'],
  async run(call) {
    const { flags, output, now } = call
    const store = storeOf(call)
    const author = { by: nameOf(call), now, ulid }
    const isDry = flags['dry-run'] || !describeStore(store).exists
    let outbox: Outbox | undefined
    const onSwap = (events: readonly KnownEvent[]) => {
      const ids = events.map(({ id }) => id)
      outbox = busIfThere(call) ? noteUnpublished(store.path, ids) : undefined
    }
    const { lines, bytes, linesAfter, bytesAfter, archive, events } = isDry
      ? weighCompaction(store.log, author)
      : await compactLog(store.log, author, onSwap)
    if (!isDry && events.length > 0) await publish(call, store, events.flatMap(singlesOf), outbox)
    const report: CompactionReport = {
      v: 1,
      path: store.log,
      lines,
      bytes,
      lines_after: linesAfter,
      bytes_after: bytesAfter,
      archive: isDry ? null : archive,
      dry_run: flags['dry-run'],
    }
    output.one(report, { text: renderReport, id: ({ path }) => path })
    return undefined
  },
})

function renderReport({ lines, bytes, lines_after, bytes_after, archive, dry_run }: CompactionReport): string {
  if (lines === lines_after) return `nothing to take out of ${lines} lines (${bytes} bytes)`
  const becomes = dry_run ? 'would become' : 'became'
  const change = `${lines} lines (${bytes} bytes) ${becomes} ${lines_after} (${bytes_after} bytes)`
  return archive === null ? change : `${change}\n${archive}`
}
