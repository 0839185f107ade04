import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execute } from '@switchyard/exec'
import { confine } from './confine.ts'
import type { Confinement } from './confinement.ts'
import { diskHere } from './disk.ts'
import { ensureSandbox } from './ensure-sandbox.ts'
import { innerGit } from './inner-git.ts'
import { noteNested, sandboxPrefix } from './left-sandbox.ts'
import { clearNestedGit, findNestedGit, type NestedGit } from './nested-git.ts'
import { ancestryOf, type OuterPlace, outerGit } from './outer-git.ts'
import { type RunInside, takeCommits } from './take-commits.ts'

/** What is asked for; the home of the user is that of `env`. */
export type Wanted = Omit<Confinement, 'home' | 'git' | 'temporaryBytes'> & {
  /** The working tree that `folder` is in; undefined outside a repository. */
  readonly repository: OuterPlace | undefined
  /** What is run, as text: programs that it names by their whole path can be read. */
  readonly line: string
  /** A folder for what it is made of; else that of temporary files. */
  readonly within?: string
}

export type Sandbox = {
  /** The command line and the whole environment to start instead of a command. */
  wrap(command: readonly string[]): { argv: string[]; env: Record<string, string> }
  /**
   * To be called before git is called outside: repositories that were made in folders of the working tree are taken
   * away, or kept as plain folders, whose names it returns.
   */
  clear(how: { keeps: boolean }): Promise<string[]>
  /** The commit that HEAD is at inside, now in the repository; undefined when nothing was committed. */
  takeCommits(): Promise<string | undefined>
  /** Fetches the commits and moves the branch that is checked out; the ref that keeps what is no step forward. */
  advance(): Promise<string | undefined>
  /** Takes away what was made for it. */
  close(): void
}

const temporaryBytes = 1024 * 1024 * 1024
const timeoutMs = 10 * 60_000
const outputBytesMax = 64 * 1024

/**
 * A sandbox for one call. Failure `outside` where this machine has none; `usage` where the folder is all of home, or
 * more.
 */
export async function openSandbox(wanted: Wanted): Promise<Sandbox> {
  const { folder, env, repository, within = tmpdir() } = wanted
  await ensureSandbox({ cwd: folder, env })
  const made = realpathSync.native(mkdtempSync(join(within, sandboxPrefix)))
  try {
    const git = repository && (await innerGit(repository, join(made, 'git'), env))
    const nested: NestedGit = repository ? await findNestedGit(repository.workTree, env) : new Map()
    if (repository) noteNested(made, repository.workTree, nested)
    const readable = [...wanted.readable, ...nested.keys(), ...programsNamedIn(wanted.line), ...mainTreeOf(repository)]
    const confinement = { ...wanted, readable, home: homeOf(env), git, temporaryBytes }
    const temporary = mkdtempSync(join(made, 'tmp-'))
    const wrap: Sandbox['wrap'] = (command) => {
      const { argv, env: kept } = confine(command, confinement, temporary)
      return { argv, env: { ...kept, ...git?.env } }
    }
    wrap(['true'])
    const runInside: RunInside = (argv, options) => {
      const confined = wrap(argv)
      return execute(confined.argv, { ...options, cwd: folder, env: confined.env, timeoutMs, outputBytesMax })
    }
    const take = async () => git && takeCommits(git, runInside, env)
    return {
      wrap,
      async clear(how) {
        return repository ? clearNestedGit(nested, await findNestedGit(repository.workTree, env), how) : []
      },
      takeCommits: take,
      async advance() {
        const to = await take()
        return git && to && moveHead(git.outer, { from: git.head, to }, env)
      },
      close: () => rmSync(made, { recursive: true, force: true }),
    }
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw error
  }
}

/** Whoever names a program means it to be started; a key that stands there has no such right. */
const programsNamedIn = (line: string) =>
  [...line.matchAll(/(?<![\w.~\-/])\/[^\s'"`;|&<>()$]+/g)].map(([path]) => path).filter(diskHere.isProgram)

/** Around a linked worktree: what is installed there is found from below it. Its git folder is out of sight. */
function mainTreeOf(repository: OuterPlace | undefined): string[] {
  if (repository === undefined || repository.gitDir === repository.commonDir) return []
  return basename(repository.commonDir) === '.git' ? [dirname(repository.commonDir)] : []
}

function homeOf(env: Wanted['env']): string {
  const home = env['HOME'] || homedir()
  return diskHere.realPath(home) ?? home
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Moves the branch that is checked out, and the index, forward to a commit that came out of a sandbox; files are there
 * already. Where it is no step forward, or the branch has moved meanwhile, the commit is kept under a ref, which is
 * returned.
 */
async function moveHead(
  outer: OuterPlace,
  { from, to }: { from: string | undefined; to: string },
  env: Env,
): Promise<string | undefined> {
  const git = outerGit(outer, env)
  const isForward = from === undefined || (await ancestryOf(git, from, to))
  const zero = '0'.repeat(to.length)
  if (isForward && (await git.try(['update-ref', '-m', 'sandbox: commit', 'HEAD', to, from ?? zero])).exitCode === 0) {
    await git.run(['read-tree', to])
    return undefined
  }
  const ref = `refs/sandbox/${to.slice(0, 12)}`
  await git.run(['update-ref', ref, to])
  return ref
}
