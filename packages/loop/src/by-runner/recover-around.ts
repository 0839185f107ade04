import { openPlainChildren } from '../programs/children.ts'
import { identityOf, openGit } from '../programs/git.ts'
import { openTissue } from '../programs/tissue.ts'
import { findDeadRuns } from '../record/run-folder.ts'
import { recoverDeadRuns } from '../recover/recover.ts'
import { findRepository } from '../worktree/repository.ts'
import { type Env, locateStores } from './open-core.ts'

type Around = { cwd: string; env: Env; now: () => number; note: (text: string) => void; by: string }

/** Cleans up after dead runs of the repository around a folder, where there is one and they are. */
export async function recoverAround({ cwd, env, now, note, by }: Around): Promise<void> {
  const { bus, stores } = locateStores(cwd, env)
  const commonDir = bus.repository?.commonDir
  if (commonDir === undefined || findDeadRuns(commonDir, now()).length === 0) return
  const runChild = openPlainChildren({ ...env, ...stores })
  const git = openGit(runChild)
  const repository = await findRepository(git, cwd)
  const tissue = openTissue(runChild, repository.root)
  const identity = await identityOf(git, repository.here)
  await recoverDeadRuns({ by, repository, git, tissue, store: bus, env, identity, now, note })
}
