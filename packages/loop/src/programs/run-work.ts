// How the agent, and what verifies or reviews its work, are started: as they are, or confined by the kernel. Only these
// run what the agent has made; git and the tracker are called as they are.
import { realpathSync } from 'node:fs'
import type { Execution } from '@switchyard/exec'
import { isFailure } from '@switchyard/ground/failure'
import { agentsIn, findPlace, type OuterPlace, openSandbox, type Sandbox } from '@switchyard/sandbox'
import { type ChildOptions, environmentOfChild, type RunChild } from './children.ts'
import type { GitPlace } from './git-place.ts'

/** Whether a run confines what it starts. */
export type Confining = {
  /** Whether what verifies has a network. */
  readonly verifyHasNetwork: boolean
}

export type WorkPlace = {
  /** A worktree of loop's; else what git finds around the folder. */
  readonly at?: GitPlace
  /** What is done with a commit that HEAD is at afterwards. Without it, one made in a worktree of loop's is dropped. */
  readonly onCommit?: (commit: string) => Promise<void>
}

type WorkOptions = Omit<ChildOptions, 'within'> &
  WorkPlace & {
    /** Files that it has to read. */
    readonly readable?: readonly string[]
    readonly verifies?: boolean
  }

/** Failure `outside` when it is to be confined, and this machine cannot. */
export type RunWork = (command: readonly string[] | { shell: string }, options: WorkOptions) => Promise<Execution>

type Around = {
  readonly runChild: RunChild
  /** What children inherit. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stores: Readonly<Record<string, string>>
  /** Where what a sandbox needs may lie as long as the run lives. */
  readonly folder: string
  readonly note: (text: string) => void
}

export function openWork(around: Around, confining: Confining | undefined): RunWork {
  const { runChild, folder, note, stores } = around
  return async (command, { at, onCommit, readable = [], verifies = false, ...options }) => {
    if (confining === undefined) return runChild(command, options)
    const env = environmentOfChild(around.env, options.env)
    at?.prove()
    const line = 'shell' in command ? command.shell : command.join(' ')
    const repository = at === undefined ? await findPlace(options.cwd, env) : treeOf(at)
    const sandbox = await openSandbox({
      ...{ folder: realpathSync.native(options.cwd), repository, env, within: folder, readable },
      writable: [...Object.values(stores), ...(repository === undefined ? [] : [repository.workTree])],
      ...{ line, agents: agentsIn(line) },
      hasNetwork: !verifies || confining.verifyHasNetwork,
    })
    try {
      const ended = await runChild(command, { ...options, within: sandbox })
      for (const kept of await sandbox.clear({ keeps: at === undefined }))
        note(`the repository made there is now ${kept}`)
      await noting(note, async () => {
        if (at === undefined) await advance(sandbox, note)
        else if (onCommit !== undefined) await adopt(sandbox, onCommit)
      })
      return ended
    } finally {
      sandbox.close()
    }
  }
}

function treeOf({ gitDir, commonDir, workTree }: GitPlace): OuterPlace {
  if (workTree === undefined) throw new Error('bug: nobody works where there is no working tree')
  return { gitDir, commonDir, workTree }
}

async function advance(sandbox: Sandbox, note: (text: string) => void): Promise<void> {
  const kept = await sandbox.advance()
  if (kept !== undefined) note(`what was committed is no step forward of the branch, and kept in ${kept}`)
}

async function adopt(sandbox: Sandbox, onCommit: (commit: string) => Promise<void>): Promise<void> {
  const commit = await sandbox.takeCommits()
  if (commit !== undefined) await onCommit(commit)
}

/** Commits that are not whole are no reason to end a run: the files are there without them. */
async function noting(note: (text: string) => void, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isFailure(error) || error.kind !== 'failed') throw error
    note(error.message)
  }
}
