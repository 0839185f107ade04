// How messages look to those they are addressed to.
import type { Message } from '@switchyard/topic'
import type { Pending } from '../message/acks.ts'
import { inLine, type Look, paint, paintName, renderMessage } from '../text/message-line.ts'

/** A message of an inbox: its topic, then the message. */
export function renderInbox(message: Message, look: Look): string {
  return `${paint(inLine(message.topic, look), 'bold', look)} ${renderMessage(message, look)}`
}

/** A message that waits, and for whom. */
export function renderPending(message: Pending, look: Look): string {
  const names = message.pending.map((name) => paintName(inLine(name, look), look)).join(', ')
  return `${paint(inLine(message.topic, look), 'bold', look)} waits for ${names}: ${renderMessage(message, look)}`
}
