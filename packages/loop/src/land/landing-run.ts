import type { Store } from '@switchyard/topic'
import type { RunChild } from '../programs/children.ts'
import type { Git } from '../programs/git.ts'
import type { Issue } from '../programs/issue-schema.ts'
import type { RunWork } from '../programs/run-work.ts'
import type { Tissue } from '../programs/tissue.ts'
import type { Journal } from '../record/journal.ts'
import type { Rules, WorkInput } from '../state/work-schema.ts'
import type { Repository } from '../worktree/repository.ts'
import type { Worktree } from '../worktree/slug.ts'
import type { LandingSettings } from './landing-settings.ts'

/** What a landing needs of a run, so that one of a session, and one that somebody asks for, can be one. */
export type LandingRun = {
  readonly id: string
  readonly base: string
  readonly repository: Repository
  readonly git: Git
  readonly tissue: Tissue
  readonly journal: Journal
  /** The bus. */
  readonly store: Store
  readonly runChild: RunChild
  /** Starts the agent, and what verifies or reviews its work. */
  readonly runWork: RunWork
  /** The environment that children inherit. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly reviewer: string | undefined
  /** The variables that say who commits, where the user has not said who they are. */
  readonly identity: Record<string, string>
  readonly verify: string
  readonly rules: Rules
  readonly landing: LandingSettings
  /** How long one call of the runner, or of a command that verifies, may take. */
  readonly timeoutMs: number
  /** Stores by absolute path, for runners that are in a worktree. */
  readonly stores: Record<string, string>
  /** Cleans up after runs that died; nothing to do most of the time. */
  readonly recover: () => Promise<void>
  readonly note: (text: string) => void
  readonly now: () => number
}

/** One claimed issue on its way. The fields that change say where its worktree is. */
export type LandingJob = {
  readonly issue: Issue
  readonly worker: string
  iteration: number
  /** Id of our claim; whoever holds another is not us. Another one once it was taken back. */
  fence: string
  readonly worktree: Worktree
  /** Commit of the base that the worktree was last set to. */
  from: string
  /** Commit that we made of the runner's changes; replaced when it is tried again. */
  made: string | undefined
  /** Ref of work that was set aside. */
  salvage: string | undefined
}

/** A claimed issue of which nothing is known to be done yet, and that has no worktree to begin with. */
export function jobOf(claimed: Pick<LandingJob, 'issue' | 'worker' | 'fence' | 'worktree' | 'iteration'>): LandingJob {
  return { ...claimed, from: '', made: undefined, salvage: undefined }
}

/** How a landing ended. */
export type Landing = Extract<WorkInput, { of: 'landing' }>
