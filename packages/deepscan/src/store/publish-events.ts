// What happens in a scan, on the bus: after the scan's own log has it, under the events' own ids, and at least once: what
// a killed writer did not tell, the next one does.
import { join } from 'node:path'
import { readStored } from '@switchyard/ground/disk'
import { isFailure } from '@switchyard/ground/failure'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { parseRecord, readLines } from '@switchyard/jsonl'
import { busExists, locateStore, postMessages, type Store } from '@switchyard/topic'
import { eventSchema, type ScanEvent } from './event-schema.ts'
import type { OpenScan } from './open-scan.ts'
import type { Env } from './scans-home.ts'

/** The topic with what happens in a scan. */
const scanTopic = (id: string) => `deepscan:${id}`

/** Posts the events that the bus of the scan's project has not heard of; without a bus nothing. Never fails the verb. */
export async function publishEvents(open: OpenScan, env: Env): Promise<void> {
  try {
    const bus = busOf(open, env)
    if (bus !== undefined) await publish(open, bus)
  } catch (error) {
    if (!isFailure(error)) throw error
  }
}

async function publish({ scan, folder }: OpenScan, bus: Store): Promise<void> {
  const mark = join(folder, 'published')
  const told = Number(readStored(mark) ?? 0) || 0
  let end = told
  for (const line of readLines(join(folder, 'events.jsonl'))) {
    if (line.end <= told) continue
    end = line.end
    const { data } = eventSchema.safeParse(parseRecord(line))
    if (data === undefined) continue
    await postMessages(bus, scanTopic(scan.id), [messageOf(data)], Date.parse(data.at), { durable: false })
  }
  if (end !== told) writePlainFile(mark, `${end}\n`)
}

function messageOf(event: ScanEvent) {
  const { v, type, id, scan, run, seq, at, ...fields } = event
  const told = Object.entries(fields).filter(([, value]) => value !== null && typeof value !== 'object')
  return {
    id,
    from: 'deepscan',
    body: [type, ...told.map(([name, value]) => `${name}=${value}`)].join(' '),
    data: event,
  }
}

function busOf({ scan }: OpenScan, env: Env): Store | undefined {
  const bus = locateStore({ cwd: scan.root, env, name: '.jwz', variable: 'JWZ_STORE' })
  return busExists(bus) ? bus : undefined
}
