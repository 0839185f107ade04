// One topic as one Markdown document that reads well on a forge. Bodies stand in code fences, because what they say
// must not become part of the document.
import type { Message } from '@switchyard/topic'
import { factsOf, factsText, type TopicExport } from '../../exported/topic-export.ts'
import { renderMinute } from '../../text/calendar.ts'
import { renderBytes } from '../../text/message-line.ts'

/** Levels of replies that are quoted deeper; what answers the last level stands at it and says what it answers. */
const levelMax = 6

/** Text in its place on a line, with nothing in it that Markdown or HTML would act on. */
export function inlineMarkdown(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll(/[\\`*_{}[\]<>!|~&]/g, '\\$&')
}

/** Text as code on a line: its own backticks cannot end it. */
function inlineCode(text: string): string {
  return `\`${text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll('`', 'ʼ')}\``
}

/** A fence that is longer than any run of backticks in the body. */
function fenceFor(body: string): string {
  const runs = body.match(/`{3,}/g) ?? []
  return '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1)
}

function detailsOf({ role, model, to, tags, git }: Message): string[] {
  const branch = git?.branch ?? undefined
  return [
    ...(role ? [inlineMarkdown(role)] : []),
    ...(model ? [inlineMarkdown(model)] : []),
    ...(to?.length ? [`to ${to.map(inlineMarkdown).join(', ')}`] : []),
    ...(tags ?? []).map((tag) => inlineCode(`#${tag}`)),
    ...(branch === undefined ? [] : [`on ${inlineCode(branch)}`]),
  ]
}

function linesOf(page: TopicExport, message: Message, answers: string | undefined): string[] {
  const { id, from, at, urgent, attachments, data } = message
  const body = page.wholeOf(message).body.replaceAll(/[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd')
  const head = [`**${inlineMarkdown(from)}**`, renderMinute(at), inlineCode(id), ...detailsOf(message)].join(' · ')
  const fence = fenceFor(body)
  const files = (attachments ?? []).map(({ name, sha256, bytes }) => {
    return `- attached: ${inlineCode(name)}, ${renderBytes(bytes)}, sha256 ${sha256.slice(0, 12)}…`
  })
  const readers = page.acks.get(id)
  return [
    urgent ? `**URGENT** ${head}` : head,
    ...(answers === undefined ? [] : ['', `answers ${inlineCode(answers)}`]),
    '',
    `${fence}text`,
    // A lone carriage return ends a line as well.
    ...body.replace(/\r?\n$/, '').split(/\r\n?|\n/),
    fence,
    ...(files.length > 0 ? ['', ...files] : []),
    ...(data === undefined ? [] : ['', '```json', JSON.stringify(data), '```']),
    ...(readers ? ['', `acknowledged by ${readers.map(inlineMarkdown).join(', ')}`] : []),
  ]
}

/** The document, in pieces to be written one after the other. */
export function* markdownPage(page: TopicExport): Generator<string> {
  const ids = new Set(page.placed.map(({ message }) => message.id))
  yield `# ${inlineMarkdown(page.topic)}\n\n${factsText(factsOf(page))}. Times are UTC.\n`
  for (const { message, depth } of page.placed) {
    const level = Math.min(depth, levelMax)
    const isApart = depth > levelMax || (message.reply_to !== undefined && !ids.has(message.reply_to))
    const lines = linesOf(page, message, isApart ? message.reply_to : undefined)
    const quote = '> '.repeat(level)
    yield depth === 0 ? '\n---\n\n' : `${quote.trimEnd()}\n`
    yield lines.map((line) => `${line === '' ? quote.trimEnd() : quote + line}\n`).join('')
  }
}
