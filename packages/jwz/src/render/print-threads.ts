import type { Output } from '@switchyard/cli-kit'
import type { Message } from '@switchyard/topic'
import type { Threaded } from '../message/thread.ts'
import { headline, inLine, type Look, paint, plain } from '../text/message-line.ts'

/**
 * A message of a thread, below the line that leads to it; at a terminal with air above each thread but the first.
 */
function renderThreaded({ message, depth, lead, under, gone }: Threaded, isFirst: boolean, look: Look): string {
  // What it answers is what it is drawn below.
  const { reply_to, ...drawn } = message
  const air = look.isTerminal && !isFirst && (depth === 0 || gone !== undefined) ? '\n' : ''
  const missing = gone === undefined ? '' : `${paint(`${inLine(gone, look)} is not here`, 'dim', look)}\n`
  const body = plain(message.body, look)
    .trimEnd()
    .replace(/^/gm, paint(`${under}  `, 'dim', look))
  return `${air}${missing}${paint(lead, 'dim', look)}${headline(drawn, look)}\n${body}`
}

/** Prints threads: each message with its depth, for people drawn as a tree. `whole` gives a message its whole body. */
export function printThreads(
  output: Output,
  placed: readonly Threaded[],
  { whole, look, empty }: { whole: (message: Message) => Message; look: Look; empty: string },
): void {
  const values = placed.map(({ message, depth }) => ({ ...whole(message), depth }))
  const places = new Map(placed.map((each, at) => [each.message.id, { ...each, isFirst: at === 0 }]))
  const draw = (message: Message & { depth: number }) => {
    const { lead = '', under = '', gone, isFirst = false } = places.get(message.id) ?? {}
    const { depth } = message
    return renderThreaded({ message, depth, lead, under, ...(gone === undefined ? {} : { gone }) }, isFirst, look)
  }
  output.list(values, { text: draw, id: ({ id }) => id, empty })
}
