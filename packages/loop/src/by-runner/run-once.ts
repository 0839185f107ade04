// One iteration of what a command line asks for.

import type { Context } from '@switchyard/cli-kit'
import { listenForSignals } from '@switchyard/cli-kit/drain-signals'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { readConfig } from '../config/read-config.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openTissue } from '../programs/tissue.ts'
import { modeOf, readTask } from './goal.ts'
import { findLeftRun } from './left-run.ts'
import { type Ended, onceIssue, onceTask } from './once.ts'
import { type Env, ensureTools, locateStores } from './open-core.ts'
import { recoverAround } from './recover-around.ts'
import { landingFlags } from './run-flags.ts'
import { type RunFlags, settleIssues, settleTask } from './settings.ts'

type Call = Context & {
  readonly args: { readonly task: string | undefined }
  readonly flags: RunFlags & { readonly run: string | undefined; readonly issues: boolean; readonly jobs: number }
}

/** One iteration of a task or an issue, the next of the run that was left at it. Failure `usage` for several issues. */
export async function runOnce({ args, flags, cwd, env, now, output, input }: Call): Promise<Ended> {
  const many = flags.issues ? '--issues' : flags.jobs > 1 ? '--jobs' : undefined
  if (many !== undefined) throw new Failure('usage', `expected a task or --issue ID with --once, got ${many}`)
  const mode = modeOf({ ...flags, words: args.task })
  if (mode === 'issue' && flags.max !== undefined) {
    throw new Failure('usage', 'expected --max-iterations for an issue, got --max')
  }
  const { bus } = locateStores(cwd, env)
  const config = readConfig(bus.root, env)
  const settings = (mode === 'task' ? settleTask : settleIssues)(flags, config, now())
  const readStdin = () => input.readAll().toString('utf8')
  const goal = mode === 'task' ? readTask({ cwd, words: args.task, file: flags.file, readStdin }) : ''
  const note = (text: string) => output.note(`loop: ${text}`)
  const requests = listenForSignals(undefined, () =>
    output.note('stopping: what is claimed is given back, work is kept'),
  )
  const options = { cwd, env, now, settings, prompt: flags.prompt, note }
  const wanted = { wanted: flags.run, env, now: now() }
  try {
    await recoverAround({ cwd, env, now, note, by: ulid(now()).toLowerCase() })
    if (mode === 'task') return await onceTask({ ...options, goal }, findLeftRun(bus, { goal, cwd }, wanted), requests)
    const issue = await findIssue(flags.issue ?? '', { cwd, env })
    const left = findLeftRun(bus, { issue }, wanted)
    return await onceIssue({ ...options, landing: landingFlags(flags) }, { issue, left }, requests)
  } finally {
    requests.close()
  }
}

/** The whole id of an issue. Failure `notFound` when the tracker knows none, or several, by that name. */
async function findIssue(name: string, { cwd, env }: { cwd: string; env: Env }): Promise<string> {
  ensureTools(['git', 'tissue'], { cwd, env })
  const { stores } = locateStores(cwd, env)
  const issue = await openTissue(openPlainChildren({ ...env, ...stores }), cwd).show(name)
  if (issue !== undefined) return issue.id
  throw new Failure('notFound', `expected an issue, tissue knows none as ${name}`, { hint: 'tissue list' })
}
