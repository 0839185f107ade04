import { Failure } from '@switchyard/cli-kit/failure'
import type { Execution } from '@switchyard/exec'
import type { RunChild } from './run/children.ts'

/** Git, run as a program. Paths and refs are arguments, never part of a shell line. */
export type Git = {
  /** Whatever the exit code is. */
  try(cwd: string, args: readonly string[], options?: GitOptions): Promise<Execution>
  /** Stdout without its last line break; Failure `outside` with git's own words on another exit code than 0. */
  run(cwd: string, args: readonly string[], options?: GitOptions): Promise<string>
}

type GitOptions = { input?: string; env?: Readonly<Record<string, string>> }

const gitTimeoutMs = 10 * 60_000

/**
 * The commits, rebases and merges made here are mechanical: the user's hooks, signing, editors and background
 * maintenance stay out of them, and settings that would change what they do are off. On a
 * machine under load another worker's git may hold a lock of refs for longer than git waits by itself.
 */
const mechanical = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.filesRefLockTimeout=10000',
  'core.packedRefsTimeout=10000',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'rebase.autoSquash=false',
  'rebase.autoStash=false',
  'rebase.updateRefs=false',
  'merge.autoStash=false',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting])

const environment = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }

/** Git for one run. `identity` is who commits when the user has not said who they are. */
export function openGit(runChild: RunChild): Git {
  const attempt: Git['try'] = (cwd, args, { input, env } = {}) =>
    runChild(['git', ...mechanical, ...args], {
      cwd,
      onOrphan: 'wait',
      timeoutMs: gitTimeoutMs,
      env: { ...environment, ...env },
      ...(input === undefined ? {} : { input }),
    })
  return {
    try: attempt,
    async run(cwd, args, options) {
      const result = await attempt(cwd, args, options)
      if (result.exitCode === 0) return result.stdout.replace(/\n$/, '')
      const said = result.stderr.trim().split('\n').at(-1) ?? ''
      throw new Failure('outside', `git ${args[0]} failed in ${cwd} (exit ${result.exitCode}): ${said}`)
    },
  }
}

/** Who commits: the user as git knows them, in `cwd` or in the repository `around` it, else `loop`. */
export async function identityOf(git: Git, cwd: string, around = cwd): Promise<Record<string, string>> {
  if ((await userOf(git, cwd)) !== undefined) return {}
  const outer = around === cwd ? undefined : await userOf(git, around)
  const { name, email } = outer ?? { name: 'loop', email: 'loop@localhost' }
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

async function userOf(git: Git, cwd: string): Promise<{ name: string; email: string } | undefined> {
  const set = (await git.try(cwd, ['config', '--null', '--get-regexp', '^user\\.(email|name)$'])).stdout
  // Of two values git takes the last.
  const lastOf = (key: string) =>
    set
      .split('\0')
      .findLast((entry) => entry.startsWith(`${key}\n`))
      ?.slice(key.length + 1)
  const [name, email] = [lastOf('user.name'), lastOf('user.email')]
  return name === undefined || email === undefined ? undefined : { name, email }
}

/** What git complained of, on one line. */
export function gitSays(stderr: string): string {
  return stderr
    .split('\n')
    .map((line) => line.replace(/^(error|fatal|remote): /, '').trim())
    .filter((line) => line !== '' && line !== 'Aborting' && !line.startsWith('hint:'))
    .slice(0, 4)
    .join(' ')
}
