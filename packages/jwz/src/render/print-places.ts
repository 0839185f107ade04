import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { listCursors, unknownConsumer } from '../consumer/cursor-file.ts'
import { summariseCursor } from '../consumer/cursor-summary.ts'
import { moveConsumer } from '../consumer/move.ts'
import { openStore, requireTopic } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'
import { cursorLines } from './cursors.ts'

type Flags = {
  readonly store: string | undefined
  readonly consumer: string | undefined
  readonly status: boolean
  readonly reset: string | undefined
}

type Asked = Context & { readonly args: { readonly topic: string | undefined }; readonly flags: Flags }

/** What says which places are meant, and how many messages, which has a default, is no question here. */
const ownFlags = ['store', 'consumer', 'limit']

/** What `read` does when it is to print no messages: with --status consumers' places, with --reset those it has moved. */
export async function printPlaces(call: Asked): Promise<void> {
  const { args, flags, output, now } = call
  const { status, reset, consumer } = flags
  if (!status && reset === undefined)
    throw new Failure('usage', 'expected <topic>, got nothing', { hint: 'see jwz read --help' })
  const asked = status ? 'status' : 'reset'
  const beside = Object.entries(flags).find(([name, value]) => isGiven(value) && ![...ownFlags, asked].includes(name))
  if (beside) throw new Failure('usage', `--${asked} prints no messages; got --${beside[0]} beside it`)
  const store = openStore(call)
  if (reset === undefined) {
    if (args.topic !== undefined) requireTopic(store, args.topic)
    const kept = listCursors(store, consumer)
    if (consumer !== undefined && kept.length === 0) throw unknownConsumer(store, consumer)
    const places = kept
      .filter(({ topic }) => args.topic === undefined || topic === args.topic)
      .map((cursor) => summariseCursor(store, cursor))
    const empty = `no consumers in ${store.path}`
    output.list(places, { text: cursorLines(places, lookOf(output, now())), id: (place) => place.consumer, empty })
    return
  }
  if (consumer === undefined)
    throw new Failure('usage', '--reset takes --consumer NAME beside it, got none', { hint: 'say who reads' })
  const moved = await moveConsumer(store, { consumer, topic: args.topic, to: reset }, now)
  output.list(moved, { text: cursorLines(moved, lookOf(output, now())), id: ({ topic }) => topic })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}
