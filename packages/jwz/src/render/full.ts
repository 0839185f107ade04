import { renderAge } from '@switchyard/cli-kit/age'
import type { Message } from '@switchyard/topic'
import { inLine, type Look, paint, paintName, plain, renderBytes, renderTime } from '../text/message-line.ts'

/** Every field of a message, a line each, then its body; at a terminal with its age. */
export function renderFull(message: Message, look: Look): string {
  const lines = fieldsOf(message, look)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${paint(`${name}:`, 'dim', look)} ${value}`)
  return [...lines, '', plain(message.body, look)].join('\n')
}

function fieldsOf(message: Message, look: Look): [name: string, value: string | undefined][] {
  const { at, expires, git, data, attachments = [] } = message
  const line = (text: string | null | undefined) => (text == null ? undefined : inLine(text, look))
  return [
    ['id', line(message.id)],
    ['topic', paint(inLine(message.topic, look), 'bold', look)],
    ['from', paintName(inLine(message.from, look), look)],
    ['at', timeOf(at, look)],
    ...['urgent', 'expired', 'void'].map((mark): [string, string | undefined] => [
      mark,
      message[mark] === true ? paint('yes', 'yellow', look) : undefined,
    ]),
    ['role', line(message.role)],
    ['model', line(message.model)],
    ['to', line(message.to?.join(', '))],
    ['tags', line(message.tags?.join(', '))],
    ['reply to', line(message.reply_to)],
    ['key', line(message.key)],
    ['expires', expires === undefined ? undefined : renderTime(expires)],
    ['expected', message.expect === null ? 'none' : line(message.expect)],
    ['acknowledged by', Array.isArray(message['acked']) ? line(message['acked'].join(', ')) : undefined],
    ['branch', line(git?.branch)],
    ['commit', line(git?.oid)],
    ['folder', line(git?.prefix)],
    ['data', data === undefined ? undefined : line(JSON.stringify(data))],
    ...attachments.map(({ name, sha256, bytes }): [string, string] => [
      'attached',
      `${inLine(name, look)} (${renderBytes(bytes)}, ${sha256})`,
    ]),
  ]
}

function timeOf(at: number, look: Look): string {
  return look.isTerminal ? `${renderTime(at)} (${renderAge(at, look.now)})` : renderTime(at)
}
