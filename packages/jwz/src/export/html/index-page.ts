import { escapeHtml, nameHtml } from '@switchyard/cli-kit/html-text'
import type { Row } from '../../exported/topic-export.ts'
import { renderDay, renderMinute } from '../../text/calendar.ts'
import { headHtml } from './topic-page.ts'

function rowHtml({ topic, file, messages, senders, lastAt }: Row): string {
  const path = file.split('/').map(encodeURIComponent).join('/')
  return [
    `<tr><td><a href="${escapeHtml(path)}">${nameHtml(topic)}</a></td>`,
    `<td class="number">${messages.toLocaleString('en')}</td>`,
    `<td class="number wide">${senders.length.toLocaleString('en')}</td>`,
    `<td>${lastAt === undefined ? '' : `${renderDay(lastAt)} ${renderMinute(lastAt, renderDay(lastAt))}`}</td></tr>\n`,
  ].join('')
}

/** The page that leads to the pages of a folder's topics. */
export function* htmlIndex(rows: readonly Row[], exportedAt: number): Generator<string> {
  yield headHtml('Topics · jwz')
  yield `<header><h1>Topics</h1>\n<p class="about">${rows.length.toLocaleString('en')} topics. Times are UTC.</p></header>
<main><table>
<thead><tr><th scope="col">topic</th><th scope="col" class="number">messages</th>
<th scope="col" class="number wide">senders</th><th scope="col">newest</th></tr></thead>
<tbody>
`
  for (const row of rows) yield rowHtml(row)
  yield `</tbody></table></main>
<footer><p>Exported by <code>jwz export</code> on ${renderMinute(exportedAt)} UTC.</p></footer>
</body>
</html>
`
}
