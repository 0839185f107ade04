import { execute } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'

const timeoutMs = 60_000
const listBytesMax = 64 * 1024 * 1024

/**
 * The paths that the next commit changes, relative to the top of the work tree; the old and the new one of what was
 * moved. In a hook git's variables name the index. Failure `outside` when git cannot say.
 */
export async function stagedPaths(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const command = ['git', 'diff', '--cached', '--name-only', '--no-renames', '--no-relative', '--no-ext-diff', '-z']
  const { exitCode, stdout, stderr, truncated } = await execute(command, {
    cwd,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
    timeoutMs,
    outputBytesMax: listBytesMax,
  })
  if (exitCode === 0 && !truncated) return stdout.split('\0').filter((path) => path !== '')
  const said = truncated ? `it has more than ${listBytesMax} bytes` : stderr.trim().split('\n').at(-1)
  throw new Failure('outside', `git was to list the staged paths in ${cwd}: ${said ?? `exit ${exitCode}`}`)
}
