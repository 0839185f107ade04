// What is wrong in the repository here: its settings, its bus, and what dead runs left.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { busExists, locateStore, type Store, topicsFolder } from '@switchyard/topic'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'
import { examineAccess, examineFileSystem } from '@switchyard/topic/examine/place'
import { examineTracked } from '@switchyard/topic/examine/tracked'
import { configName } from '../config/config-text.ts'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { howToTrust, waitingWords } from '../config/waiting-words.ts'
import { findDeadRuns } from '../record/run-folder.ts'
import { openPlace } from '../worktree/open-place.ts'
import { listOurs } from '../worktree/our-worktrees.ts'

type Where = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
}

/** Looks at `loop.json`. Failure `usage` when it is not what it should be. */
export function examineConfig(store: Store, { cwd, env }: Pick<Where, 'cwd' | 'env'>): Finding[] {
  const top = store.repository?.top ?? cwd
  readConfig(top)
  const { waits } = readConfig(configRootOf(store), env)
  if (waits.length > 0) return [warn(configName, waitingWords(waits), howToTrust)]
  const isThere = existsSync(join(top, configName))
  return [ok(configName, isThere ? 'is valid' : 'is not there: defaults and flags decide; loop init writes one')]
}

/** Looks at whether the bus can be written. */
export function examineBus({ cwd, env }: Pick<Where, 'cwd' | 'env'>): Finding[] {
  const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
  if (!busExists(store)) return [ok('bus', `${store.path} is not made yet; the first loop makes it`)]
  const disk = 'keep the bus on a local disk: JWZ_STORE says where'
  const access = examineAccess(topicsFolder(store), store, 'give this user the right to write there')
  return [access, examineFileSystem(store.path, disk), ...examineTracked(store)].map((finding) => ({
    ...finding,
    check: 'bus',
  }))
}

/** Looks for runs whose process is dead, and for worktrees that nobody is at work in any more. */
export async function examineLeftovers(where: Where): Promise<Finding[]> {
  const place = await openPlace(where)
  const dead = findDeadRuns(place.repository.commonDir, where.now())
  const names = dead.map(({ run }) => run).join(', ')
  const runs =
    dead.length === 0
      ? ok('runs', 'none died')
      : warn('runs', `died and not cleaned up after: ${names}`, 'loop recover')
  const ours = await listOurs(place)
  const left = ours.filter(({ facts }) => facts.run !== null && !facts.alive)
  const paths = left.map(({ facts }) => facts.path).join(', ')
  const advice = 'loop worktree list says how they stand, loop worktree prune removes what has landed'
  const worktrees =
    left.length === 0 ? ok('worktrees', `${ours.length} in use`) : warn('worktrees', `left: ${paths}`, advice)
  return [runs, worktrees]
}
