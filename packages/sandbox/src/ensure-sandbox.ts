import { platform } from 'node:process'
import { execute, findProgram } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { bwrapCommand } from './bwrap.ts'

type Env = Readonly<Record<string, string | undefined>>

const timeoutMs = 60_000
const outputBytesMax = 4096

/**
 * Fails as `outside` where a command cannot be confined, with the reason and what to do: the program is missing or too
 * old, or the kernel refuses namespaces. What is tried is what would be asked for.
 */
export async function ensureSandbox({ cwd, env }: { cwd: string; env: Env }): Promise<void> {
  const program = platform === 'darwin' ? 'sandbox-exec' : 'bwrap'
  if (platform !== 'darwin' && platform !== 'linux') {
    throw cannot(`${platform} has no sandbox that this knows`, 'leave it out, or use Linux or macOS')
  }
  if (findProgram(program, { cwd, env }) === undefined) {
    throw cannot(`${program} is not on PATH`, 'install it: apt install bubblewrap, dnf install bubblewrap')
  }
  const whole = { mounts: [{ at: '/', is: 'shown', of: '/', writable: false }], copied: [] } as const
  const tried =
    platform === 'darwin'
      ? ['sandbox-exec', '-p', '(version 1)(allow default)', 'true']
      : bwrapCommand(['true'], whole, { folder: '/', hasNetwork: false })
  const { exitCode, stderr } = await execute(tried, { cwd, env, timeoutMs, outputBytesMax })
  if (exitCode !== 0) throw refusal(program, stderr)
}

function refusal(program: string, stderr: string): Failure {
  const said =
    stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^(?:bwrap|sandbox-exec): /, '') || 'it said nothing'
  if (/unknown option/i.test(said)) return cannot(`${program} is too old: ${said}`, 'install bubblewrap 0.7 or later')
  return cannot(
    `the kernel refuses namespaces to ${program}: ${said}`,
    'let it make them: an AppArmor profile for bwrap (Ubuntu), sysctl kernel.unprivileged_userns_clone=1 (Debian), or a container that may',
  )
}

const cannot = (why: string, hint: string) =>
  new Failure('outside', `cannot confine a command: ${why}`, { hint, retryable: false })
