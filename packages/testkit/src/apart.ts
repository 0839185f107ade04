import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process'

/**
 * Waits until the process that began it has ended and been buried, so that whoever looks for the ones above the
 * command finds none of the tests, nor the agent that may run these. Its exit code goes to descriptor 3.
 */
const leaving = 'exec 4<&0; { while kill -0 $$ 2>/dev/null; do sleep 0.01; done; "$@" 3>&- <&4; echo $? >&3; } &'

/**
 * Runs a command line to its end as a process that nobody is above, with what it prints: a person's script that lives
 * on by itself.
 */
export function runApart(line: readonly string[], options: Omit<SpawnSyncOptionsWithStringEncoding, 'stdio'>) {
  // Node takes it here, its types do not say so.
  const own = { detached: true }
  const { pid, output, stdout, stderr, error } = spawnSync('sh', ['-c', leaving, 'sh', ...line], {
    ...options,
    ...own,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  if (error) {
    // Its group is what is left of it; it took too long, or was never there.
    if (pid > 0) process.kill(-pid, 'SIGKILL')
    throw error
  }
  return { code: Number(output[3]), signal: null, stdout, stderr }
}
