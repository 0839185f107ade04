import { defineVerb, exitCodes } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/cli-kit/failure'
import { type Entry, followTopics, type Message, type Store, withBody } from '@switchyard/topic'
import { storeFlag } from '../flags.ts'
import { lookOf, renderMessage } from '../render.ts'
import { findMessage, openStore } from '../store.ts'

type Wanted = { match: string | undefined; from: string | undefined; replyTo: string | undefined }

function isWanted(message: Message, { match, from, replyTo }: Wanted): boolean {
  if (from !== undefined && message.from !== from) return false
  if (replyTo !== undefined && message.reply_to !== replyTo) return false
  return match === undefined || message.body.includes(match)
}

/** Behind which message to wait: the one given, or the one whose answer is awaited, since that may be there already. */
function startOf(store: Store, topic: string, id: string | undefined): Entry | undefined {
  return id === undefined ? undefined : findMessage(store, id, topic)
}

/** `jwz wait`: ends when messages that fit have come; exits 124 when they have not in time. */
export const wait = defineVerb({
  summary: 'Wait for a message',
  args: [{ name: 'topic', summary: 'The topic; it need not exist yet' }],
  flags: {
    match: { type: 'string', value: 'TEXT', summary: 'Whose body contains TEXT' },
    from: { type: 'string', value: 'NAME', summary: 'That NAME sent' },
    'reply-to': { type: 'string', value: 'ID', summary: 'That answers this message, also when it already did' },
    after: { type: 'string', value: 'ID', summary: 'Begin behind this message instead of now' },
    count: { type: 'integer', value: 'N', min: 1, max: 1_000_000, default: 1, summary: 'Wait for N messages' },
    timeout: { type: 'duration', default: '60s', summary: 'Give up after this long' },
    ...storeFlag,
  },
  examples: [
    'jwz wait news --match READY --timeout 5m',
    'id=$(jwz post ask -m "Ship it?") && jwz wait ask --reply-to $id',
  ],
  async run(call) {
    const { topic } = call.args
    const { match, from, after, count, timeout } = call.flags
    const store = openStore(call)
    const asked = startOf(store, topic, call.flags['reply-to'])
    const start = startOf(store, topic, after) ?? asked
    const wanted = { match, from, replyTo: asked?.message.id }
    const deadline = AbortSignal.timeout(timeout)
    const interrupted = call.interrupted()
    const signal = AbortSignal.any([deadline, interrupted])
    const place = start && { inode: start.line.inode, offset: start.line.end }

    let found = 0
    for await (const { message } of followTopics(store, {
      isMeant: (name) => name === topic,
      from: () => place,
      signal,
    })) {
      const whole = withBody(store, message)
      if (!isWanted(whole, wanted)) continue
      const look = lookOf(call.output, call.now())
      call.output.each(whole, { text: (shown) => renderMessage(shown, look), id: ({ id }) => id })
      found += 1
      if (found === count) return undefined
    }
    if (interrupted.aborted) return exitCodes.interrupted
    throw new Failure(
      'waitTimeout',
      `waited ${timeout} ms on ${topic} for ${count} message${count === 1 ? '' : 's'}, got ${found}`,
      {
        hint: 'wait longer with --timeout',
      },
    )
  },
})
