import type { Runner } from '@switchyard/exec/runner'
import type { Store } from '@switchyard/topic'
import type { Config } from '../config/config-schema.ts'
import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import type { RunChild } from '../programs/children.ts'
import type { RunWork } from '../programs/run-work.ts'
import type { Journal } from '../record/journal.ts'
import type { Transcripts } from '../record/transcripts.ts'
import type { Work } from '../state/reduce.ts'
import type { Limits } from '../state/work-schema.ts'
import type { Controls } from './controls.ts'
import type { Ledger } from './ledger.ts'
import type { Context } from './settings.ts'

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
export type Run = RunCore &
  LandingRun & {
    /** What `loop.json` says a new worktree needs. */
    readonly settings: Config['worktree']
    readonly leaseMs: number
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

/** One claimed issue on its way. */
export type Job = Turns & LandingJob
