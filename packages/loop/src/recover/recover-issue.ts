// One issue that a dead run had begun: closed when it had landed, free again when it had not.

import { moveBase } from '../land/move-base.ts'
import { removeEntry, writeEntry } from '../land/queue.ts'
import { fetchBase, isAncestor, isOnBase } from '../land/remote.ts'
import { recordFor } from '../record/journal.ts'
import type { LoopEvent } from '../state/event-schema.ts'
import { isBranch, tipOf } from '../worktree/repository.ts'
import { isSlug, worktreeOf } from '../worktree/slug.ts'
import { markUnfinished } from '../worktree/unfinished.ts'
import { clearWorktree } from './clear-worktree.ts'
import type { Recovery } from './recovery.ts'

/** An issue that a run had begun and not ended, as its events tell it. */
export type Trace = {
  issue: string
  worker: string
  slug: string
  base: string
  fence: string | undefined
  /** Where it was about to land, and whether it is known to have been pushed. */
  landing: Extract<LoopEvent, { event: 'landing' }> | undefined
  isPushed: boolean
  title: string
}

const nothingYet = { fence: undefined, landing: undefined, isPushed: false, title: '' }

type Step = Extract<LoopEvent, { event: 'landing' | 'pushed' }>

/**
 * The issues that a run left unfinished. Its worker can write into its record, too: what was about to land says a step
 * that is `isOurs`, and a folder is one below those of worktrees.
 */
export function foldTraces(events: readonly LoopEvent[], isOurs: (step: Step) => boolean): Trace[] {
  const open = new Map<string, Trace>()
  let base = ''
  for (const event of events) {
    if (event.event === 'started') base = event.base
    if (!('issue' in event)) continue
    const { issue, worker } = event
    if (event.event === 'claiming' && isSlug(event.slug))
      open.set(issue, { issue, worker, slug: event.slug, base, ...nothingYet })
    const trace = open.get(issue)
    if (trace === undefined) continue
    if (event.event === 'claimed') Object.assign(trace, { fence: event.fence, title: event.title })
    if (event.event === 'landing' && isOurs(event)) Object.assign(trace, { landing: event, isPushed: false })
    if (event.event === 'pushed' && isOurs(event)) trace.isPushed = true
    if (event.event === 'done' || event.event === 'recovered') open.delete(issue)
  }
  return [...open.values()]
}

export async function recoverIssue(recovery: Recovery, run: string, trace: Trace): Promise<void> {
  const { repository, tissue, store, now } = recovery
  const { issue, worker, slug, landing, base } = trace
  const fate = await fateOf(recovery, trace)
  const landed = fate === 'landed'
  const current = await tissue.show(issue)
  const held = current?.claim
  const isOurs = held == null || held.by === worker
  if (landed && current !== undefined && current.status !== 'closed' && isOurs) {
    await tissue.close(issue, worker, held?.id, `landed on ${base} as ${landing?.sha}`)
  }
  const kept = await clearWorktree(recovery, run, worktreeOf(repository, slug), landed ? landing?.sha : undefined, base)
  if (fate === 'open' && kept !== undefined) {
    await markUnfinished(recovery.git, repository, slug, kept)
    recovery.note(`${issue}: what run ${run} left is kept in ${kept}; the next run goes on from it`)
  }
  if (fate === 'open' && kept !== undefined && (await tissue.enderOf(issue)) === worker) {
    await tissue.reopen(issue, worker, `what its worker made is not on ${base}`)
  }
  if (!(await isBranch(recovery.git, repository, worktreeOf(repository, slug).branch)))
    removeEntry(repository.commonDir, slug)
  if (fate === 'unknown' && isOurs) await keepForLater(recovery, run, trace)
  if (!landed && held?.by === worker) await tissue.release(issue, worker)
  if (fate === 'unknown' && isOurs) await tissue.pause(issue, worker)
  const salvaged = kept === undefined ? {} : { salvage: kept }
  await recordFor(store, run, { event: 'recovered', issue, worker, landed, ...salvaged }, now())
}

/** `unknown`: it was about to be pushed, and the remote cannot be asked now. */
async function fateOf(
  recovery: Pick<Recovery, 'git' | 'repository' | 'note'>,
  { landing, isPushed, base }: Trace,
): Promise<'landed' | 'open' | 'unknown'> {
  const { git, repository, note } = recovery
  if (landing === undefined) return 'open'
  const { sha, remote, ref } = landing
  if (await isOnBase(git, repository, sha, base)) return 'landed'
  if (remote === undefined || ref === undefined) return 'open'
  const seen = await fetchBase(git, repository, { remote, ref })
  if (seen.end === 'unreachable') return isPushed ? 'landed' : 'unknown'
  if (seen.sha === undefined || !(await isAncestor(git, repository, sha, seen.sha))) return 'open'
  const before = await tipOf(git, repository, base)
  if (await isAncestor(git, repository, before, sha)) {
    const moved = await moveBase(git, repository, { base, before, sha, reason: `loop: recover ${landing.issue}` })
    if (moved.end === 'refused') note(`${base} stays behind ${remote}: ${moved.reason}`)
  }
  return 'landed'
}

/** What may have been pushed is neither made again nor closed before its remote was asked. */
async function keepForLater(recovery: Recovery, run: string, { issue, worker, slug, base, landing, title }: Trace) {
  const { git, repository, tissue, now } = recovery
  if (landing?.remote === undefined) return
  const { branch } = worktreeOf(repository, slug)
  await git.run(repository.here, ['update-ref', '--no-deref', `refs/heads/${branch}`, landing.sha])
  const reason = `its run died while it was pushed to ${landing.remote}, which cannot be reached now`
  const how = { verify: null, strategy: 'rebase' as const, push: landing.remote, run, at: now() }
  const what = { issue, title, slug, branch, sha: landing.sha, base, reason }
  writeEntry(repository.commonDir, { v: 1, outcome: 'queued', ...what, ...how }, recovery.env)
  await tissue.comment(issue, worker, `It may have landed on ${base}: ${reason}. loop land finds out.\n`)
}
