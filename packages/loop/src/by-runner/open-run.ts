// Puts together a run of issues: beside what every run has, the repository and the tracker.
import process from 'node:process'
import { nameOfRunner } from '@switchyard/exec/runner'
import { ignoreWorktrees } from '@switchyard/ground/ignore-worktrees'
import { ulid } from '@switchyard/ground/ulid'
import { ensureSandbox } from '@switchyard/sandbox'
import { readConfig } from '../config/read-config.ts'
import { waitingLine } from '../config/waiting-words.ts'
import { type LandingFlags, landingSettings } from '../land/landing-settings.ts'
import { openPlainChildren } from '../programs/children.ts'
import { identityOf, openGit } from '../programs/git.ts'
import { openTissue } from '../programs/tissue.ts'
import { markedStart } from '../record/made-here.ts'
import { ownerOf } from '../record/run-folder.ts'
import { recoverDeadRuns } from '../recover/recover.ts'
import { findBase, findRepository } from '../worktree/repository.ts'
import { type CoreOptions, ensureTools, openCore } from './open-core.ts'
import type { Run } from './run-state.ts'

export type RunOptions = Omit<CoreOptions, 'id' | 'isAlone'> & {
  /** The run to go on with; a new one where there is none. */
  id?: string
  mode: 'issue' | 'issues'
  landing: LandingFlags
  jobs: number
  /** A run of single steps has no process that owns it between them. */
  isOwned: boolean
}

/** A run that has begun; `close` takes its folder away. */
export type OpenRun = { run: Run; close(): void }

/** Finds the repository and base, cleans up after dead runs, and records that this one has started. */
export async function openRun(options: RunOptions): Promise<OpenRun> {
  const { cwd, env, now, note, settings, jobs } = options
  ensureTools(['git', 'tissue', ...('agent' in settings.runner ? ['scope'] : [])], { cwd, env })
  if (settings.confining !== undefined) await ensureSandbox({ cwd, env })
  const id = options.id ?? ulid(now()).toLowerCase()
  const plain = openGit(openPlainChildren(env))
  const repository = await findRepository(plain, cwd)
  const config = readConfig(repository.root, env)
  const base = await findBase(plain, repository, settings.base)
  const landing = await landingSettings(plain, repository, base, { config, flags: options.landing })
  if (config.waits.length > 0) note(`${waitingLine(config.waits)}; this run goes without`)
  ignoreWorktrees(repository)
  const { core, close, leaveToRecovery } = openCore({ ...options, id, isAlone: jobs === 1 })
  try {
    const { store, runChild } = core
    const git = openGit(runChild)
    const identity = await identityOf(git, repository.here)
    const tissue = openTissue(runChild, repository.root)
    const recover = () => recoverDeadRuns({ by: id, repository, git, tissue, store, env, identity, now, note })
    await recover()
    const { verify = 'true', rules, leaseMs, reviewer } = settings
    const place = { base, repository, settings: config.worktree, landing, git, tissue, identity }
    const run = { ...core, ...place, verify, reviewer, rules, leaseMs, recover, leaveToRecovery }
    if (options.before === undefined) await recordStart(run, options)
    return { run, close }
  } catch (error) {
    close()
    throw error
  }
}

function recordStart(run: Run, { mode, jobs, isOwned, cwd, settings }: RunOptions): Promise<void> {
  const { id, base, verify, rules, limits, transcripts } = run
  const started = {
    ...({
      event: 'started',
      run: id,
      mode,
      review: rules.reviews,
      cwd,
      base,
      with: run.redact(nameOfRunner(run.runner)),
      verify: run.redact(verify),
    } as const),
    ...(isOwned ? { owner: ownerOf(process.pid) } : { steps: true }),
    ...(settings.confining === undefined ? {} : { sandbox: true }),
    ...(transcripts === undefined ? {} : { log: transcripts.folder }),
    ...{ jobs, max_iterations: limits.iterations },
  }
  return run.journal.tell(markedStart(run.store, started, run.env))
}
