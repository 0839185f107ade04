import { createTopic, type Store, topicExists } from '@switchyard/topic'
import { putBlob, refOf } from '@switchyard/topic/blob-file'
import { compareMessages, type Foreign, type Imported, importMessages } from '@switchyard/topic/import'
import { type Keep, type SourceRecord, textOf, toDescription, toMessage } from './record.ts'
import { type Damage, findSource, type MigrateSource, type RecordExtent, readSource, recordsAt } from './source.ts'
import { legalTopic } from './topic.ts'

/** A topic after its migration: the `names` it had in the source, and what became of its messages. */
export type MigratedTopic = {
  topic: string
  names: string[]
  added: number
  present: number
  differing: string[]
}

/** What a migration did, or would do. `missing_parents` counts answers to messages that the source does not have. */
export type Migration = {
  source: string
  dry_run: boolean
  topics: MigratedTopic[]
  missing_parents: number
  damaged: Damage[]
}

export type MigrateOptions = {
  dryRun: boolean
  /** Milliseconds since 1970. */
  now: () => number
}

type Target = { names: Set<string>; topics: SourceRecord[]; places: (RecordExtent & { topicId: string | undefined })[] }

/**
 * Takes over what the original has written to `path`: messages with their ids, so that a second time adds nothing. What
 * cannot be taken over is in the report. Fails as not found where there is no such log.
 */
export async function migrate(store: Store, path: string, options: MigrateOptions): Promise<Migration> {
  const source = readSource(findSource(path))
  const topics: MigratedTopic[] = []
  for (const [topic, target] of targetsOf(source))
    topics.push(await migrateTopic(store, source, topic, target, options))
  return {
    source: source.file,
    dry_run: options.dryRun,
    topics,
    missing_parents: source.parents.filter((id) => !source.ids.has(id)).length,
    damaged: source.damaged,
  }
}

/** What goes to which topic. Several topics of one name become one, and a topic that nobody named gets a name. */
function targetsOf({ topics, messages }: MigrateSource): Map<string, Target> {
  const targets = new Map<string, Target>()
  const targetOf = (name: string): Target => {
    const topic = legalTopic(name)
    const target = targets.get(topic) ?? { names: new Set(), topics: [], places: [] }
    targets.set(topic, target)
    return target
  }
  const named = new Map<string, Target>()
  for (const [id, record] of topics) {
    const name = nameOf(record)
    const target = targetOf(name)
    target.names.add(name)
    target.topics.push(record)
    named.set(id, target)
  }
  for (const message of messages) {
    const { topicId } = message
    const target = named.get(topicId ?? '') ?? targetOf(`migrated:${topicId ?? 'unknown'}`)
    target.places.push(message)
  }
  return targets
}

/** The name of a topic; of one that is no text, what stands there. */
function nameOf({ name }: SourceRecord): string {
  return textOf(name)?.text ?? JSON.stringify(name)
}

async function migrateTopic(
  store: Store,
  source: MigrateSource,
  topic: string,
  { names, topics, places }: Target,
  { dryRun, now }: MigrateOptions,
): Promise<MigratedTopic> {
  const keep: Keep = (bytes) => (dryRun ? refOf(bytes) : putBlob(store, [bytes], now()))
  const records = function* (): Generator<Foreign> {
    for (const record of topics) yield* present(toDescription(record, keep))
    for (const record of recordsAt(source.file, places))
      yield* present(toMessage(record, topicOf(source, record, topic), keep))
  }
  if (!dryRun && places.length === 0 && !topicExists(store, topic)) createTopic(store, topic)
  const imported = dryRun
    ? compareMessages(store, topic, records())
    : await importMessages(store, topic, records(), now())
  return { topic, names: [...names], ...countsOf(imported) }
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value]
}

/** What a message keeps of its topic's record: what its own topic does not say already. */
function topicOf({ topics }: MigrateSource, { topic_id }: SourceRecord, topic: string): SourceRecord {
  const record = topics.get(String(topic_id))
  if (record === undefined) return { id: topic_id }
  const { type, name, description, ...rest } = record
  return name === topic ? rest : { ...rest, name }
}

function countsOf({ added, present, differing }: Imported): Pick<MigratedTopic, 'added' | 'present' | 'differing'> {
  return { added: added.length, present: present.length, differing }
}
