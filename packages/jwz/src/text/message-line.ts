import type { Output } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import { counted } from '@switchyard/cli-kit/counted'
import { inRow } from '@switchyard/cli-kit/in-row'
import type { Message } from '@switchyard/topic'

/** How messages look: for a person at a terminal, or unadorned in a pipe. */
export type Look = { isTerminal: boolean; color: boolean; now: number }

const styles = { bold: '1', dim: '2', cyan: '36', green: '32', magenta: '35', yellow: '33', blue: '34' }
const nameStyles = ['cyan', 'green', 'magenta', 'yellow', 'blue'] as const

export function lookOf(output: Output, now: number): Look {
  return { isTerminal: output.isTerminal, color: output.color, now }
}

/** Without escape sequences: colours at a terminal are ours, so that no message can pass for another. */
export function plain(text: string, { isTerminal }: Look): string {
  return isTerminal ? text.replaceAll(/\u001b(?:\[[\d;]*m)?/g, '') : text
}

/** Text in its place on a line, so that no field passes for another, and no name for a line. */
export function inLine(text: string, look: Look): string {
  return inRow(plain(text, look))
}

/** Text in a style, where colour is wanted. */
export function paint(text: string, style: keyof typeof styles, look: Look): string {
  return look.color ? `\u001b[${styles[style]}m${plain(text, look)}\u001b[0m` : plain(text, look)
}

/** A sender keeps its colour from call to call. */
export function paintName(name: string, look: Look): string {
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return paint(name, nameStyles[sum % nameStyles.length] ?? 'cyan', look)
}

/** `1.2 MB`: bytes in the unit that fits, for people. */
export function renderBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** step
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`
}

function isInCalendar(at: number): boolean {
  return Math.abs(at) <= 8.64e15
}

/** ISO time, or the bare number where a record holds a time no calendar has. */
export function renderTime(at: number): string {
  return isInCalendar(at) ? new Date(at).toISOString() : String(at)
}

/** Time of day where the reader is. */
function renderClock(at: number): string {
  return isInCalendar(at) ? new Date(at).toTimeString().slice(0, 8) : String(at)
}

function details({ role, model, to, tags, attachments }: Message): string {
  const parts = [
    role,
    model && `[${model}]`,
    to && `to ${to.join(', ')}`,
    tags?.map((tag) => `#${tag}`).join(' '),
    attachments?.map(({ name }) => `+${name}`).join(' '),
  ]
  return parts.filter((part) => part).join(' ')
}

/** The end of an id: enough to name it, and what differs between neighbours. */
export function shortId(id: string): string {
  return id.slice(-6)
}

/** What is to be known of a message before it is read. */
function marksOf(message: Message): string {
  return ['urgent', 'expired', 'void'].filter((mark) => message[mark] === true).join(' ')
}

/** Who says it, when, and what else there is to say but the body. */
export function headline(message: Message, look: Look): string {
  const [id, from, more] = [message.id, message.from, details(message)].map((text) => inLine(text, look))
  const { at, reply_to } = message
  const marks = marksOf(message)
  if (!look.isTerminal) return [id, from, renderTime(at), marks, more].filter((part) => part).join(' ')
  const quiet = [renderAge(at, look.now), shortId(id ?? ''), reply_to && `answers ${shortId(inLine(reply_to, look))}`]
  const rest = paint(quiet.filter((part) => part).join('  '), 'dim', look)
  return [paintName(from ?? '', look), marks && paint(marks, 'yellow', look), more, rest]
    .filter((part) => part)
    .join('  ')
}

/** A message as two parts: a headline, then its body; at a terminal indented, with air below. */
export function renderMessage(message: Message, look: Look): string {
  if (!look.isTerminal) return `${headline(message, look)}\n${message.body}`
  return `${headline(message, look)}\n${plain(message.body, look).trimEnd().replace(/^/gm, '  ')}\n\n`
}

/**
 * A message as one line of a live stream: time, topic, sender, and the body's first line; at a terminal the local time,
 * and the end of its id, so that it can be answered.
 */
export function renderStreamed(message: Message, look: Look): string {
  const { id, at, topic, from, body, reply_to, urgent } = message
  const time = look.isTerminal ? renderClock(at) : renderTime(at)
  const [first = '', ...more] = plain(body, look).trimEnd().split(/\r?\n/)
  const rest = more.length > 0 ? paint(` (+${counted(more.length, 'line')})`, 'dim', look) : ''
  const answered = reply_to === undefined ? '' : ` answers ${shortId(inLine(reply_to, look))}`
  const head = [
    paint(time, 'dim', look),
    paint(inLine(topic, look), 'bold', look),
    paintName(inLine(from, look), look),
    look.isTerminal ? paint(`${shortId(inLine(id, look))}${answered}`, 'dim', look) : '',
    urgent === true ? paint('urgent', 'yellow', look) : '',
  ]
  return `${head.filter((part) => part).join(' ')}: ${first}${rest}`
}
