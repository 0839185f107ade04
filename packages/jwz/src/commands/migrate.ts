import { join, resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { readIfThere } from '@switchyard/ground/disk'
import { exitCodes } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { type MigratedTopic, type Migration, migrate as migrateStore } from '../migrate/migrate.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/**
 * `jwz migrate`: takes over a store of the original. Exits 7 when a line of it is damaged, 1 when only ids
 * are taken by other messages; the rest is taken over.
 */
export const migrate = defineVerb({
  summary: 'Take over the messages of a store written by the original jwz',
  args: [{ name: 'source', summary: 'Its folder, also the legacy one, or its messages.jsonl' }],
  flags: { 'dry-run': { type: 'boolean', summary: 'Only say what would come' }, ...storeFlag },
  examples: ['jwz migrate ../old/.jwz --dry-run', 'jwz migrate ../old/.zawinski'],
  async run(call) {
    const store = openStore(call)
    const dryRun = call.flags['dry-run']
    const migration = await migrateStore(store, resolve(call.cwd, call.args.source), { dryRun, now: call.now })
    call.output.one(migration, {
      text: renderMigration,
      id: ({ topics }) => topics.map(({ topic }) => topic),
    })
    if (!dryRun && isShownToGit(store)) {
      call.output.note(`${store.path}/.gitignore does not hide the store from git: put a line with * into it`)
    }
    if (migration.damaged.length > 0) return exitCodes.corrupt
    return migration.topics.every(({ differing }) => differing.length === 0) ? undefined : exitCodes.failed
  },
})

/** A store of the original that becomes ours keeps its `.gitignore`, which hid only a part of it. */
function isShownToGit(store: Store): boolean {
  const ignored = readIfThere(join(store.path, '.gitignore'))
  return ignored !== undefined && !ignored.split('\n').includes('*')
}

function renderMigration({ dry_run, topics, missing_parents, damaged }: Migration): string {
  const sum = (count: (topic: MigratedTopic) => number) => topics.reduce((total, topic) => total + count(topic), 0)
  const added = sum((topic) => topic.added)
  const total = `${added} ${dry_run ? 'to add' : 'added'}, ${sum(({ present }) => present)} there before`
  return [
    ...topics.flatMap((topic) => renderTopic(topic, dry_run)),
    ...damaged.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
    ...(missing_parents === 0 ? [] : [`answers to messages that are not in the source: ${missing_parents}`]),
    `topics: ${topics.length}, messages: ${total}`,
  ].join('\n')
}

function renderTopic({ topic, names, added, present, differing }: MigratedTopic, dryRun: boolean): string[] {
  const others = names.filter((name) => name !== topic).map((name) => JSON.stringify(name))
  const named =
    names.length === 0 ? ' (the source does not say its name)' : others.length === 0 ? '' : ` (was ${others})`
  return [
    `${topic}: ${added} ${dryRun ? 'to add' : 'added'}, ${present} there before${named}`,
    ...differing.map((id) => `  ${id}: there is another message with this id, which was kept`),
  ]
}
