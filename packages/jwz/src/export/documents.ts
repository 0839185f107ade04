import { join } from 'node:path'
import { type Store, topicFile } from '@switchyard/topic'
import { writeOut } from '@switchyard/topic/out-file'
import type { ExportFilter } from '../exported/records.ts'
import { factsOf, type Row, readTopicExport, type TopicExport } from '../exported/topic-export.ts'
import type { Sparing } from '../store/many-topics.ts'
import { renderMinute } from '../text/calendar.ts'
import { htmlIndex } from './html/index-page.ts'
import { htmlPage } from './html/topic-page.ts'
import { inlineMarkdown, markdownPage } from './markdown/topic-page.ts'

type Format = {
  extension: string
  page: (topic: TopicExport) => Iterable<string>
  index: (rows: readonly Row[], exportedAt: number) => Iterable<string>
}

const formats: Readonly<Record<'markdown' | 'html', Format>> = {
  markdown: { extension: 'md', page: markdownPage, index: markdownIndex },
  html: { extension: 'html', page: htmlPage, index: htmlIndex },
}

/** What a document of some topics is made of. */
export type Documents = {
  store: Store
  format: 'markdown' | 'html'
  sparing: Sparing
  filter: ExportFilter
  onLostBody: (message: { id: string }) => void
}

/** A file that was written. `topic` is null for what is about several. */
export type Written = { path: string; topic: string | null; messages: number }

/** The document of one topic, in pieces, and how many messages it has. */
export function documentOf(
  { store, format, filter, onLostBody }: Documents,
  topic: string,
): { pieces: Iterable<string>; messages: number } {
  const content = readTopicExport(store, topic, filter, onLostBody)
  return { pieces: formats[format].page(content), messages: content.placed.length }
}

/**
 * Writes a document for each topic into `folder`, and an index that leads to them. Documents of other topics that lie
 * there from before stay.
 */
export function writeDocuments(documents: Documents, topics: readonly string[], folder: string): Written[] {
  const { extension, page, index } = formats[documents.format]
  const { now } = documents.filter
  const read = (topic: string) => readTopicExport(documents.store, topic, documents.filter, documents.onLostBody)
  const rows: Row[] = []
  for (const topic of topics) {
    const file = join('topics', topicFile(topic).replace(/jsonl$/, extension))
    for (const content of documents.sparing(topic, () => [read(topic)])) {
      writeOut(join(folder, file), page(content), now)
      rows.push({ topic, file, ...factsOf(content) })
    }
  }
  const path = join(folder, `index.${extension}`)
  writeOut(path, index(rows, now), now)
  const messages = rows.reduce((sum, row) => sum + row.messages, 0)
  return [
    { path, topic: null, messages },
    ...rows.map((row) => ({ path: join(folder, row.file), topic: row.topic, messages: row.messages })),
  ]
}

/** The document that leads to those of a folder's topics. */
function* markdownIndex(rows: readonly Row[]): Generator<string> {
  yield '# Topics\n\nTimes are UTC.\n\n| topic | messages | senders | newest |\n|---|---:|---:|---|\n'
  for (const { topic, file, messages, senders, lastAt } of rows) {
    const path = file.split('/').map(encodeURIComponent).join('/')
    const newest = lastAt === undefined ? '' : renderMinute(lastAt)
    yield `| [${inlineMarkdown(topic)}](${path}) | ${messages} | ${senders.length} | ${newest} |\n`
  }
}
