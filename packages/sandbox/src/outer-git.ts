// Git outside, on the repository that a confined command works on: it is told its folders, and runs nobody's hooks.

import { cleanEnv, type Execution, execute } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'

type Env = Readonly<Record<string, string | undefined>>

/** Where git is outside; `gitDir` of a linked worktree is its administrative folder. */
export type OuterPlace = { readonly gitDir: string; readonly commonDir: string; readonly workTree: string }

export type OuterGit = {
  try(args: readonly string[]): Promise<Execution>
  /** Stdout without its last line break; Failure `outside` on another exit code than 0. */
  run(args: readonly string[], from?: string): Promise<string>
}

const timeoutMs = 10 * 60_000
const outputBytesMax = 64 * 1024 * 1024
const mechanical = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'gc.auto=0']

export function outerGit({ gitDir, commonDir, workTree }: OuterPlace, env: Env): OuterGit {
  const told = { ...cleanEnv(env), GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, GIT_WORK_TREE: '.', LC_ALL: 'C' }
  const options = { cwd: workTree, env: told, timeoutMs, outputBytesMax }
  return {
    try: (args) => execute(['git', ...mechanical, ...args], options),
    async run(args, from) {
      const git = ['git', ...mechanical, ...args]
      const argv = from === undefined ? git : ['sh', '-c', 'from=$1; shift; exec "$@" <"$from"', 'sh', from, ...git]
      const result = await execute(argv, options)
      if (result.exitCode === 0) return result.stdout.replace(/\n$/, '')
      const said = result.stderr.trim().split('\n').at(-1) ?? ''
      throw new Failure('outside', `git ${args[0]} failed in ${workTree} (exit ${result.exitCode}): ${said}`)
    },
  }
}

/** Whether a commit is in the history of another. */
export async function ancestryOf(git: OuterGit, commit: string, other: string): Promise<boolean> {
  return (await git.try(['merge-base', '--is-ancestor', commit, other])).exitCode === 0
}
