import type { Execution } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { mechanicalGit, mechanicalGitEnvironment } from '@switchyard/ground/mechanical-git'
import type { RunChild } from './children.ts'
import { foldersInEnvironment, type GitPlace } from './git-place.ts'

/**
 * Git, run as a program, always at a place that is proved just before. Paths and refs are arguments, never part of a
 * shell line.
 */
export type Git = {
  /** Whatever the exit code is. */
  try(at: GitPlace, args: readonly string[], options?: GitOptions): Promise<Execution>
  /** Stdout without its last line break; Failure `outside` with git's own words on another exit code than 0. */
  run(at: GitPlace, args: readonly string[], options?: GitOptions): Promise<string>
  /** The folders that git finds around one, which it may look for up to a ceiling; undefined when it finds none. */
  find(folder: string, env?: Readonly<Record<string, string>>): Promise<FoundFolders | undefined>
}

/** `top` is undefined where there is no working tree. */
type FoundFolders = { commonDir: string; gitDir: string; top: string | undefined }

type GitOptions = {
  input?: string
  env?: Readonly<Record<string, string>>
  timeoutMs?: number
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
}

const gitTimeoutMs = 10 * 60_000

/** Git for one run. */
export function openGit(runChild: RunChild): Git {
  const call = (cwd: string, args: readonly string[], { input, env, timeoutMs, onOutput }: GitOptions) =>
    runChild(['git', ...mechanicalGit, ...args], {
      cwd,
      onOrphan: 'wait',
      timeoutMs: timeoutMs ?? gitTimeoutMs,
      env: { ...mechanicalGitEnvironment, ...env },
      ...(input === undefined ? {} : { input }),
      ...(onOutput === undefined ? {} : { onOutput }),
    })
  const attempt: Git['try'] = async (at, args, options = {}) => {
    at.prove()
    const env = { ...options.env, ...foldersInEnvironment(at) }
    return call(at.workTree ?? at.commonDir, args, { ...options, env })
  }
  return {
    try: attempt,
    async run(at, args, options) {
      const result = await attempt(at, args, options)
      if (result.exitCode === 0) return result.stdout.replace(/\n$/, '')
      const said = result.stderr.trim().split('\n').at(-1) ?? ''
      throw new Failure(
        'outside',
        `git ${args[0]} failed in ${at.workTree ?? at.commonDir} (exit ${result.exitCode}): ${said}`,
      )
    },
    async find(folder, env = {}) {
      // Where there is no working tree git fails at the last, and has said the others.
      const asked = ['--git-common-dir', '--git-dir', '--show-toplevel']
      const found = await call(folder, ['rev-parse', '--path-format=absolute', ...asked], { env })
      const [commonDir = '', gitDir, top] = found.stdout.trim().split('\n')
      return commonDir === '' || gitDir === undefined ? undefined : { commonDir, gitDir, top }
    },
  }
}

/** Who commits: the user as git knows them, there or in the repository `around` it, else `loop`. */
export async function identityOf(git: Git, at: GitPlace, around = at): Promise<Record<string, string>> {
  if ((await userOf(git, at)) !== undefined) return {}
  const outer = around === at ? undefined : await userOf(git, around)
  const { name, email } = outer ?? { name: 'loop', email: 'loop@localhost' }
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

async function userOf(git: Git, at: GitPlace): Promise<{ name: string; email: string } | undefined> {
  const set = (await git.try(at, ['config', '--null', '--get-regexp', '^user\\.(email|name)$'])).stdout
  // Git takes the last of two values.
  const lastOf = (key: string) =>
    set
      .split('\0')
      .findLast((entry) => entry.startsWith(`${key}\n`))
      ?.slice(key.length + 1)
  const [name, email] = [lastOf('user.name'), lastOf('user.email')]
  return name === undefined || email === undefined ? undefined : { name, email }
}
