// Where the worktree verbs stand: the repository around a folder, its stores and its tools, without a run.

import { findProgram } from '@switchyard/exec'
import { isFailure } from '@switchyard/ground/failure'
import { locateStore, type Store } from '@switchyard/topic'
import { readConfig } from '../config/read-config.ts'
import type { ProjectConfig } from '../config/withhold.ts'
import { openPlainChildren, type RunChild } from '../programs/children.ts'
import { type Git, identityOf, openGit } from '../programs/git.ts'
import type { Issue } from '../programs/issue-schema.ts'
import { openTissue } from '../programs/tissue.ts'
import { findBase, findRepository, type Repository } from './repository.ts'

type Env = Readonly<Record<string, string | undefined>>

export type WorktreePlace = {
  readonly cwd: string
  readonly git: Git
  readonly repository: Repository
  readonly runChild: RunChild
  readonly bus: Store
  /** Stores by absolute path, for commands that run in a worktree. */
  readonly stores: Readonly<Record<string, string>>
  readonly identity: Record<string, string>
  readonly now: () => number
  config(): ProjectConfig
  /** The branch that work lands on; undefined when none can be told. */
  base(): Promise<string | undefined>
  /** Undefined without a tracker, or when it knows no such issue. */
  issue(id: string): Promise<Issue | undefined>
  /** All there are; none without a tracker. */
  issues(): Promise<Issue[]>
}

/** Failure `usage` when `cwd` is in no repository. */
export async function openPlace({
  cwd,
  env,
  now,
}: {
  cwd: string
  env: Env
  now: () => number
}): Promise<WorktreePlace> {
  const plain = openGit(openPlainChildren(env))
  const repository = await findRepository(plain, cwd)
  const bus = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
  const issues = locateStore({ cwd, env, name: '.tissue', variable: 'TISSUE_STORE' })
  const stores = { JWZ_STORE: bus.path, TISSUE_STORE: issues.path }
  const runChild = openPlainChildren({ ...env, ...stores })
  const git = openGit(runChild)
  const tissue = openTissue(runChild, repository.root)
  const hasTissue = () => findProgram('tissue', { cwd, env }) !== undefined
  const config = () => readConfig(repository.root, env)
  return {
    ...{ cwd, git, repository, runChild, bus, stores, now, config },
    identity: await identityOf(git, repository.here),
    base: () => knownBase(git, repository, config().base),
    issue: async (id) => (hasTissue() ? tissue.show(id) : undefined),
    issues: async () => (hasTissue() ? tissue.all() : []),
  }
}

async function knownBase(git: Git, repository: Repository, wanted: string | undefined): Promise<string | undefined> {
  try {
    return await findBase(git, repository, wanted)
  } catch (error) {
    if (isFailure(error) && error.kind === 'usage') return undefined
    throw error
  }
}
