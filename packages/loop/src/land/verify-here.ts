// `loop verify`: the verify command on what is committed in the worktree that somebody works in.
import { Failure } from '@switchyard/ground/failure'
import type { Env } from '@switchyard/ground/state-folder'
import type { RunChild } from '../programs/children.ts'
import type { Git } from '../programs/git.ts'
import type { GitPlace, TreePlace } from '../programs/git-place.ts'
import { runVerify } from '../programs/verify-command.ts'
import { treeOf } from '../worktree/commits.ts'
import { headOf } from '../worktree/ref-files.ts'
import type { VerificationRecord } from './verification-schema.ts'
import { findAnyPass, keepPass } from './verified.ts'

export type VerifyHere = {
  git: Git
  runChild: RunChild
  commonDir: string
  /** Names the key of this machine. */
  machine: Env
  at: TreePlace
  command: string
  /** What the command finds in its environment beside what is there. */
  env: Readonly<Record<string, string>>
  timeoutMs: number
  /** Run it again although it has passed on this tree. */
  isAgain: boolean
  now: () => number
  onLine: (line: string) => void
  interrupted: AbortSignal
}

/**
 * Nothing in the worktree is taken away or put right: it is its owner's. A pass is kept, to be told again: whoever
 * works there typed this, so that no run and no landing goes by it.
 */
export async function verifyHere(options: VerifyHere): Promise<VerificationRecord> {
  const { git, commonDir, machine, at, command, now } = options
  const place = { commonDir, env: machine }
  await ensureCommitted(git, at)
  const commit = await headOf(git, at)
  const tree = await treeOf(git, at, commit)
  const pass = options.isAgain ? undefined : findAnyPass(place, tree, command, now())
  const about = { commit, tree, command }
  if (pass !== undefined) {
    return { ...about, passed: true, exit_code: 0, timed_out: false, reused: true, at: pass.at, duration_ms: 0 }
  }
  const ended = await verifyNow(options)
  if (!ended.passed) return { ...about, ...ended }
  if ((await headOf(git, at)) !== commit) {
    throw new Failure('conflict', `expected HEAD to stay at ${commit.slice(0, 10)} meanwhile, it has moved`, {
      hint: 'run it again',
    })
  }
  keepPass(place, { tree, command, run: null, at: ended.at })
  return { ...about, ...ended }
}

/** Runs the command, and tells how it ended. Throws when somebody interrupts it. */
async function verifyNow({ runChild, command, at, timeoutMs, interrupted, onLine, now, env }: VerifyHere) {
  const where = { cwd: at.workTree, env, timeoutMs, signal: interrupted, onOutput: linewise(onLine) }
  const { passed, exitCode, timedOut, durationMs } = await runVerify(runChild, command, where)
  interrupted.throwIfAborted()
  return { passed, exit_code: exitCode, timed_out: timedOut, reused: false, at: now(), duration_ms: durationMs }
}

const namedMax = 5

/** Failure `failed` when the worktree holds something that is neither committed, ignored, nor a store of the suite. */
export async function ensureCommitted(git: Git, at: GitPlace): Promise<void> {
  const dirty = await uncommittedIn(git, at)
  if (dirty.length === 0) return
  const more = dirty.length > namedMax ? `, and ${dirty.length - namedMax} more` : ''
  throw new Failure(
    'failed',
    `expected everything in ${at.workTree} to be committed, it is not: ${dirty.slice(0, namedMax).join(', ')}${more}`,
    { hint: 'commit it, or have git ignore it' },
  )
}

const isOfStore = (path: string) => /^\.(?:jwz|tissue|deepscan|scope)(?:\/|$)/.test(path)

/** Paths that differ from the commit or that git does not know. */
export async function uncommittedIn(git: Git, at: GitPlace): Promise<string[]> {
  const tracked = await git.run(at, ['diff', '--name-only', '--no-renames', '-z', 'HEAD'])
  const untracked = await git.run(at, ['ls-files', '--others', '--exclude-standard', '--full-name', '-z'])
  return [...tracked.split('\0'), ...untracked.split('\0')].filter((path) => path !== '' && !isOfStore(path))
}

/** Whole lines of what comes in pieces; a last line without an end is left out until it has one. */
function linewise(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder()
  let open = ''
  return (chunk) => {
    const lines = (open + decoder.decode(chunk, { stream: true })).split('\n')
    open = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}
