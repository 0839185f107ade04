// One topic as one self-contained page: no script, style, font or picture from elsewhere, and nothing a message says
// can become part of it.
import { createHash } from 'node:crypto'
import { escapeHtml, nameHtml } from '@switchyard/cli-kit/html-text'
import { factsOf, factsText, type TopicExport } from '../../exported/topic-export.ts'
import { renderDay, renderMinute } from '../../text/calendar.ts'
import { renderTime } from '../../text/message-line.ts'
import { script, style } from './assets.ts'
import { articleHtml, colourOf } from './message.ts'

/** Levels of replies that are indented; deeper ones stand below each other and name what they answer. */
const levelMax = 6

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** The head of a page: it may run our script and style, and load nothing. */
export function headHtml(title: string): string {
  const own = `style-src ${hashOf(style)}; script-src ${hashOf(script)}`
  const policy = `default-src 'none'; img-src data:; ${own}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
`
}

function formHtml(senders: readonly string[]): string {
  const options = senders.map((name) => `<option value="${escapeHtml(name)}">${escapeHtml(name)}</option>`)
  return `<form role="search" hidden><div>
<input name="words" type="search" placeholder="Find in this topic" aria-label="Find in this topic" autocomplete="off">
<select name="sender" aria-label="Sender"><option value="">every sender</option>${options.join('')}</select>
<output name="shown" role="status"></output>
</div></form>
`
}

/** The page, in pieces to be written one after the other. */
export function* htmlPage(page: TopicExport): Generator<string> {
  const facts = factsOf(page)
  const colours = colourOf(facts.senders)
  yield headHtml(`${page.topic} · jwz`)
  yield `<header><h1>${nameHtml(page.topic)}</h1>\n<p class="about">${factsText(facts)}. Times are UTC.</p></header>\n`
  yield formHtml(facts.senders)
  yield '<main>\n'
  yield* threadsHtml(page, colours)
  yield `</main>
<footer><p>Exported by <code>jwz export</code> on ${renderMinute(page.exportedAt)} UTC.</p></footer>
<script>${script}</script>
</body>
</html>
`
}

function* threadsHtml(page: TopicExport, colours: (name: string) => number): Generator<string> {
  const ids = new Set(page.placed.map(({ message }) => message.id))
  let day: string | undefined
  let level = 0
  for (const { message, depth } of page.placed) {
    if (depth === 0) {
      const today = renderDay(message.at)
      if (day !== undefined) yield `${closing(level)}</li>\n`
      if (today !== day) {
        if (day !== undefined) yield '</ol></section>\n'
        yield dayHtml(message.at)
      }
      day = today
      level = 0
    } else {
      const wanted = Math.min(depth, levelMax)
      yield wanted > level ? '<ol>' : `${closing(level - wanted)}</li>\n`
      level = wanted
    }
    const isApart = depth > levelMax || (depth === 0 && message.reply_to !== undefined)
    yield `<li>${articleHtml(page, message, {
      colour: colours(message.from),
      day: day ?? '',
      answers: isApart ? message.reply_to : undefined,
      isAnsweredHere: ids.has(message.reply_to ?? ''),
    })}`
  }
  yield day === undefined ? '<p>No messages.</p>\n' : `${closing(level)}</li></ol></section>\n`
}

function dayHtml(at: number): string {
  const day = renderDay(at)
  const time = `<time datetime="${renderTime(at).slice(0, 10)}">${day}</time>`
  return `<section aria-label="${day}"><h2>${time}</h2>\n<ol class="threads">\n`
}

function closing(levels: number): string {
  return '</li></ol>'.repeat(levels)
}
