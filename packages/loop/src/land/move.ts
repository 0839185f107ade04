// The moment of landing: the base moves, on its remote first where it is pushed.
import { markedStep } from '../record/made-here.ts'
import { tipOf } from '../worktree/repository.ts'
import type { Landing, LandingJob, LandingRun } from './landing-run.ts'
import type { RemoteBase } from './landing-settings.ts'
import { type BaseMove, moveBase } from './move-base.ts'
import { isAncestor, pushBase } from './remote.ts'
import type { Target } from './target.ts'

type Based = Pick<LandingRun, 'git' | 'repository' | 'base'>
type Moving = Based & Pick<LandingRun, 'id' | 'store' | 'env' | 'journal' | 'tissue' | 'landing' | 'note'>
type At = { issue: string; worker: string; sha: string; base_before: string }

/** Undefined when the base moved first. */
export async function move(run: Moving, job: LandingJob, target: Target, sha: string): Promise<Landing | undefined> {
  const { base, journal, tissue, landing, store, id, env } = run
  const { issue, worker, fence } = job
  const at = { issue: issue.id, worker, sha, base_before: target.tip }
  const pushed = landing.remote === undefined ? {} : { remote: landing.remote.remote, ref: landing.remote.ref }
  await journal.tell(markedStep({ store, id, env }, { event: 'landing', ...at, ...pushed }))
  const ended = await (landing.remote === undefined
    ? moveLocal(run, target, at)
    : moveRemote(run, landing.remote, target, at))
  if (ended !== 'moved') return ended
  await journal.tell({ event: 'landed', ...at })
  const isClosed = await tissue.close(issue.id, worker, fence, `landed on ${base} as ${sha}`)
  if (!isClosed) run.note(`${issue.id}: landed, but tissue would not close it; see tissue show ${issue.id}`)
  return { of: 'landing', end: 'landed', sha }
}

type Moved = 'moved' | Landing | undefined

async function moveLocal(run: Moving, { local }: Target, at: At): Promise<Moved> {
  const moved = await advanceTo(run, local, at)
  if (moved.end === 'advanced') return 'moved'
  return moved.end === 'raced' ? undefined : parked(run.journal, at, moved.reason)
}

async function moveRemote(run: Moving, to: RemoteBase, { local, remote }: Target, at: At): Promise<Moved> {
  const { git, repository, journal, store, id, env } = run
  const { issue, worker, sha } = at
  const pushed = await pushBase(git, repository, to, { sha, observed: remote })
  if (pushed.end === 'moved') return undefined
  if (pushed.end === 'unreachable') return { of: 'landing', end: 'queued', reason: pushed.reason }
  if (pushed.end === 'refused') return parked(journal, at, pushed.reason)
  await journal.tell(markedStep({ store, id, env }, { event: 'pushed', issue, worker, sha, remote: to.remote }))
  const behind = await follow(run, local, at)
  if (behind !== undefined) {
    const text = `${issue}: landed on ${to.remote}, your ${run.base} stays behind: ${behind}`
    await journal.tell({ event: 'warned', text })
  }
  return 'moved'
}

const followAttempts = 3

/** Brings the local base to what was pushed; why it could not be. Landed it has all the same. */
async function follow(run: Based, local: string, at: At): Promise<string | undefined> {
  let before = local
  for (let attempt = 1; attempt <= followAttempts; attempt++) {
    const moved = await advanceTo(run, before, at)
    if (moved.end === 'advanced') return undefined
    if (moved.end === 'refused') return moved.reason
    before = await tipOf(run.git, run.repository, run.base)
    if (!(await isAncestor(run.git, run.repository, before, at.sha))) return 'it has commits of its own meanwhile'
  }
  return 'it keeps moving'
}

function advanceTo({ git, repository, base }: Based, before: string, { issue, sha }: At): Promise<BaseMove> {
  return moveBase(git, repository, { base, before, sha, reason: `loop: land ${issue}` })
}

async function parked(journal: Moving['journal'], { issue, worker, sha }: At, reason: string): Promise<Landing> {
  await journal.tell({ event: 'parked', issue, worker, sha, reason })
  return { of: 'landing', end: 'parked', reason }
}
