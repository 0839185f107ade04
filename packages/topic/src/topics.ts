import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Store, topicsFolder } from './store.ts'
import { topicOfFile } from './topic-name.ts'

function* filesBelow(folder: string, prefix: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !entry.name.endsWith('.lock'))
      yield* filesBelow(join(folder, entry.name), `${prefix}${entry.name}/`)
    else if (entry.isFile()) yield prefix + entry.name
  }
}

/** A sealed segment's file name as its topic's active file name, any other name as it is. */
function activeFile(file: string): string {
  return file.replace(/\.[0-7][0-9A-HJKMNP-TV-Z]{25}\.jsonl$/, '.jsonl')
}

/** The topics of a bus, sorted by name; none when the bus has not been made. */
export function listTopics(store: Store): string[] {
  let files: string[]
  try {
    files = [...filesBelow(topicsFolder(store), '')]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  const topics = new Set(files.map((file) => topicOfFile(activeFile(file))))
  return [...topics].filter((topic) => topic !== undefined).sort()
}

/** A test for topic names: `*` stands for any characters, also colons, `?` for one; a plain name is itself. */
export function topicPattern(pattern: string): (topic: string) => boolean {
  const source = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const expression = new RegExp(`^${source}$`, 'su')
  return (topic) => expression.test(topic)
}
