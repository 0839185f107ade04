import type { Store } from '@switchyard/topic'
import type { Config } from '../config/config-schema.ts'
import type { Git } from '../git.ts'
import { ceilingAt } from '../git-place.ts'
import type { Issue } from '../issue-schema.ts'
import type { LandingSettings } from '../land/landing-settings.ts'
import type { Journal } from '../state/journal.ts'
import type { Work } from '../state/reduce.ts'
import type { Limits, Rules } from '../state/work-schema.ts'
import type { Tissue } from '../tissue.ts'
import type { Repository } from '../worktree/repository.ts'
import type { Worktree } from '../worktree/worktree.ts'
import type { RunChild } from './children.ts'
import type { Controls } from './controls.ts'
import type { Ledger } from './ledger.ts'
import { notesTopic } from './notes.ts'
import type { RunWork } from './run-work.ts'
import type { Runner } from './runner.ts'
import type { Context } from './settings.ts'
import type { Transcripts } from './transcripts.ts'

/** What every run has, of issues or of a task: whom it calls, what it may spend, and how it is spoken to. */
export type RunCore = {
  readonly id: string
  /** The bus. */
  readonly store: Store
  readonly journal: Journal
  readonly runChild: RunChild
  /** Starts the agent, and what verifies or reviews its work. */
  readonly runWork: RunWork
  readonly runner: Runner
  readonly context: Context
  /** What `scope run` is told beside, so that our hooks are there. */
  readonly hooks: () => Promise<readonly string[]>
  /** Template of the prompt, instead of the usual one. */
  readonly template: string | undefined
  readonly limits: Limits
  readonly ledger: Ledger
  /** How long one call of the runner, or of what verifies, may take. */
  readonly timeoutMs: number
  /** First wait after a rate limit whose end nobody says. */
  readonly backoffMs: number
  /** Stores by absolute path, for runners that are in a worktree. */
  readonly stores: Record<string, string>
  readonly transcripts: Transcripts | undefined
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string
  /** What children inherit. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly controls: Controls
  /** Aborted when what is going on shall stop at once. */
  readonly stop: AbortSignal
  /** Aborted when what is going on shall be the last. */
  readonly draining: AbortSignal
  readonly note: (text: string) => void
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
}

/** What every step of a run of issues needs beside that: its adapters and its place. */
export type Run = RunCore & {
  readonly base: string
  readonly repository: Repository
  /** What `loop.json` says a new worktree needs. */
  readonly settings: Config['worktree']
  readonly git: Git
  readonly tissue: Tissue
  /** Who commits when the user has not said who they are. */
  readonly identity: Record<string, string>
  readonly verify: string
  readonly reviewer: string | undefined
  readonly rules: Rules
  readonly leaseMs: number
  readonly landing: LandingSettings
  /** Cleans up after runs that died; nothing to do most of the time. */
  readonly recover: () => Promise<void>
  /** Leaves what could not be cleaned up to the recovery of the next run. */
  readonly leaveToRecovery: () => void
}

/** A task, or an issue of a run, as far as calling its agent goes. */
export type Turns = {
  readonly worker: string
  iteration: number
  /** Where it is on its way, as `reduce` has it. */
  work: Work
  /** Session of the agent, and how many calls have carried on in it. */
  session: { readonly id: string; readonly calls: number } | undefined
  /** What the run had spent when this was told last. */
  told: { readonly tokens: number; readonly cost_usd: number }
}

/** One claimed issue on its way. The fields that change say where its worktree is. */
export type Job = Turns & {
  readonly issue: Issue
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

type Told = Pick<RunCore, 'id' | 'stores'>

/** What a runner and a verify command are told by the environment. */
export function environmentOf(run: Told, job: Omit<Job, 'work' | 'session' | 'told'>): Record<string, string> {
  const { path } = job.worktree
  return { ...commonEnvironment(run, job, job.issue.id), ...ceilingAt(path), LOOP_WORKTREE: path }
}

/** Environment that issues and tasks share; for a task `issue` is `task`. */
export function commonEnvironment(
  run: Told,
  turns: Pick<Turns, 'worker' | 'iteration'>,
  issue: string,
): Record<string, string> {
  return {
    ...run.stores,
    JWZ_AGENT: turns.worker,
    LOOP_RUN_ID: run.id,
    LOOP_ISSUE: issue,
    LOOP_ITERATION: String(turns.iteration),
    LOOP_NOTES: notesTopic(run.id),
  }
}
