// Issues for a session of an agent: the run is recorded and bound before the first is claimed, so that whatever is
// killed, the session's next stop finds it.
import { Failure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import { createBus } from '@switchyard/topic'
import { ensureTools } from '../by-runner/open-core.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { bindRun, releaseRun } from '../record/binding.ts'
import { markedStart } from '../record/made-here.ts'
import { openRecord } from '../record/session-record.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { Session } from '../state/event-schema.ts'
import type { Limits } from '../state/work-schema.ts'
import { findBase, findRepository } from '../worktree/repository.ts'
import { beginIssue, beginNext } from './begin-issue.ts'
import { openLanding } from './open-landing.ts'
import { turnLock } from './settle-left.ts'
import type { TurnWorld } from './turn-world.ts'

export type IssuesOptions = {
  readonly run: string
  /** Undefined: what is ready, one after the other. */
  readonly issue: string | undefined
  readonly verify: string
  readonly review: boolean
  readonly base: string | undefined
  readonly limits: Limits
  readonly cwd: string
  readonly staleAfterMs: number
}

/** Begins with the first issue. Failure `notFound` when there is none, `conflict` when another holds it. */
export async function beginIssues(session: Session, options: IssuesOptions, world: TurnWorld): Promise<void> {
  const { store, env, now } = world
  const { run, issue, verify, review, limits, cwd, staleAfterMs } = options
  ensureTools(['git', 'tissue'], { cwd, env })
  const git = openGit(openPlainChildren(env))
  const base = await findBase(git, await findRepository(git, cwd), options.base)
  createBus(store)
  const record = openRecord(store, session, run, world)
  const mode = issue === undefined ? 'issues' : 'issue'
  const about = { run, session, mode, cwd, base, with: '', verify, review, jobs: 1 } as const
  await record.tell(markedStart(store, { event: 'started', ...about, max_iterations: limits.iterations }, env))
  await bindRun(store, session, { run, stale_after: staleAfterMs }, now())
  try {
    await holdLock(turnLock(store, run), () => begin(session, options, world))
  } catch (error) {
    await end(session, run, world)
    throw error
  }
}

async function begin(session: Session, { run, issue: wanted, limits }: IssuesOptions, world: TurnWorld): Promise<void> {
  const record = openRecord(world.store, session, run, world)
  const begun = record.read()
  if (begun === undefined) throw new Failure('failed', `the record of run ${run} is gone`)
  const landing = await openLanding(begun, record, world)
  const worker = workerOfSession(session)
  try {
    await landing.run.recover()
    if (wanted === undefined) {
      if (await beginNext(landing.run, record, { worker, limits, ended: [] })) return
      throw new Failure('notFound', 'expected an issue that is ready, there is none', { hint: 'see tissue ready' })
    }
    const issue = await landing.run.tissue.show(wanted)
    if (issue === undefined) throw new Failure('notFound', `expected an issue, tissue knows no ${wanted}`)
    const obstacle = await beginIssue(landing.run, record, { issue, worker, limits })
    if (obstacle !== undefined) throw new Failure('conflict', `issue ${issue.id} cannot be worked: ${obstacle}`)
  } finally {
    landing.close()
  }
}

/** A run that could not begin is over at once. */
async function end(session: Session, run: string, world: TurnWorld): Promise<void> {
  const { store, now } = world
  await openRecord(store, session, run, world).tell({ event: 'finished', exit_code: 1 })
  await releaseRun(store, session, run, now())
}
