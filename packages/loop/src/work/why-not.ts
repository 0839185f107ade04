// What keeps an issue from being worked: another run's worktree, its holder, or its status.

import { existsSync } from 'node:fs'
import type { Store } from '@switchyard/topic'
import type { Issue } from '../programs/issue-schema.ts'
import type { Lost } from '../recover/clear-lost.ts'
import { findAdminFolder, lockOf } from '../worktree/admin-folder.ts'
import { lostRun } from '../worktree/lost-run.ts'
import { readRecord } from '../worktree/record.ts'
import type { Repository } from '../worktree/repository.ts'
import { slugOf, type Worktree, worktreeOf } from '../worktree/slug.ts'
import { lockReason } from '../worktree/worktree.ts'

/** `obstacle`: why its worktree cannot be had; `lost`: who left it there, without a bus that could tell of it. */
type Way = { readonly worktree: Worktree; readonly obstacle?: string; readonly lost?: Lost }

type Where = { readonly id: string; readonly repository: Repository; readonly store: Store }

/** Looks whether the place of an issue's worktree is free for a run. */
export function lookForWay({ id, repository, store }: Where, issue: string): Way {
  const worktree = worktreeOf(repository, slugOf(issue))
  const { path } = worktree
  const admin = findAdminFolder(repository.commonDir, path)
  const there = admin === undefined ? undefined : { path, locked: lockOf(admin) ?? null }
  if (there === undefined && existsSync(path))
    return { worktree, obstacle: `${path} lies there, and git knows no worktree of it; move it away` }
  if (there === undefined || there.locked === lockReason(id)) return { worktree }
  const run = lostRun(repository.commonDir, store, there)
  const worker = readRecord(repository.commonDir, path)?.worker
  if (run !== undefined) return { worktree, lost: { run, issue, worker } }
  // A live run locks the worktree that it works in, also when its lease has run out.
  const isHeld = there.locked?.startsWith('loop ')
  const ends = `its worktree ${path} is there already; loop land or loop worktree remove ends it`
  return { worktree, obstacle: isHeld ? `${there.locked} works in its worktree ${path}` : ends }
}

/** Why an issue could not be claimed. */
export function whyNot(issue: Issue | undefined, { lost }: Pick<Way, 'lost'>): string {
  if (issue?.claim == null) return `it is ${issue?.status ?? 'gone'}`
  const { by } = issue.claim
  return lost !== undefined && lost.worker === by
    ? `${by} holds it, and its run is gone: loop doctor --fix gives it back`
    : `${by} holds it`
}
