// What could not land yet: one small file a branch, in loop's private folder.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { entriesIn, readStored, realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { isSignedHere, signatureOf } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import { ulid } from '@switchyard/ground/ulid'
import { writeWhole } from '@switchyard/ground/whole-file'
import { ownFolder } from '../record/own-folder.ts'
import type { Outcome } from '../state/work-schema.ts'
import { tipOf } from '../worktree/repository.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'
import { type ListedEntry, type QueueEntry, queueEntry } from './queue-schema.ts'

const folderOf = (commonDir: string) => ownFolder(commonDir, 'queue')
const fileOf = (commonDir: string, slug: string) => join(folderOf(commonDir), `${slug}.json`)

/** The one of a branch takes the place of an earlier one. It bears the mark of this machine, where that keeps a key. */
export function writeEntry(commonDir: string, entry: QueueEntry, env: Env): void {
  const path = fileOf(commonDir, entry.slug)
  const mark = signatureOf('queue', signedOf(commonDir, entry), env)
  mkdirSync(folderOf(commonDir), { recursive: true })
  writeWhole(
    path,
    `${path}.${ulid(entry.at)}.draft`,
    `${JSON.stringify(mark === undefined ? entry : { ...entry, mark })}\n`,
  )
}

/** Removing one that is not there is no error. */
export function removeEntry(commonDir: string, slug: string): void {
  rmSync(fileOf(commonDir, slug), { force: true })
}

/**
 * Oldest first, also those that came with the repository's folder; what cannot be read as an entry, or is under another
 * name than its own, is passed over.
 */
export function readEntries(commonDir: string, env: Env): ListedEntry[] {
  const names = entriesIn(folderOf(commonDir)).map(({ name }) => name)
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => parseEntry(name, readStored(join(folderOf(commonDir), name))) ?? [])
    .map((entry) => ({ ...entry, made_here: isSignedHere('queue', signedOf(commonDir, entry), entry.mark, env) }))
    .sort((a, b) => a.at - b.at || (a.slug < b.slug ? -1 : 1))
}

/** Says that an entry came from elsewhere. */
export const notQueuedHere = ({ slug }: QueueEntry) =>
  `${slug} was not queued on this machine, its entry is no order here; loop land lands its branch, loop queue drop forgets it`

/** In the order of the schema, whoever wrote it; of this repository alone. */
function signedOf(commonDir: string, { mark: _, ...entry }: QueueEntry): [string, string] {
  return [realPathIfThere(commonDir) ?? commonDir, JSON.stringify(queueEntry.parse(entry))]
}

/** Entries of the named issues, or all when none is named. Failure `notFound` for a name that has none. */
export function pickEntries(entries: readonly ListedEntry[], wanted: readonly string[]): readonly ListedEntry[] {
  if (wanted.length === 0) return entries
  return [...new Set(wanted)].map((name) => {
    const entry = entries.find(({ issue, branch }) => issue === name || branch === name)
    if (entry !== undefined) return entry
    throw new Failure('notFound', `expected ${name} to be queued or parked, it is not`, { hint: 'loop queue list' })
  })
}

function parseEntry(name: string, text: string | undefined): QueueEntry | undefined {
  if (text === undefined) return undefined
  const read = queueEntry.safeParse(parseJson(text))
  return read.success && `${read.data.slug}.json` === name ? read.data : undefined
}

/** Whether the branch of a work that ended so stays where it is. */
export function keepsBranch(outcome: Outcome): outcome is 'parked' | 'queued' | 'proposed' {
  return outcome === 'parked' || outcome === 'queued' || outcome === 'proposed'
}

/** What an entry says of the run that made it. */
type Queued = Pick<LandingRun, 'id' | 'git' | 'repository' | 'base' | 'landing' | 'rules' | 'verify' | 'env' | 'now'>

/** Notes that the branch of the job waits for another try. */
export async function enqueue(
  run: Queued,
  { issue, worktree }: LandingJob,
  { outcome, reason }: Pick<QueueEntry, 'outcome' | 'reason'>,
): Promise<void> {
  const { git, repository, base, landing, rules } = run
  const { slug, branch } = worktree
  const entry = {
    ...({ v: 1, issue: issue.id, title: issue.title, slug, branch, base, outcome, reason } as const),
    sha: await tipOf(git, repository, branch),
    verify: rules.verifies ? run.verify : null,
    strategy: landing.strategy,
    push: landing.remote?.remote ?? null,
    run: run.id,
    at: run.now(),
  }
  writeEntry(repository.commonDir, entry, run.env)
}
