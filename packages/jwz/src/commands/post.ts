import { type Call, defineVerb } from '@switchyard/cli-kit'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { isUlid } from '@switchyard/ground/ulid'
import { type Draft, type Message, postMessage, postMessages, type Store } from '@switchyard/topic'
import { answerTo, decodeBody, envelope, keyOf, lifetime, readBody, withFiles } from '../message/draft.ts'
import { draftFlags, keyFlag, storeFlag } from '../store/flags.ts'
import { noteOtherBody, openStore } from '../store/store.ts'

const streamedLineBytesMax = 64 * 1024 * 1024

const spec = {
  summary: 'Post a message to a topic',
  args: [
    { name: 'topic', summary: 'Words joined by colons, such as issue:auth-123', complete: 'topic' },
    { name: 'source', summary: '- takes the message from stdin', optional: true },
  ],
  flags: {
    ...draftFlags,
    'reply-to': {
      type: 'string',
      value: 'ID',
      complete: 'message',
      summary: 'The message of this topic that this one answers',
    },
    ...keyFlag,
    expect: { type: 'string', value: 'ID|none', summary: 'Only if this message is the newest; none: if there is none' },
    stdin: { type: 'boolean', summary: 'Post each line of stdin as a message of its own' },
    ...storeFlag,
  },
  examples: [
    'jwz post issue:auth-123 -m "Tests are green" --as alice',
    'git log -1 | jwz post news - --key "$(git rev-parse HEAD)"',
    'jwz post loop:current -m "iteration 4" --expect "$(jwz latest loop:current -q)"',
  ],
} as const

/** A new message prints as its id, so that `id=$(jwz post …)` works. */
const shown = { text: (message: Message) => message.id, id: (message: Message) => message.id }

/** `jwz post`: appends a message and prints its id once it is safe on disk. */
export const post = defineVerb({
  ...spec,
  async run(call) {
    const store = openStore(call)
    const replyTo = call.flags['reply-to']
    const said = envelope(call, store)
    const answered = replyTo === undefined ? undefined : await findNamed(store, replyTo, call.args.topic)
    const draft = answered === undefined ? said : { ...said, ...answerTo(said, answered), reply_to: answered.id }
    if (call.flags.stdin) return withFiles(call, store, (files) => postLines(call, store, { ...draft, ...files }))
    const { args, flags, output } = call
    const body = readBody({ ...call, source: args.source })
    const now = call.now()
    const extras = { ...lifetime(flags.ttl, now), ...keyOf(flags.key) }
    const options = flags.expect === undefined ? {} : { expect: await idOfExpected(store, flags.expect, args.topic) }
    const message = await withFiles(call, store, (files) =>
      postMessage(store, { ...draft, ...extras, ...files, topic: args.topic, body }, now, options),
    )
    if (flags.key !== undefined) noteOtherBody(store, message, body, output.note)
    output.one(message, shown)
    return undefined
  },
})

/** Loaded only by those who answer: a plain post need not be able to read. */
async function findNamed(store: Store, id: string, topic: string): Promise<Message> {
  const { findMessage } = await import('../message/find-message.ts')
  return findMessage(store, id, topic).message
}

/** A whole id need not be in the log any more: the newest message counts also when its segment has been dropped. */
async function idOfExpected(store: Store, text: string, topic: string): Promise<string | null> {
  if (text === 'none') return null
  return isUlid(text.toUpperCase()) ? text.toUpperCase() : (await findNamed(store, text, topic)).id
}

async function postLines(
  call: Call<typeof spec>,
  store: Store,
  draft: ReturnType<typeof envelope> & Pick<Draft, 'attachments'>,
): Promise<undefined> {
  const { args, flags, input, output, now } = call
  if (args.source !== undefined || flags.message !== undefined || flags.file !== undefined) {
    throw new Failure('usage', '--stdin takes every message from stdin; got another source beside it')
  }
  if (flags.key !== undefined || flags.expect !== undefined) {
    const flag = flags.key === undefined ? '--expect' : '--key'
    throw new Failure('usage', `${flag} is for one message; got it beside --stdin`, { hint: 'post them one by one' })
  }
  for (const batch of input.lineBatches(streamedLineBytesMax)) {
    const { bodies, failure } = decodeUntilBad(batch)
    const extras = lifetime(flags.ttl, now())
    const drafts = bodies.filter((body) => body !== '').map((body) => ({ ...draft, ...extras, body }))
    const posted = await postMessages(store, args.topic, drafts, now())
    for (const message of posted) output.each(message, shown)
    if (failure !== undefined) throw failure
  }
  return undefined
}

/** The bodies up to the first line that is none, so that what is posted does not depend on how the lines came. */
function decodeUntilBad(lines: readonly Buffer[]): { bodies: string[]; failure: Failure | undefined } {
  const bodies: string[] = []
  try {
    for (const line of lines) bodies.push(decodeBody(line))
  } catch (error) {
    if (!isFailure(error)) throw error
    return { bodies, failure: error }
  }
  return { bodies, failure: undefined }
}
