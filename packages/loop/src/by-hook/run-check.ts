// The process that goes on with a check for which a hook had no time: it ends with its run, and when what it looks at
// is no longer what it began with.
import { join } from 'node:path'
import process from 'node:process'
import { cleanEnv, endOrphan, readPidFile } from '@switchyard/exec'
import { systemCode } from '@switchyard/ground/failure'
import type { Env } from '@switchyard/ground/state-folder'
import { busExists, type Store } from '@switchyard/topic'
import { keepPass } from '../land/verified.ts'
import { openChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { ceilingOf } from '../programs/git-place.ts'
import { runVerify } from '../programs/verify-command.ts'
import { readRun } from '../record/journal.ts'
import { isRunAlive, makeRunFolder, ownerOf, pidFilesIn, removeRunFolder } from '../record/run-folder.ts'
import { treeAround } from '../worktree/tree-place.ts'
import type { Ticket } from './check-ticket.ts'
import { checkName, keepFailure } from './slow-check.ts'

const lookMs = 1000
const graceMs = 2000

type CheckWorld = { readonly env: Env; readonly store: Store; readonly now: () => number }

/** Runs it, and keeps how it ended. Another process that is at the same check is left to it. */
export async function runCheck(ticket: Ticket, { env, store, now }: CheckWorld): Promise<void> {
  const { commonDir, run, tree, command, cwd, top, until } = ticket
  const folder = await takeFolder(commonDir, checkName(ticket))
  if (folder === undefined) return
  const moot = new AbortController()
  const isMoot = () => !busExists(store) || (readRun(store, run)?.isOver ?? true)
  const watch = setInterval(() => isMoot() && moot.abort(), lookMs)
  try {
    const runChild = openChildren(folder, { ...cleanEnv(env), ...ticket.told })
    const git = openGit(runChild)
    const isThere = async () => {
      const at = await treeAround(git, top)
      if (at === undefined) return false
      const head = await git.try(at, ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'])
      const isClean = (await git.try(at, ['diff', '--quiet', 'HEAD', '--'])).exitCode === 0
      return head.stdout.trim() === tree && isClean
    }
    if (isMoot() || !(await isThere())) return
    const timeoutMs = Math.max(1, until - now())
    const where = { cwd, env: ceilingOf(cwd), timeoutMs, signal: moot.signal }
    const { passed, aborted, output } = await runVerify(runChild, command, where)
    if (aborted || !(await isThere())) return
    if (passed) keepPass({ commonDir, env }, { tree, command, run, at: now() })
    else keepFailure(commonDir, ticket, output)
  } finally {
    clearInterval(watch)
    removeRunFolder(folder)
  }
}

/** The folder that says who is at it; undefined where another is. One whose process is dead is cleaned up first. */
async function takeFolder(commonDir: string, name: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return makeRunFolder(commonDir, name, ownerOf(process.pid))
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error
      removeRunFolder(join(commonDir, 'loop', `.new-${name}`))
      if (isRunAlive(commonDir, name)) return undefined
      await endChildrenIn(join(commonDir, 'loop', name))
    }
  }
  return undefined
}

async function endChildrenIn(folder: string): Promise<void> {
  for (const { path } of pidFilesIn(folder)) {
    const orphan = await readPidFile(path)
    if (orphan !== undefined) await endOrphan(orphan, graceMs)
  }
  removeRunFolder(folder)
}
