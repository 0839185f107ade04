// Git, run as a program. Paths and refs are arguments, never part of a shell line.
import { cleanEnv, type Execution, execute } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { gitSays, mechanicalGit, mechanicalGitEnvironment } from '@switchyard/ground/mechanical-git'
import { withoutStores } from '@switchyard/ground/store-paths'
import { type ListedWorktree, parseWorktreeList } from '@switchyard/ground/worktree-list'

type Env = Readonly<Record<string, string | undefined>>

export type Git = {
  /** Whatever the exit code is. */
  try(cwd: string, args: readonly string[], env?: Env, input?: string): Promise<Execution>
  /** Stdout without its last line break; Failure `outside` with git's own words on another exit code than 0. */
  run(cwd: string, args: readonly string[], env?: Env): Promise<string>
}

const limits = { timeoutMs: 10 * 60_000, outputBytesMax: 64_000_000 }

/** Git as the caller of a verb has it, who is asked nothing. Failure `outside` on a call that goes beyond the limits. */
export function openGit(env: Env, { timeoutMs, outputBytesMax } = limits): Git {
  const attempt: Git['try'] = (cwd, args, more = {}, input = '') =>
    execute(['git', ...mechanicalGit, ...args], {
      ...{ cwd, env: { ...cleanEnv(env), ...mechanicalGitEnvironment, ...more }, timeoutMs, outputBytesMax, input },
    })
  return {
    try: attempt,
    async run(cwd, args, more) {
      const { exitCode, stdout, stderr } = await attempt(cwd, args, more)
      if (exitCode === 0) return stdout.replace(/\n$/, '')
      throw new Failure('outside', `git ${args[0]} failed in ${cwd}: ${gitSays(stderr)}`, { retryable: false })
    },
  }
}

/** The commit that a name stands for; undefined when there is none. */
export async function commitOf(git: Git, cwd: string, name: string): Promise<string | undefined> {
  const { exitCode, stdout } = await git.try(cwd, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
  return exitCode === 0 ? stdout.trim() : undefined
}

/** The worktrees that git knows of. */
export const listWorktrees = async (git: Git, commonDir: string): Promise<ListedWorktree[]> =>
  parseWorktreeList(await git.run(commonDir, ['worktree', 'list', '--porcelain', '-z']))

/** The files of a working tree with changes that are in no commit; stores of tools are none. */
export async function changedFiles(
  git: Git,
  cwd: string,
  untracked: 'normal' | 'no',
  env: Env = {},
): Promise<string[]> {
  const words = ['status', '--porcelain', '-z', '--no-renames', `--untracked-files=${untracked}`]
  const said = await git.run(cwd, [...words, '--', ':/', ...withoutStores], env)
  return said.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]))
}
