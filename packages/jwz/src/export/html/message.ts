import { bodyHtml, escapeHtml, nameHtml } from '@switchyard/cli-kit/html-text'
import type { Message } from '@switchyard/topic'
import type { TopicExport } from '../../exported/topic-export.ts'
import { renderMinute } from '../../text/calendar.ts'
import { renderBytes, renderTime } from '../../text/message-line.ts'
import { anchorOf } from './anchor.ts'
import { senderColours } from './assets.ts'

/** Lines or characters above which a body scrolls in a box of its own. */
const longLines = 60
const longLength = 8_000

/** Where a message stands: its sender's colour, the day it is listed under, and what it answers if that is elsewhere. */
export type Placing = { colour: number; day: string; answers: string | undefined; isAnsweredHere: boolean }

function preferredColour(name: string): number {
  const sum = [...name].reduce((total, character) => (total * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7)
  return sum % senderColours
}

/** A colour for each sender: mostly the same on every page, and as many different ones on a page as there are. */
export function colourOf(senders: readonly string[]): (name: string) => number {
  const colours = new Map<string, number>()
  const taken = new Set<number>()
  for (const name of senders) {
    let colour = preferredColour(name)
    if (taken.size < senderColours) while (taken.has(colour)) colour = (colour + 1) % senderColours
    taken.add(colour)
    colours.set(name, colour)
  }
  return (name) => colours.get(name) ?? 0
}

function spans(message: Message): string[] {
  const { role, model, to, tags, urgent } = message
  return [
    urgent ? '<span class="urgent">urgent</span>' : '',
    role ? `<span>${nameHtml(role)}</span>` : '',
    model ? `<span class="wide">${nameHtml(model)}</span>` : '',
    to?.length ? `<span>to ${to.map(nameHtml).join(', ')}</span>` : '',
    ...(tags ?? []).map((tag) => `<span class="tag">${nameHtml(`#${tag}`)}</span>`),
  ]
}

function headHtml(message: Message, { day, answers, isAnsweredHere }: Placing): string {
  const time = renderTime(message.at)
  const short = escapeHtml(answers?.slice(-6) ?? '')
  const link = isAnsweredHere
    ? `<a href="#${anchorOf(answers ?? '')}">answers ${short}</a>`
    : `<span>answers ${short}</span>`
  return [
    `<h3>${nameHtml(message.from)}</h3>`,
    ...spans(message),
    answers === undefined ? '' : link,
    `<a href="#${anchorOf(message.id)}" title="${escapeHtml(titleOf(message))}"><time datetime="${time}">${renderMinute(message.at, day)}</time></a>`,
  ].join('')
}

/** What is asked for now and then: the whole time, the id, and where it was said. */
function titleOf({ id, at, git }: Message): string {
  const branch = git?.branch ?? undefined
  return [renderTime(at), id, branch && `on ${branch}`].filter((part) => part).join('\n')
}

function filesHtml({ attachments }: Message): string {
  if (!attachments?.length) return ''
  const items = attachments.map(
    ({ name, sha256, bytes }) =>
      `<li title="sha256 ${sha256}">${nameHtml(name)} <small>${renderBytes(bytes)}</small></li>`,
  )
  return `<ul class="files" aria-label="Attached files">${items.join('')}</ul>`
}

function dataHtml({ data }: Message): string {
  if (data === undefined) return ''
  return `<details><summary>data</summary><pre><code>${escapeHtml(JSON.stringify(data, null, 2))}</code></pre></details>`
}

function isLong(body: string): boolean {
  return body.length > longLength || body.split('\n', longLines + 1).length > longLines
}

/** A message as an article: who, when, what. */
export function articleHtml({ wholeOf, acks }: TopicExport, message: Message, placing: Placing): string {
  const { body } = wholeOf(message)
  const { from, id, urgent } = message
  const readers = acks.get(id)
  const box = isLong(body)
    ? '<div class="body long" tabindex="0" role="group" aria-label="Long message">'
    : '<div class="body">'
  return [
    `<article id="${anchorOf(id)}" class="c${placing.colour}${urgent ? ' is-urgent' : ''}" data-from="${escapeHtml(from)}">`,
    `<div class="face" aria-hidden="true">${escapeHtml(initialOf(from))}</div>`,
    `<header class="head">${headHtml(message, placing)}</header>`,
    `${box}${bodyHtml(body)}</div>`,
    filesHtml(message),
    dataHtml(message),
    readers ? `<p class="note">acknowledged by ${readers.map(nameHtml).join(', ')}</p>` : '',
    '</article>',
  ].join('')
}

function initialOf(name: string): string {
  return (Array.from(name.trim())[0] ?? '?').toUpperCase()
}
