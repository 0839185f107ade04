import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes, Failure, isFailure } from '@switchyard/ground/failure'
import { holdLock, lockState } from '@switchyard/jsonl'
import { createBus, locateStore, topicPattern } from '@switchyard/topic'
import { readAccess } from '../access.ts'
import type { RelayEvent } from '../event-schema.ts'
import { runRelay } from '../relay.ts'
import { makeStateFolder, statePath } from '../state-schema.ts'

/** How long another relay that is known to live may take to end. */
const lockMs = 2_000

/** `jwz-relay`: mirrors topics both ways, until it is stopped or, with `--once`, until both sides are level. */
export const mirror = defineVerb({
  summary: 'Mirror topics between this store and a NATS JetStream stream, both ways',
  flags: {
    nats: { type: 'string', value: 'URL', summary: 'Server, or several joined by commas (or NATS_URL)' },
    topics: { type: 'list', value: 'GLOB', summary: "Only topics like this, such as 'issue:*'" },
    stream: { type: 'string', value: 'NAME', default: 'jwz', summary: 'The stream, made when it is not there' },
    once: { type: 'boolean', summary: 'End when both sides are level' },
    timeout: { type: 'duration', default: '60s', summary: 'With --once: give up after that' },
    creds: { type: 'string', value: 'FILE', summary: 'NATS credentials (or NATS_CREDS)' },
    store: { type: 'string', value: 'DIR', summary: 'The store (or JWZ_STORE)' },
  },
  examples: [
    'jwz-relay --nats nats://localhost:4222',
    "jwz-relay --nats tls://nats.example.com --topics 'issue:*' --topics 'loop:*'",
    'jwz-relay --nats nats://localhost:4222 --once',
  ],
  async run(call) {
    const { nats, creds, stream, once, timeout, topics } = call.flags
    const { note, mode } = call.output
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(stream)) {
      throw new Failure('usage', `expected a stream of letters, digits, - and _, got ${JSON.stringify(stream)}`)
    }
    const access = readAccess({ nats, creds }, call.env)
    if (access.hasOpenSecret)
      note(
        'others on this machine can read the secret in --nats; give it in NATS_URL, or with NATS_USER and NATS_PASSWORD',
      )
    const { store: override } = call.flags
    const store = locateStore({ cwd: call.cwd, env: call.env, name: '.jwz', variable: 'JWZ_STORE', override })
    const patterns = topics.map(topicPattern)
    const isMeant = (topic: string) => patterns.length === 0 || patterns.some((matches) => matches(topic))
    const tell = (event: RelayEvent) =>
      mode === 'text' ? note(renderEvent(event)) : call.output.each(event, { text: renderEvent, id: () => '' })
    createBus(store)
    const path = statePath(store, stream)
    makeStateFolder(path)
    const interrupted = call.interrupted()
    const counts = await holdLock(
      path,
      (lost) => {
        const signal = AbortSignal.any([interrupted, lost])
        const onceWithinMs = once ? timeout : undefined
        return runRelay({ store, access, stream, isMeant, onceWithinMs, signal, now: call.now, tell, note })
      },
      lockState(path).state === 'held' ? { deadlineMs: lockMs } : {},
    )
    if (interrupted.aborted) return isFailure(interrupted.reason) ? interrupted.reason.exitCode : exitCodes.interrupted
    const event: RelayEvent = { event: 'level', at: call.now(), ...counts }
    call.output.each(event, { text: renderEvent, id: () => '' })
    return undefined
  },
})

function messages(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`
}

/** An event as a line for people. */
function renderEvent(event: RelayEvent): string {
  switch (event.event) {
    case 'connected':
      return `connected to ${event.server}, stream ${event.stream}`
    case 'disconnected':
      return `${event.reason}; trying again in ${(event.retry_ms / 1000).toFixed(1)} s`
    case 'sent':
      return `${event.topic}: sent ${messages(event.ids.length)}`
    case 'received':
      return `${event.topic}: received ${messages(event.ids.length)}`
    case 'skipped':
      return `${event.topic}: skipped one: ${event.reason}`
    case 'missed':
      return `the stream dropped messages ${event.from} to ${event.to} before they came here`
    case 'level':
      return `level: sent ${event.sent}, received ${event.received}, skipped ${event.skipped}`
  }
}
