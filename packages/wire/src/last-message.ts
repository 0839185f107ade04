// The last message of an agent from its transcript, for hosts that do not send it. The transcript is read from its end,
// a few blocks of it, and the host may still be writing: what is found is looked for again until it stands still.

import { setTimeout as sleep } from 'node:timers/promises'
import { statAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import { parseRecord, readLinesBackwards } from '@switchyard/jsonl'
import type { Adapter } from './adapter.ts'
import { adapters } from './adapters.ts'
import type { HostEvent } from './host-event.ts'

const pauseMs = 100
const patienceMs = 2000
/** What a transcript may have behind the last message: notes of the client, and work of subagents. */
const bytesMax = 8 * 1024 * 1024

type Stop = Extract<HostEvent, { event: 'stop' | 'subagent-stop' }>

/** The event with its last message, where the transcript has it. Waits two seconds at most. */
export async function withLastMessage<Event extends Stop>(event: Event): Promise<Event> {
  const { host, transcript, lastMessage } = event
  if (lastMessage !== undefined || transcript === undefined) return event
  let before: { size: number; text: string | undefined } | undefined
  for (let waited = 0; ; waited += pauseMs) {
    const size = sizeOf(transcript)
    if (size === undefined) return event
    const text = size === before?.size ? before.text : lastWords(transcript, adapters[host])
    const stands = text !== undefined && size === before?.size
    if (stands || waited >= patienceMs) return { ...event, lastMessage: text }
    before = { size, text }
    await sleep(pauseMs)
  }
}

/** The words that end a transcript; undefined when something else of the main thread does. */
export function lastWords(path: string, { entry }: Pick<Adapter, 'entry'>): string | undefined {
  const texts: string[] = []
  let message: string | undefined
  for (const line of readLinesBackwards(path, bytesMax)) {
    const record = parseRecord(line)
    const found = record === undefined ? undefined : entry(record)
    if (found === undefined) continue
    if (found.of === 'other' || (message !== undefined && found.message !== message)) break
    message = found.message
    texts.unshift(found.text)
    if (message === '') break
  }
  return texts.length === 0 ? undefined : texts.join('\n')
}

function sizeOf(path: string): number | undefined {
  try {
    return statAt(path)?.size
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
