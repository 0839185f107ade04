// Where an agent is: its folder, the repository around it, the issue it works on, and what the project has settled.
import { isFailure } from '@switchyard/ground/failure'
import { type Repository, rootOf } from '@switchyard/ground/repository'
import { type GuardSettings, readSettings, withoutSettings } from './settings.ts'
import type { GuardWorld } from './world.ts'

export type Scene = {
  readonly world: GuardWorld
  readonly cwd: string
  readonly repository: Repository | undefined
  /** The folder of the main tree, where the stores are. */
  readonly root: string | undefined
  /** The worktree of the issue that is worked here; undefined outside of issue mode. */
  readonly worktree: string | undefined
  readonly settings: GuardSettings
  /** Nobody has trusted the settings: they may tighten alone. */
  readonly isHeld: boolean
}

/** Reads the scene of a session that stands in `cwd`. */
export function readScene(cwd: string, world: GuardWorld): Scene {
  const here = world.realPath(cwd) ?? cwd
  const repository = world.repositoryAt(here)
  const root = repository === undefined ? undefined : rootOf(repository.commonDir)
  // The main tree's alone: an agent does not change the rules it works by in its own worktree.
  const { text, settings } = settingsIn(root, world)
  const settles = text !== undefined && settings.rules.size > 0
  return {
    world,
    cwd: here,
    repository,
    root,
    worktree: worktreeOf(here, repository, world),
    settings,
    isHeld: settles && root !== undefined && !world.trusts(root, text),
  }
}

function settingsIn(
  root: string | undefined,
  world: GuardWorld,
): { text: string | undefined; settings: GuardSettings } {
  try {
    const text = root === undefined ? undefined : world.configIn(root)
    return { text, settings: readSettings(text) }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { text: undefined, settings: withoutSettings(error.message) }
  }
}

function worktreeOf(
  cwd: string,
  repository: Repository | undefined,
  { env, realPath }: GuardWorld,
): string | undefined {
  const named = env.LOOP_WORKTREE
  if (named !== undefined && named !== '') return realPath(named) ?? named
  const isOurs = repository !== undefined && /\/\.worktrees\/loop\/[^/]+$/.test(repository.top)
  if (isOurs) return repository.top
  return env.LOOP_ISSUE === undefined || env.LOOP_ISSUE === '' ? undefined : (repository?.top ?? cwd)
}
