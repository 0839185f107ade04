// A loop: work, check, and work again with what the check has found, until the work is accepted or a limit is reached.
// Whatever is killed, the log says how far it came, and the next process goes on from there.
import { join } from 'node:path'
import { writeWhole } from '@switchyard/ground/whole-file'
import { type Over, whyOver } from '../budget.ts'
import { abortTree } from '../end/abort-tree.ts'
import type { Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import { type EventDraft, record } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { spentBy } from '../session/spending.ts'
import { openFence } from '../start/fenced.ts'
import { attemptContract } from './attempt-contract.ts'
import { checkWork } from './check-work.ts'
import { letFinish } from './let-finish.ts'
import { type LoopRun, readOwn, say } from './loop-run.ts'
import { keepFeedback, keepLoopState, readFeedback } from './loop-state.ts'
import { memberId, resultOf, runMember } from './members.ts'

const by = 'loop'
const endedWell: EventDraft = { event: 'ended', by, exit_code: 0, signal: null }

/** Keeps a loop going to its end, or until somebody else has ended it. */
export async function runLoop(run: LoopRun): Promise<void> {
  try {
    for (let next = nextOf(readOwn(run)); next !== undefined; next = nextOf(readOwn(run))) {
      const drafts = typeof next === 'number' ? await iterate(run, next) : next
      if (drafts.length > 0) await say(run, drafts)
      keepLoopState(run.scribe.store, run.id)
    }
  } catch (error) {
    if (!run.signal.aborted) throw error
    const { reason, endsMembers } = run.whyAborted()
    const isSaid = await say(run, [{ event: 'failed', by, reason }])
    if (isSaid && endsMembers) await endMembers(run, `its loop has failed: ${reason}`)
  }
  await endExited(run)
  await record(run.scribe, run.id, (session) => {
    const isLast = session?.process?.pid === run.own.pid
    return isLast ? [endedWell] : []
  })
}

/** What comes next: an iteration, or the end that the last verdict means; undefined once there is nothing to do. */
function nextOf(session: Session | undefined): number | readonly EventDraft[] | undefined {
  if (session?.loop == null) return undefined
  const { iteration, judged, verdict, max, isEnded } = session.loop
  if (judged !== iteration) return iteration
  // In one piece: whoever hears that the loop is done finds nothing of it at work.
  if (verdict === 'accept') return [endedWell, { event: 'done', by }]
  if (verdict === 'terminate' && !isEnded) {
    return [{ event: 'failed', by, reason: `the checker sees no way on, after iteration ${iteration}`, verdict }]
  }
  if (iteration + 1 < max) return iteration + 1
  const reason = `not accepted in ${max} iteration${max === 1 ? '' : 's'}`
  return [{ event: 'failed', by, reason, verdict: 'max_iterations' }]
}

/** One iteration, from its worker to its verdict; returns what is to be recorded of it. */
async function iterate(run: LoopRun, iteration: number): Promise<readonly EventDraft[]> {
  const { scribe, id, launch } = run
  const doer = memberId(id, iteration, 'do')
  if (!(await say(run, [{ event: 'iteration', by, iteration, doer }]))) return []
  const created = readSession(scribe.store, id)?.created
  const worker = await runMember(run, iteration, {
    ...{ role: 'do', task_type: created?.task_type ?? 'implement', task: created?.task ?? '' },
    ...{ model: launch.model, access: launch.access, contract: contractFor(run, iteration) },
  })
  if (worker === undefined) return []
  if (worker.state !== 'done') return endBy(worker, iteration, run)
  if (!(await keepResult(run, doer))) return []
  const checked = await checkWork(run, {
    ...{ iteration, label: String(iteration), result: resultOf(run, doer) },
    onGate: ({ output: _, ...gate }) => say(run, [gate]),
    runJudge: (judge) => runMember(run, iteration, judge),
  })
  if (checked === undefined) return []
  if ('ended' in checked) return endBy(checked.ended, iteration, run)
  keepFeedback(scribe.store, id, iteration, checked.feedback)
  return [checked.verdict]
}

function contractFor(run: LoopRun, iteration: number): string {
  const { scribe, id, contract, launch } = run
  if (iteration === 0) return contract
  const result = resultOf(run, memberId(id, iteration - 1, 'do'))
  const feedback = readFeedback(scribe.store, id, iteration - 1)
  return attemptContract(contract, { iteration, max: launch.loop.max_iterations, result, feedback }, openFence())
}

/** The result of a loop is that of its last worker. */
async function keepResult(run: LoopRun, doer: string): Promise<boolean> {
  const { text } = resultOf(run, doer)
  const path = join(sessionFolder(run.scribe.store, run.id), 'result')
  writeWhole(path, `${path}.draft`, text)
  const nothing = { agent_session: null, usage: null, cost_usd: null }
  return say(run, [{ event: 'result', by, bytes: Buffer.byteLength(text), ...nothing }])
}

/** What a member that is not done means for its loop. */
function endBy(member: Session, iteration: number, run: LoopRun): readonly EventDraft[] {
  const reason = member.reason ?? ''
  const told = reason === '' ? '' : `: ${reason}`
  if (member.state !== 'exited') {
    const how = member.state === 'aborted' ? 'was aborted' : 'has failed'
    const limit = member.limit === null ? {} : { limit: member.limit }
    return [{ event: 'failed', by, reason: `${member.id} ${how}${told}`, ...limit, ...overOf(run) }]
  }
  if (member.reach !== 'session') return [{ event: 'exited', by, reason, reach: member.reach ?? 'workflow' }]
  if (member.created.role === 'check') return [{ event: 'failed', by, reason: `${member.id} has given up${told}` }]
  keepFeedback(run.scribe.store, run.id, iteration, `The agent before you gave up${told}\n`)
  const none = { gates: { passed: 0, total: 0 }, criteria: null, checker: null, rubric: 'none' }
  return [{ event: 'verdict', by, iteration, verdict: 'retry', ...none }]
}

/** What its budget says of a loop whose members have spent more. */
function overOf({ scribe, launch, id }: LoopRun): Over | undefined {
  const session = launch.budget && readSession(scribe.store, id)
  return session && whyOver(launch.budget, spentBy(scribe.store, session))
}

/** A loop that was exited ends what it has started; the one who said so may finish its turn. */
async function endExited(run: LoopRun): Promise<void> {
  const session = readSession(run.scribe.store, run.id)
  if (session?.state !== 'exited' || session.process?.pid !== run.own.pid) return
  await letFinish(run.scribe, session.children)
  await endMembers(run, `its loop has exited: ${session.reason}`)
}

async function endMembers({ scribe, id }: LoopRun, reason: string): Promise<void> {
  for (const child of readSession(scribe.store, id)?.children ?? []) {
    if (readSession(scribe.store, child) !== undefined) await abortTree(scribe, child, { reason, keepsChildren: false })
  }
}
