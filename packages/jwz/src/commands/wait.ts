import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { interruptedCode } from '@switchyard/cli-kit/interrupted-code'
import { Failure } from '@switchyard/ground/failure'
import { type Entry, followTopics, type Message, type Store, topicExists } from '@switchyard/topic'
import { filterOf } from '../message/filter.ts'
import { findMessage } from '../message/find-message.ts'
import { filterFlags, storeFlag } from '../store/flags.ts'
import { bodiesOf, openStore } from '../store/store.ts'
import { lookOf, renderMessage } from '../text/message-line.ts'

/** The longest a timer can be set to, 24 days: a longer one would end at once. */
const timerMsMax = 2 ** 31 - 1

function findGiven(store: Store, topic: string, id: string | undefined): Entry | undefined {
  return id === undefined ? undefined : findMessage(store, id, topic)
}

/** `jwz wait`: ends when messages that fit have come; exits 124 when they have not in time. */
export const wait = defineVerb({
  summary: 'Wait for a message',
  args: [{ name: 'topic', summary: 'The topic; it need not exist yet', complete: 'topic' }],
  flags: {
    'reply-to': {
      type: 'string',
      value: 'ID',
      complete: 'message',
      summary: 'Only what answers this message, also when it already did',
    },
    after: { type: 'string', value: 'ID', complete: 'message', summary: 'Begin behind this message instead of now' },
    count: { type: 'integer', value: 'N', min: 1, max: 1_000_000, default: 1, summary: 'Wait for N messages' },
    timeout: { type: 'duration', default: '60s', summary: 'Give up after this long' },
    ...filterFlags,
    ...storeFlag,
  },
  examples: [
    'jwz wait news --match READY --timeout 5m',
    'id=$(jwz post ask -m "Ship it?") && jwz wait ask --reply-to $id',
  ],
  async run(call) {
    const { topic } = call.args
    const { after, count, timeout } = call.flags
    const store = openStore(call)
    // A topic that may not be read is said at once; what else may not is no matter of this call.
    topicExists(store, topic)
    const asked = findGiven(store, topic, call.flags['reply-to'])
    // An answer may be there already, so without --after the wait begins behind the question.
    const start = findGiven(store, topic, after) ?? asked
    const place = start && { inode: start.line.inode, offset: start.line.end }
    const { isMeant } = await filterOf(store, call.flags, { now: call.now(), env: call.env })
    const isWanted = (message: Message) => isMeant(message) && (!asked || message.reply_to === asked.message.id)
    const interrupted = call.interrupted()
    const signal = AbortSignal.any([AbortSignal.timeout(Math.min(timeout, timerMsMax)), interrupted])
    const whole = bodiesOf(store, call.output.note)

    let found = 0
    for await (const entry of followTopics(store, {
      isMeant: (name) => name === topic,
      from: () => place ?? 'end',
      signal,
    })) {
      if (!isWanted(entry.message)) continue
      const look = lookOf(call.output, call.now())
      call.output.each(whole(entry.message), { text: (shown) => renderMessage(shown, look), id: ({ id }) => id })
      found += 1
      if (found === count) return undefined
    }
    if (interrupted.aborted) return interruptedCode(interrupted)
    throw new Failure(
      'waitTimeout',
      `waited ${timeout / 1000} s on ${topic} for ${counted(count, 'message')}, got ${found}`,
      { hint: 'wait longer with --timeout' },
    )
  },
})
