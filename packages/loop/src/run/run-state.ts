import type { Store } from '@switchyard/topic'
import type { Config } from '../config/config-schema.ts'
import type { Git } from '../git.ts'
import type { Issue } from '../issue-schema.ts'
import type { LandingSettings } from '../land/landing-settings.ts'
import type { Journal } from '../state/journal.ts'
import type { Work } from '../state/reduce.ts'
import type { Limits, Rules } from '../state/work-schema.ts'
import type { Tissue } from '../tissue.ts'
import type { Repository } from '../worktree/repository.ts'
import type { Worktree } from '../worktree/worktree.ts'
import type { RunChild } from './children.ts'

/** What every step of a run needs: its adapters, its place and its limits. */
export type Run = {
  readonly id: string
  readonly base: string
  readonly repository: Repository
  /** What `loop.json` says a new worktree needs. */
  readonly settings: Config['worktree']
  /** The bus. */
  readonly store: Store
  readonly git: Git
  readonly tissue: Tissue
  readonly journal: Journal
  readonly runChild: RunChild
  /** Who commits when the user has not said who they are. */
  readonly identity: Record<string, string>
  /** Line of shell that is the runner. */
  readonly runner: string
  readonly verify: string
  readonly iterationsMax: number
  readonly rules: Rules
  readonly limits: Limits
  readonly landing: LandingSettings
  /** Of one runner or verify call. */
  readonly timeoutMs: number
  readonly leaseMs: number
  /** Stores by absolute path, for runners that are in a worktree. */
  readonly stores: Record<string, string>
  /** Aborted when what is going on shall stop at once. */
  readonly stop: AbortSignal
  /** Cleans up after runs that died; nothing to do most of the time. */
  readonly recover: () => Promise<void>
  /** Leaves what could not be cleaned up to the recovery of the next run. */
  readonly leaveToRecovery: () => void
  readonly note: (text: string) => void
  readonly now: () => number
}

/** One claimed issue on its way. The fields that change say where its worktree is. */
export type Job = {
  readonly issue: Issue
  readonly worker: string
  /** Id of our claim; whoever holds another is not us. */
  readonly fence: string
  readonly worktree: Worktree
  /** Commit of the base that the worktree was last set to. */
  from: string
  /** Commit that we made of the runner's changes; replaced when it is tried again. */
  made: string | undefined
  iteration: number
  /** Where it is on its way, as `reduce` has it. */
  work: Work
  /** Ref of work that was set aside. */
  salvage: string | undefined
}

/** What a runner and a verify command are told by the environment. */
export function environmentOf(run: Pick<Run, 'id' | 'stores'>, job: Omit<Job, 'work'>): Record<string, string> {
  return {
    ...run.stores,
    JWZ_AGENT: job.worker,
    LOOP_RUN_ID: run.id,
    LOOP_ISSUE: job.issue.id,
    LOOP_WORKTREE: job.worktree.path,
    LOOP_ITERATION: String(job.iteration),
  }
}
