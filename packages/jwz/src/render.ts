import type { Output } from '@switchyard/cli-kit'
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

/** Text in its place on a line: what would end the line or a column is a space, so that no field passes for another. */
export function inLine(text: string, look: Look): string {
  return plain(text, look).replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
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

/**
 * How long ago, in the largest fitting unit: `12s ago`, `3h ago`; `just now` below five seconds and for clocks that run
 * ahead.
 */
export function renderAge(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000)
  if (seconds < 5) return 'just now'
  if (seconds < 60) return `${seconds}s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`
  return `${Math.floor(seconds / 86_400)}d ago`
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

function details({ role, model, to, tags }: Message): string {
  const parts = [role, model && `[${model}]`, to && `to ${to.join(', ')}`, tags?.map((tag) => `#${tag}`).join(' ')]
  return parts.filter((part) => part).join(' ')
}

/** The end of an id: enough to name it, and what differs between neighbours. */
export function shortId(id: string): string {
  return id.slice(-6)
}

/** Who says it, when, and what else there is to say but the body. */
export function headline(message: Message, look: Look): string {
  const [id, from, more] = [message.id, message.from, details(message)].map((text) => inLine(text, look))
  const { at, reply_to } = message
  if (!look.isTerminal) return [id, from, renderTime(at), more].filter((part) => part).join(' ')
  const quiet = [renderAge(at, look.now), shortId(id ?? ''), reply_to && `answers ${shortId(inLine(reply_to, look))}`]
  const rest = paint(quiet.filter((part) => part).join('  '), 'dim', look)
  return [paintName(from ?? '', look), more, rest].filter((part) => part).join('  ')
}

/** A message as two parts: a headline, then its body; at a terminal indented, with air below. */
export function renderMessage(message: Message, look: Look): string {
  if (!look.isTerminal) return `${headline(message, look)}\n${message.body}`
  return `${headline(message, look)}\n${plain(message.body, look).trimEnd().replace(/^/gm, '  ')}\n\n`
}

/**
 * A message as one line of a live stream: time (at a terminal the local one), topic, sender, and the body's first line.
 */
export function renderStreamed({ at, topic, from, body }: Message, look: Look): string {
  const time = look.isTerminal ? renderClock(at) : renderTime(at)
  const [first = '', ...more] = plain(body, look).trimEnd().split(/\r?\n/)
  const rest = more.length > 0 ? paint(` (+${more.length} line${more.length === 1 ? '' : 's'})`, 'dim', look) : ''
  const head = [paint(time, 'dim', look), paint(inLine(topic, look), 'bold', look), paintName(inLine(from, look), look)]
  return `${head.join(' ')}: ${first}${rest}`
}

/**
 * A message of a thread, below the line that leads to it. `lead` is what stands before its headline, `under` before its
 * body.
 */
export function renderThreaded(message: Message, { lead, under }: { lead: string; under: string }, look: Look): string {
  const body = plain(message.body, look)
    .trimEnd()
    .replace(/^/gm, paint(`${under}  `, 'dim', look))
  return `${paint(lead, 'dim', look)}${headline(message, look)}\n${body}`
}

/** Every field of a message, a line each, then its body. */
export function renderFull(message: Message): string {
  const { id, topic, from, at, role, model, to, tags, reply_to, git, data, body } = message
  const fields: [name: string, value: string | undefined][] = [
    ['id', id],
    ['topic', topic],
    ['from', from],
    ['at', renderTime(at)],
    ['role', role],
    ['model', model],
    ['to', to?.join(', ')],
    ['tags', tags?.join(', ')],
    ['reply to', reply_to],
    ['branch', git?.branch ?? undefined],
    ['commit', git?.oid ?? undefined],
    ['folder', git?.prefix],
    ['data', data === undefined ? undefined : JSON.stringify(data)],
  ]
  const lines = fields
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${value?.replaceAll(/\p{Cc}/gu, ' ')}`)
  return [...lines, '', body].join('\n')
}
