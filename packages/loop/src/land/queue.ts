// What could not land yet: one small file a branch, in loop's private folder.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@switchyard/cli-kit/failure'
import { parseJson } from '@switchyard/cli-kit/parse-json'
import { entriesIn, readStored, ulid, writeWhole } from '@switchyard/topic'
import { ownFolder } from '../own-folder.ts'
import type { Outcome } from '../state/work-schema.ts'
import { tipOf } from '../worktree/repository.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'
import { type QueueEntry, queueEntry } from './queue-schema.ts'

const folderOf = (commonDir: string) => ownFolder(commonDir, 'queue')
const fileOf = (commonDir: string, slug: string) => join(folderOf(commonDir), `${slug}.json`)

/** The one of a branch takes the place of an earlier one. */
export function writeEntry(commonDir: string, entry: QueueEntry): void {
  const path = fileOf(commonDir, entry.slug)
  mkdirSync(folderOf(commonDir), { recursive: true })
  writeWhole(path, `${path}.${ulid(entry.at)}.draft`, `${JSON.stringify(entry)}\n`)
}

/** Removing one that is not there is no error. */
export function removeEntry(commonDir: string, slug: string): void {
  rmSync(fileOf(commonDir, slug), { force: true })
}

/** Oldest first; what cannot be read as an entry is passed over. */
export function readEntries(commonDir: string): QueueEntry[] {
  const names = entriesIn(folderOf(commonDir)).map(({ name }) => name)
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => parseEntry(readStored(join(folderOf(commonDir), name))) ?? [])
    .sort((a, b) => a.at - b.at || (a.slug < b.slug ? -1 : 1))
}

/** Those of the named issues, or all when none is named. Failure `notFound` for a name that has none. */
export function pickEntries(entries: readonly QueueEntry[], wanted: readonly string[]): readonly QueueEntry[] {
  if (wanted.length === 0) return entries
  return [...new Set(wanted)].map((name) => {
    const entry = entries.find(({ issue, branch }) => issue === name || branch === name)
    if (entry !== undefined) return entry
    throw new Failure('notFound', `expected ${name} to be queued or parked, it is not`, { hint: 'loop queue list' })
  })
}

function parseEntry(text: string | undefined): QueueEntry | undefined {
  if (text === undefined) return undefined
  const read = queueEntry.safeParse(parseJson(text))
  return read.success ? read.data : undefined
}

/** Whether the branch of a work that ended so stays where it is. */
export function keepsBranch(outcome: Outcome): outcome is 'parked' | 'queued' | 'proposed' {
  return outcome === 'parked' || outcome === 'queued' || outcome === 'proposed'
}

/** Notes that the branch of the job waits for another try. */
export async function enqueue(
  run: LandingRun,
  { issue, worktree }: LandingJob,
  { outcome, reason }: Pick<QueueEntry, 'outcome' | 'reason'>,
): Promise<void> {
  const { git, repository, base, landing, rules } = run
  const { slug, branch } = worktree
  writeEntry(repository.commonDir, {
    ...{ v: 1, issue: issue.id, title: issue.title, slug, branch, base, outcome, reason },
    sha: await tipOf(git, repository, branch),
    verify: rules.verifies ? run.verify : null,
    strategy: landing.strategy,
    push: landing.remote?.remote ?? null,
    run: run.id,
    at: run.now(),
  })
}
