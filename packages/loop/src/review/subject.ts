import { sep } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { busExists, type Store } from '@switchyard/topic'
import { recentRuns } from '../record/current.ts'
import { readRun } from '../record/journal.ts'
import type { Subject } from './read-reviews.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A work that is under way, with its worktree and the base it lands on where that is known. */
export type Underway = Subject & { worktree: string | null; base: string | null }

const runsMax = 50

/** What runs that are not over are working on. `LOOP_RUN_ID` names the only one that matters. */
export function worksUnderway(store: Store, env: Env): Underway[] {
  if (!busExists(store)) return []
  const named = env['LOOP_RUN_ID']
  const runs = named === undefined ? recentRuns(store).slice(0, runsMax) : [named]
  return runs.flatMap((run) => {
    const status = readRun(store, run)?.status
    if (status === undefined || status.state === 'finished') return []
    const { base, workers } = status
    return workers.flatMap(({ issue_id: issue, worktree }) => (issue === null ? [] : [{ issue, run, worktree, base }]))
  })
}

/**
 * Which work is meant: that of the issue that is named, or that `LOOP_ISSUE` names; else the one whose worktree `cwd`
 * is in; else the only one. An issue may be one that nobody works on. Failure `usage` when it cannot be told.
 */
export function chooseWork(works: readonly Underway[], wanted: string | undefined, cwd: string): Underway {
  if (wanted !== undefined) {
    const idle = { issue: wanted, run: null, worktree: null, base: null }
    return works.find(({ issue }) => issue === wanted) ?? idle
  }
  const here = works.filter(({ worktree }) => worktree !== null && `${cwd}${sep}`.startsWith(`${worktree}${sep}`))
  const candidates = here.length > 0 ? here : works
  const [only] = candidates
  if (only !== undefined && candidates.length === 1) return only
  const found = only === undefined ? 'no loop is at work here' : `${candidates.length} works are under way`
  throw new Failure('usage', `expected the issue that is meant, got none, and ${found}`, { hint: 'name the issue' })
}
