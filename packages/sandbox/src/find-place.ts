import { cleanEnv, execute, findProgram } from '@switchyard/exec'
import type { OuterPlace } from './outer-git.ts'

type Env = Readonly<Record<string, string | undefined>>

const limits = { timeoutMs: 60_000, outputBytesMax: 64 * 1024 }

/** The working tree around a folder as git finds it; undefined where there is none, or no git. */
export async function findPlace(folder: string, env: Env): Promise<OuterPlace | undefined> {
  const clean = cleanEnv(env)
  if (findProgram('git', { cwd: folder, env: clean }) === undefined) return undefined
  const asked = ['--git-common-dir', '--git-dir', '--show-toplevel']
  const argv = ['git', 'rev-parse', '--path-format=absolute', ...asked]
  const { exitCode, stdout } = await execute(argv, { cwd: folder, env: clean, ...limits })
  const [commonDir, gitDir, workTree] = stdout.trim().split('\n')
  if (exitCode !== 0 || commonDir === undefined || gitDir === undefined || workTree === undefined) return undefined
  return { commonDir, gitDir, workTree }
}
