import { cleanEnv, execute } from '@switchyard/exec'
import { gitCall } from '../walk/git.ts'

const timeoutMs = 20_000
const outputBytesMax = 32_000_000
const commitsMax = 2_000

/** How often each file was changed in the last commits, by its path from `root`. Empty where git does not tell. */
export async function readChurn(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const log = [
    'log',
    '--no-merges',
    `--max-count=${commitsMax}`,
    '--format=',
    '--name-only',
    '-z',
    '--relative',
    '--no-renames',
    '--no-ext-diff',
  ]
  const call = gitCall({ top: root, env: cleanEnv(env) }, [...log, '--', '.'])
  const ran = await execute(['git', ...call.argv], {
    ...{ cwd: root, env: call.env, timeoutMs, outputBytesMax },
  }).catch(() => undefined)
  if (ran?.exitCode !== 0) return counts
  for (const path of ran.stdout.split('\0')) {
    const name = path.replace(/^\n+/, '')
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
