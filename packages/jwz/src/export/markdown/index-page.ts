import type { Row } from '../../exported/topic-export.ts'
import { renderMinute } from '../../text/calendar.ts'
import { inlineMarkdown } from './topic-page.ts'

/** The document that leads to those of a folder's topics. */
export function* markdownIndex(rows: readonly Row[]): Generator<string> {
  yield '# Topics\n\nTimes are UTC.\n\n| topic | messages | senders | newest |\n|---|---:|---:|---|\n'
  for (const { topic, file, messages, senders, lastAt } of rows) {
    const path = file.split('/').map(encodeURIComponent).join('/')
    const newest = lastAt === undefined ? '' : renderMinute(lastAt)
    yield `| [${inlineMarkdown(topic)}](${path}) | ${messages} | ${senders.length} | ${newest} |\n`
  }
}
