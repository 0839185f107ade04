// One topic on its way out: which lines of its log the stream does not have yet.
import { Judge, type Line, markSealed, parseRecord, readLines, readOn } from '@switchyard/jsonl'
import { isExpired, isMessage } from '@switchyard/topic'
import type { Published } from './consumer-file.ts'
import type { TopicState } from './state-schema.ts'
import { parseWire, type Wire } from './wire-schema.ts'

const batchMax = 256
const batchLengthMax = 4 * 1024 * 1024

/**
 * What has been read stays until `settle` says that the stream has it: only then are its lines left behind. Of what
 * comes from the stream `arrive` tells the ids before it gets into the log, so that it is passed over here; it returns
 * what is to be called once it is there.
 */
export type Outbox = {
  arrive(ids: readonly string[]): () => void
  /** What comes next, until it is settled; nothing also when the lines read have nothing to be published. */
  next(): readonly Wire[]
  /** Whether all of the log was settled when `next` looked. */
  isAtEnd(): boolean
  settle(): void
  /** How far the log is settled, once after each time that changed. */
  news(): Published | undefined
  state(): TopicState
}

/** The outbox of the topic whose log is at `path`. `now` is milliseconds since 1970. */
export function openOutbox(path: string, topic: string, from: TopicState, now: () => number): Outbox {
  const arrived = new Set(from.arrived)
  let arriving = 0
  let files = from.files
  let reading = readOn(files)
  let batch: (Wire | undefined)[] = []
  let lastId: string | null = null
  let isNews = false

  const read = () => {
    const counts = judgeOf(path)
    reading = readOn(files)
    let length = 0
    for (const line of readLines(path, reading)) {
      batch.push(outgoingOf(line, topic, counts, now()))
      reading.pass(line.end)
      length += line.text.length
      if (batch.length === batchMax || length >= batchLengthMax) return
    }
    // All that arrived is in the log and was passed over by now.
    if (batch.length === 0 && arriving === 0) arrived.clear()
  }
  return {
    arrive(ids) {
      for (const id of ids) arrived.add(id)
      arriving += 1
      return () => {
        arriving -= 1
      }
    },
    next() {
      if (batch.length === 0) read()
      return batch.flatMap((wire) => (wire && !arrived.has(wire.id) ? wire : []))
    },
    isAtEnd: () => batch.length === 0,
    settle() {
      for (const wire of batch) {
        if (!wire) continue
        arrived.delete(wire.id)
        lastId = wire.id
      }
      isNews = true
      batch = []
      files = reading.progress()
    },
    news() {
      if (!isNews) return undefined
      isNews = false
      return { id: lastId, files }
    },
    state: () => ({ files, arrived: [...arrived] }),
  }
}

/** The record of a line if it is one that travels. */
function outgoingOf(line: Line, topic: string, counts: (line: Line) => boolean, now: number): Wire | undefined {
  const record = parseRecord(line)
  const wire = record && parseWire({ ...record, topic })
  if (wire === undefined || wire.type === 'ack') return wire
  return isExpired(wire, now) || ('expect' in wire && !counts(line)) ? undefined : wire
}

/** Whether a conditional message counts; for one pass over the log. */
function judgeOf(path: string): (line: Line) => boolean {
  const judge = new Judge(path, isMessage)
  return (line) => {
    const verdict = judge.verdict(line)
    if (verdict !== 'unsettled') return verdict === 'counts'
    // A sealer was killed before it could mark its segment; until somebody does, nothing behind it can be judged.
    markSealed(path)
    return judge.verdict(line) === 'counts'
  }
}
