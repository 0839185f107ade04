// One check of a result: the gates, then the judge where there are criteria, and the verdict of both together.

import type { Rubric } from '../rubric/rubric.ts'
import { readRubric } from '../rubric/rubric-file.ts'
import type { SessionEvent } from '../session/event-schema.ts'
import type { Session } from '../session/fold-session.ts'
import { readEvents } from '../session/read-session.ts'
import type { EventDraft } from '../session/record.ts'
import { openFence } from '../start/fenced.ts'
import { feedbackOf } from './attempt-contract.ts'
import { checkerContract } from './checker-contract.ts'
import type { LoopRun } from './loop-run.ts'
import { readFeedback, verdictsOf } from './loop-state.ts'
import { type Member, resultOf } from './members.ts'
import { type GateRun, runGates } from './run-gates.ts'
import { type Judgement, judgementOf, verdictOf } from './verdict.ts'

type Verdict = Extract<EventDraft, { event: 'verdict' }>

/** The loop whose result is checked. */
export type CheckWorld = Pick<LoopRun, 'scribe' | 'id' | 'launch' | 'contract' | 'env' | 'signal'>

export type Check = {
  readonly iteration: number
  readonly result: { readonly text: string; readonly path: string }
  /** What the logs of the gates are named for. */
  readonly label: string
  readonly onGate: (gate: GateRun) => Promise<unknown>
  /** Runs a judge to its end; undefined when nobody wants its word any more. */
  readonly runJudge: (judge: Member) => Promise<Session | undefined>
}

/** What a check came to; a judge that did not come to its end instead; undefined when nobody wants it any more. */
export type Checked = { readonly verdict: Verdict; readonly feedback: string } | { readonly ended: Session } | undefined

/** Checks a result. Exits 5 when the rubric was not written on this machine. */
export async function checkWork(world: CheckWorld, check: Check): Promise<Checked> {
  const { scribe, id, launch, env, signal } = world
  const { iteration, label } = check
  const { rubric, hash } = readRubric(scribe.store, id, env)
  const { cwd, loop } = launch
  const at = { store: scribe.store, id, cwd, env, timeoutMs: loop.gate_timeout_ms, signal }
  const gates = await runGates(at, { iteration, label, onGate: check.onGate }, rubric.gates)
  const hasJudge = rubric.criteria.length > 0
  const judge = hasJudge ? await check.runJudge(judgeOf(world, check, { rubric, gates })) : undefined
  if (hasJudge && judge === undefined) return undefined
  if (judge !== undefined && judge.state !== 'done') return { ended: judge }
  const judgement = judge && judgementOf(resultOf(world, judge.id).text, findSaid(world, judge.id))
  const verdict: Verdict = {
    ...{ event: 'verdict', by: 'loop', iteration, verdict: verdictOf(gates, judgement) },
    gates: { passed: gates.filter(({ passed }) => passed).length, total: gates.length },
    criteria: judgement === undefined ? null : scoreOf(judgement, rubric),
    ...{ checker: judge?.id ?? null, rubric: hash },
  }
  return { verdict, feedback: feedbackOf(gates, judgement) }
}

/** How many criteria hold, where the judge has said so of each; else null. */
function scoreOf({ marks }: Judgement, { criteria }: Rubric): Verdict['criteria'] {
  const known = marks.filter(({ number }) => number >= 1 && number <= criteria.length)
  if (known.length < criteria.length) return null
  return { passed: known.filter(({ passed }) => passed).length, total: criteria.length }
}

type Found = { readonly rubric: Rubric; readonly gates: readonly GateRun[] }

/** The judge of a check: its contract holds all that it goes by. */
function judgeOf({ scribe, id, launch, contract }: CheckWorld, check: Check, found: Found): Member {
  const { iteration, result } = check
  const { model, loop } = launch
  const earlier = verdictsOf(scribe.store, id)
    .filter((verdict) => verdict.iteration < iteration)
    .map((verdict) => ({
      ...{ iteration: verdict.iteration, verdict: verdict.verdict },
      feedback: readFeedback(scribe.store, id, verdict.iteration),
    }))
  const given = { ...found, contract, result, iteration, max: loop.max_iterations, earlier }
  return {
    ...{ role: 'check', task_type: 'review', task: `Judge iteration ${iteration} of ${id}` },
    ...{ model: loop.checker_model ?? model, access: loop.checker_access },
    contract: checkerContract({ ...given, canCall: loop.checker_access !== 'read' }, openFence()),
  }
}

/** The last `scope verdict` of a judge. */
function findSaid({ scribe }: CheckWorld, id: string): Extract<SessionEvent, { event: 'judged' }> | undefined {
  return [...readEvents(scribe.store, id)].filter((event) => event.event === 'judged').at(-1)
}
