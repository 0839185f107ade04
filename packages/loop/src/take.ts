// Where issues come from: a list of ids, or what `tissue ready` says. Each is claimed before it is worked.
import type { IssueResult } from './event.ts'
import { listWorktrees } from './repository.ts'
import type { Job, Run } from './run-state.ts'
import { slugOf } from './slug.ts'
import type { Issue } from './tissue.ts'
import { worktreeOf } from './worktree.ts'

/** A claimed issue, one that ended before it began, or undefined when there is none now. */
export type Taken = { job: Job } | { result: IssueResult } | undefined

/** `others`: how many workers are busy; what they finish may make more issues ready. */
export type Take = (worker: string, others: number) => Promise<Taken>

/** Takes exactly the issues of a list, those that wait for others after those. */
export function takeFromList(run: Run, ids: readonly string[]): Take {
  const queue = [...ids]
  const seen = new Set<string>()
  return async (worker, others) => {
    await run.recover()
    for (let index = 0; index < queue.length; ) {
      const [id = ''] = queue.splice(index, 1)
      const issue = await run.tissue.show(id)
      if (issue === undefined) return skip(run, worker, id, 'tissue knows no such issue')
      if (seen.has(issue.id)) continue
      if (issue.blocked_by.length > 0 && others > 0) {
        queue.splice(index, 0, id)
        index += 1
        continue
      }
      seen.add(issue.id)
      if (issue.blocked_by.length > 0) return skip(run, worker, issue.id, `waits for ${issue.blocked_by.join(', ')}`)
      if (issue.status === 'closed' || issue.status === 'duplicate') {
        return end(run, worker, {
          issue: issue.id,
          outcome: 'already-done',
          iterations: 0,
          reason: `it is ${issue.status}`,
        })
      }
      return (await claim(run, worker, issue)) ?? skip(run, worker, issue.id, 'another holds it')
    }
    return undefined
  }
}

/** Takes what is ready, most urgent first, each at most once in this run. */
export function takeReady(run: Run): Take {
  const tried = new Set<string>()
  return async (worker) => {
    await run.recover()
    for (const issue of await run.tissue.ready()) {
      if (tried.has(issue.id)) continue
      tried.add(issue.id)
      const taken = await claim(run, worker, issue)
      if (taken !== undefined) return taken
    }
    return undefined
  }
}

/** Undefined when another holds it, or when a live run still has its worktree though its lease ran out. */
async function claim(run: Run, worker: string, { id }: Issue): Promise<Taken> {
  const slug = slugOf(id)
  const worktree = worktreeOf(run.repository, slug)
  const listed = await listWorktrees(run.git, run.repository.here)
  if (listed.some(({ path }) => path === worktree.path)) return undefined
  await run.journal.record({ event: 'claiming', issue: id, worker, slug })
  const issue = await run.tissue.claim(id, worker, run.leaseMs)
  if (issue?.claim == null) return undefined
  const nothingYet = { from: '', made: undefined, verified: undefined, iteration: 0, salvage: undefined }
  return { job: { issue, worker, fence: issue.claim.id, worktree, ...nothingYet } }
}

const skip = (run: Run, worker: string, issue: string, reason: string) =>
  end(run, worker, { issue, outcome: 'skipped', iterations: 0, reason })

async function end(run: Run, worker: string, result: IssueResult): Promise<Taken> {
  await run.journal.record({ event: 'done', worker, ...result })
  return { result }
}
