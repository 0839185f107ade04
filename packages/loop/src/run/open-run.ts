// Puts a run together: its tools, its place, its adapters, and the folder that says it lives.
import { mkdirSync } from 'node:fs'
import process from 'node:process'
import { Failure } from '@switchyard/cli-kit/failure'
import { findProgram } from '@switchyard/exec'
import { locateStore, ulid } from '@switchyard/topic'
import { readConfig } from '../config/read-config.ts'
import { identityOf, openGit } from '../git.ts'
import { type LandingFlags, landingSettings } from '../land/landing-settings.ts'
import { recoverDeadRuns } from '../land/recover.ts'
import { openJournal } from '../state/journal.ts'
import { renderEvent } from '../state/render-event.ts'
import { openTissue } from '../tissue.ts'
import { findBase, findRepository, ignoreWorktrees } from '../worktree/repository.ts'
import { openChildren, openPlainChildren } from './children.ts'
import { makeRunFolder, ownerOf, removeRunFolder } from './run-folder.ts'
import type { Run } from './run-state.ts'
import { agents, runnerCommand } from './runner.ts'

type Env = Readonly<Record<string, string | undefined>>

export type RunOptions = {
  cwd: string
  env: Env
  now: () => number
  with: string
  verify: string
  base: string | undefined
  landing: LandingFlags
  jobs: number
  iterationsMax: number
  timeoutMs: number
  leaseMs: number
  stop: AbortSignal
  note: (text: string) => void
}

/** Fails as `outside` when a program is missing that the run will need. */
export function ensureTools({ cwd, env, with: wanted }: Pick<RunOptions, 'cwd' | 'env' | 'with'>): void {
  const needed = ['git', 'tissue', ...(agents.includes(wanted.trim()) ? ['scope'] : [])]
  for (const name of needed) {
    if (findProgram(name, { cwd, env }) !== undefined) continue
    throw new Failure('outside', `expected ${name} on PATH, it is not there`, { hint: `install ${name}` })
  }
}

/** A run that has begun; `close` takes its folder away. */
export type OpenRun = { run: Run; close(): void }

/** Finds the repository and base, cleans up after dead runs, and records that this one has started. */
export async function openRun(options: RunOptions): Promise<OpenRun> {
  const { cwd, env, now, note } = options
  const id = ulid(now()).toLowerCase()
  const plain = openGit(openPlainChildren(env))
  const repository = await findRepository(plain, cwd)
  const config = readConfig(repository.root)
  const base = await findBase(plain, repository, options.base)
  const landing = await landingSettings(plain, repository, base, { config, flags: options.landing })
  const bus = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
  const issues = locateStore({ cwd, env, name: '.tissue', variable: 'TISSUE_STORE' })
  const stores = { JWZ_STORE: bus.path, TISSUE_STORE: issues.path }
  ignoreWorktrees(repository)
  mkdirSync(`${repository.commonDir}/loop`, { recursive: true })

  const owner = ownerOf(process.pid)
  const folder = makeRunFolder(repository.commonDir, id, owner)
  let isClean = true
  const leaveToRecovery = () => {
    isClean = false
  }
  const close = () => {
    if (isClean) removeRunFolder(folder)
  }
  try {
    const runChild = openChildren(folder, { ...env, ...stores })
    const git = openGit(runChild)
    const identity = await identityOf(git, repository.here)
    const tissue = openTissue(runChild, repository.root)
    const journal = openJournal(bus, id, now, (event) => note(renderEvent(event)))
    const recover = () => recoverDeadRuns({ by: id, repository, git, tissue, store: bus, identity, now, note })
    await recover()
    const { with: wanted, verify, jobs, iterationsMax } = options
    const limits = { jobs, max_iterations: iterationsMax }
    await journal.record({
      event: 'started',
      run: id,
      owner,
      mode: 'issues',
      review: false,
      base,
      with: wanted,
      verify,
      ...limits,
    })
    const { timeoutMs, leaseMs, stop } = options
    const adapters = {
      repository,
      store: bus,
      settings: config.worktree,
      landing,
      git,
      tissue,
      journal,
      runChild,
      identity,
      stores,
      recover,
      note,
      now,
      leaveToRecovery,
    }
    const runner = runnerCommand(wanted)
    const rules = { verifies: true, reviews: false, lands: true }
    const gates = { rules, limits: { iterations: iterationsMax } }
    return { run: { id, base, runner, verify, iterationsMax, ...gates, timeoutMs, leaseMs, stop, ...adapters }, close }
  } catch (error) {
    close()
    throw error
  }
}
