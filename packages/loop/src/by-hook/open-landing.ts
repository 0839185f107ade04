// What the steps of a session's issue are done with, for as long as one command or hook lives.
import process from 'node:process'
import { cleanEnv } from '@switchyard/exec'
import { ignoreWorktrees } from '@switchyard/ground/ignore-worktrees'
import { ulid } from '@switchyard/ground/ulid'
import { locateStore } from '@switchyard/topic'
import { readConfig, requireTrusted } from '../config/read-config.ts'
import type { LandingRun } from '../land/landing-run.ts'
import { landingSettings } from '../land/landing-settings.ts'
import { openChildren, openPlainChildren } from '../programs/children.ts'
import { identityOf, openGit } from '../programs/git.ts'
import { openWork } from '../programs/run-work.ts'
import { openTissue } from '../programs/tissue.ts'
import type { Journal } from '../record/journal.ts'
import { makeRunFolder, ownerOf, removeRunFolder } from '../record/run-folder.ts'
import { recoverDeadRuns } from '../recover/recover.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { findRepository, type Repository } from '../worktree/repository.ts'
import type { TurnWorld } from './turn-world.ts'

/** `close` says that nothing of it runs any more. */
export type OpenLanding = { readonly run: LandingRun; close(): void }

/**
 * The children of a hook that is killed are ended by the next run, which finds them in a folder of the hook's own: the
 * worktree stays the session's.
 */
export async function openLanding(
  run: Pick<SessionRun, 'id' | 'started'>,
  record: Journal,
  world: TurnWorld,
): Promise<OpenLanding> {
  const { store, env, now } = world
  const repository = await findRepository(openGit(openPlainChildren(env)), run.started.cwd ?? store.root)
  ignoreWorktrees(repository)
  const hook = `stop-${ulid(now()).toLowerCase()}`
  const folder = makeRunFolder(repository.commonDir, hook, ownerOf(process.pid))
  const close = () => removeRunFolder(folder)
  try {
    return { run: await landingRun(run, record, world, { repository, hook, folder }), close }
  } catch (error) {
    close()
    throw error
  }
}

type Here = { readonly repository: Repository; readonly hook: string; readonly folder: string }

/** The run as its start has it, with what this hook calls others by. */
async function landingRun(
  { id, started }: Pick<SessionRun, 'id' | 'started'>,
  journal: Journal,
  { store, env, now, until }: TurnWorld,
  { repository, hook, folder }: Here,
): Promise<LandingRun> {
  const { base, verify, review = false, cwd = store.root } = started
  const issues = locateStore({ cwd, env, name: '.tissue', variable: 'TISSUE_STORE' })
  const stores = { JWZ_STORE: store.path, TISSUE_STORE: issues.path }
  const runChild = openChildren(folder, { ...cleanEnv(env), ...stores })
  const git = openGit(runChild)
  const tissue = openTissue(runChild, repository.root)
  const identity = await identityOf(git, repository.here)
  const config = readConfig(repository.root, env)
  requireTrusted(config, 'push')
  const landing = await landingSettings(git, repository, base, { config, flags: {} })
  const note = () => undefined
  const runWork = openWork({ runChild, env, stores, folder, note }, undefined)
  return {
    ...{ id, base, verify, journal, store, repository, git, tissue, identity, runChild, runWork },
    ...{ env, landing, stores, note, now, reviewer: config.reviewer },
    // The time that the hook has left for the step at hand, not what there was for the first.
    get timeoutMs() {
      return Math.max(1, until - now())
    },
    // Taken from the start, which is signed: anybody can write the rest of the record.
    rules: { verifies: verify !== '', reviews: review, lands: true },
    recover: () => recoverDeadRuns({ by: hook, repository, git, tissue, store, env, identity, now, note }),
  }
}
