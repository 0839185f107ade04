// Where issues come from: a list of ids, or what `tissue ready` says. Each is claimed before it is worked.

import { jobOf } from '../land/landing-run.ts'
import { type Issue, isOver } from '../programs/issue-schema.ts'
import { isSilence } from '../programs/tissue.ts'
import type { Journal } from '../record/journal.ts'
import { clearLost, type Lost } from '../recover/clear-lost.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { beginWork } from '../state/reduce.ts'
import { lookForWay, whyNot } from '../work/why-not.ts'
import type { Job, Run } from './run-state.ts'

/** A claimed issue, one that ended before it began, or undefined when there is none now. */
type Taken = { job: Job } | { result: IssueResult } | undefined

/** `others`: how many workers are busy; what they finish may make more issues ready. */
export type Take = (worker: string, others: number) => Promise<Taken>

/**
 * Takes exactly the issues of a list; one that waits for others comes after those, and is skipped when nothing can
 * free it any more.
 */
export function takeFromList(run: Run, ids: readonly string[]): Take {
  const queue = [...new Set(ids)]
  const seen = new Set<string>()
  return async (worker, others) => {
    await run.recover()
    const waiting: Issue[] = []
    for (const id of [...queue]) {
      const told = await heard(run.tissue.show(id))
      const issue = 'answer' in told ? told.answer : undefined
      if (issue !== undefined && issue.blocked_by.length > 0 && !seen.has(issue.id)) {
        waiting.push(issue)
        continue
      }
      queue.splice(queue.indexOf(id), 1)
      if ('silence' in told) return skip(run.journal, worker, id, told.silence)
      if (issue === undefined) return skip(run.journal, worker, id, 'tissue knows no such issue')
      if (seen.has(issue.id)) continue
      seen.add(issue.id)
      if (isOver(issue)) return end(run.journal, worker, { issue: issue.id, outcome: 'already-done', iterations: 0 })
      const taken = await heard(claimIssue(run, worker, issue.id))
      if ('silence' in taken) return skip(run.journal, worker, issue.id, taken.silence)
      return typeof taken.answer === 'string'
        ? skip(run.journal, worker, issue.id, taken.answer)
        : { job: taken.answer }
    }
    const [first] = waiting
    if (first === undefined || others > 0) return undefined
    queue.shift()
    seen.add(first.id)
    return skip(run.journal, worker, first.id, `waits for ${first.blocked_by.join(', ')}`)
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
      const taken = await heard(claimIssue(run, worker, issue.id))
      if ('silence' in taken) return skip(run.journal, worker, issue.id, taken.silence)
      if (typeof taken.answer !== 'string') return { job: taken.answer }
      run.note(`issue ${issue.id} is left out: ${taken.answer}`)
    }
    return undefined
  }
}

/** What keeps it from being claimed, in words, when it cannot be: its holder, its status, or its worktree. */
export async function claimIssue(run: Run, worker: string, id: string): Promise<Job | string> {
  const way = lookForWay(run, id)
  if (way.obstacle !== undefined) return way.obstacle
  const { worktree } = way
  await run.journal.tell({ event: 'claiming', issue: id, worker, slug: worktree.slug })
  const issue = await run.tissue.claim(id, worker, run.leaseMs).catch(async (error: unknown) => {
    // It may have been claimed without a word; then nobody else could have it until the lease ran out.
    if (isSilence(error)) await run.tissue.release(id, worker)
    throw error
  })
  if (issue?.claim == null) return whyNot(await run.tissue.show(id), way)
  if (way.lost !== undefined) await clearWay(run, worker, way.lost)
  const work = beginWork(run.rules, run.ledger.left())
  const told = run.ledger.total
  const job = jobOf({ issue, worker, fence: issue.claim.id, worktree, iteration: 0 })
  return { ...job, work, told, session: undefined }
}

/** What the tracker answers, or in words that it does not: that keeps one issue from being worked, not the others. */
async function heard<T>(asked: Promise<T>): Promise<{ answer: T } | { silence: string }> {
  try {
    return { answer: await asked }
  } catch (error) {
    if (isSilence(error)) return { silence: error.message }
    throw error
  }
}

/** What a lost run left there is kept in a ref; whoever cannot do that gives the issue back. */
async function clearWay(run: Run, worker: string, lost: Lost & { issue: string }): Promise<void> {
  try {
    await clearLost({ ...run, by: worker }, lost)
  } catch (error) {
    await run.tissue.release(lost.issue, worker)
    throw error
  }
}

const skip = (journal: Journal, worker: string, issue: string, reason: string) =>
  end(journal, worker, { issue, outcome: 'skipped', iterations: 0, reason })

async function end(journal: Journal, worker: string, result: IssueResult): Promise<Taken> {
  await journal.tell({ event: 'done', worker, ...result })
  return { result }
}
