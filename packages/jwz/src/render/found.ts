import { snippet } from '@switchyard/cli-kit/snippet'
import type { TextQuery } from '@switchyard/cli-kit/text-query'
import type { Message } from '@switchyard/topic'
import { headline, inLine, type Look, paint, plain } from '../text/message-line.ts'

/** A found message: where it stands, and the words around what was found. */
export function renderFound(message: Message, query: TextQuery, look: Look): string {
  const around = snippet(plain(message.body, look), query, (hit) => paint(hit, 'bold', look))
  return `${paint(inLine(message.topic, look), 'bold', look)} ${headline(message, look)}\n  ${around}`
}
