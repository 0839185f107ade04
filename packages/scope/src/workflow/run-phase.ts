// One phase of a workflow, from its session to its result. A session of a run that was killed is found again.

import { resolve } from 'node:path'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import { readConfig } from '../config/config-file.ts'
import { letGo } from '../end/let-go.ts'
import { waitForAll } from '../end/wait-for.ts'
import type { Session } from '../session/fold-session.ts'
import { lookAtAll } from '../session/look.ts'
import { allIds, readIfOpen } from '../session/read-session.ts'
import { viewOf } from '../session/session-view.ts'
import { isOver } from '../session/transitions.ts'
import { backendFor } from '../start/backend-for.ts'
import { choose, idleTimeoutOf, sessionTimeoutMs } from '../start/choose.ts'
import { depthMaxOf } from '../start/depth.ts'
import { readLaunch } from '../start/launch.ts'
import { planOf } from '../start/plan.ts'
import { requireProgram } from '../start/require-program.ts'
import { requireDepth } from '../start/room.ts'
import { type Plan, spawnSession } from '../start/spawn-session.ts'
import { takeUp } from '../start/take-up.ts'
import { worktreeFor } from '../start/worktree-for.ts'
import type { Host } from './host.ts'
import type { Phase } from './phase.ts'
import type { PhaseEnd, RunRecord } from './phase-schema.ts'
import { appendRun, keepPhaseResult } from './run-log.ts'

export type Prior = readonly { readonly name: string; readonly text: string }[]

/** The plan of a phase's session. Exits 2 when its agent or its checker is none, 3 when a path or a profile is not there. */
export function phasePlan({ options, name }: Phase, prior: Prior, host: Host): Plan {
  const { env } = host
  const cwd = resolve(host.cwd, options.cwd ?? '.')
  const { task, type, checker, output, intent } = options
  const config = readConfig(env)
  const wished = {
    ...{ agent: options.agent, model: options.model, access: options.access, profile: options.profile, type },
    ...{ timeoutMs: durationOf(options.timeout), maxCostUsd: options.max_cost, maxTokens: options.max_tokens },
  }
  const chosen = choose(wished, config, { agent: 'claude', timeoutMs: sessionTimeoutMs })
  return planOf(
    {
      ...{ ...chosen, idleTimeoutMs: idleTimeoutOf(config) },
      ...{ task, type, checker, output, intent, prior, phase: name, name: undefined },
      ...{ inputs: options.input, fileScope: options.file_scope, verify: options.verify },
      ...{ maxIterations: options.max_iterations, checkerModel: options.checker_model },
      ...{ checkerAccess: options.checker_access, gateTimeoutMs: durationOf(options.gate_timeout) },
      backend: backendFor(chosen.agent, host.isHeadless || options.headless, { env, cwd }),
      cwd,
    },
    env,
  )
}

function durationOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const durationMs = parseDuration(text)
  if (durationMs === undefined)
    throw new Failure('usage', `expected a duration such as 30m, got ${JSON.stringify(text)}`)
  return durationMs
}

export type Try = {
  readonly run: string
  readonly phase: Phase
  readonly attempt: number
  readonly prior: Prior
  /** The lines that the run has of this try, from a process that was killed. */
  readonly before: readonly RunRecord[]
  /** Told the session, once it is there. */
  readonly onSession: (id: string) => void
}

/** How a try ended, and whether its session wants the whole workflow to stop. */
export type Tried = { readonly end: PhaseEnd; readonly stops: boolean }

/** Runs a phase once and keeps its result. */
export async function tryPhase(host: Host, given: Try): Promise<Tried> {
  const { run, phase } = given
  const id = (await findBefore(host, given)) ?? (await begin(host, given))
  given.onSession(id)
  host.note(`scope: ${run}: phase ${phase.name}: session ${id}`)
  const [session] = await waitForAll(host.scribe, [id], { signal: host.signal })
  if (session === undefined) throw new Failure('notFound', `there is no session ${id}`)
  const end = endOf(host, session, given)
  keepPhaseResult(host.place, run, end)
  if (session.state === 'done' && session.loop === null) await letGo(host.scribe, session)
  return { end, stops: end.verdict === 'aborted' || (end.verdict === 'exit' && session.reach !== 'loop') }
}

async function begin(host: Host, { run, phase, attempt, prior }: Try): Promise<string> {
  const { scribe, env, cwd, pid, startSupervisor, place } = host
  const plan = phasePlan(phase, prior, host)
  requireProgram(plan.agent, { cwd: plan.cwd, env })
  const config = readConfig(env)
  requireDepth(plan.parent, depthMaxOf(undefined, config, env))
  const worktree = await worktreeFor({ ...worktreeOf(phase, attempt), store: scribe.store, cwd: plan.cwd, env })
  appendRun(place, run, { event: 'starting', phase: phase.name, attempt })
  const workflow = { run, phase: phase.name, attempt }
  const { id } = await spawnSession(
    { ...plan, ...worktree, workflow },
    {
      ...{ scribe, env, cwd, pid, startSupervisor },
      // An agent that waits for its own workflow keeps the place that a phase would wait for.
      room: { max: config.max_running, isQueued: plan.parent === undefined, now: scribe.now, signal: host.signal },
    },
  )
  appendRun(place, run, { event: 'session', phase: phase.name, attempt, session: id })
  return id
}

/** A branch is made once: of further tries it has their number at its end. */
function worktreeOf({ options: { worktree, base, branch } }: Phase, attempt: number) {
  return { worktree, base, branch: branch !== undefined && attempt > 0 ? `${branch}-${attempt}` : branch }
}

/** The session of this try that is there already; one whose process was killed is taken up. */
async function findBefore(host: Host, { run, phase, attempt, before }: Try): Promise<string | undefined> {
  if (before.length === 0) return undefined
  const { scribe, env, startSupervisor } = host
  const noted = before.findLast((record) => record.event === 'session')?.session
  const id = noted ?? findUnnoted(host, { run, phase: phase.name, attempt })
  if (id === undefined) return undefined
  const [session] = await lookAtAll(scribe, [id])
  if (session === undefined) return undefined
  if (session.state === 'failed' && session.loop?.isEnded !== true) {
    const { launch, contract } = readLaunch(scribe.store, id, env)
    await takeUp(scribe, id, {
      ...{ launch, contract: contract.toString(), resume: null, env, by: 'workflow' },
      startSupervisor: () => startSupervisor(id, launch),
    })
  }
  return id
}

/** A session that was begun, and whose id the killed process had no time to note. */
function findUnnoted({ scribe }: Host, part: { run: string; phase: string; attempt: number }): string | undefined {
  return allIds(scribe.store).findLast((id) => {
    const workflow = readIfOpen(scribe.store, id)?.created.workflow
    return workflow?.run === part.run && workflow.phase === part.phase && workflow.attempt === part.attempt
  })
}

function endOf({ scribe }: Host, session: Session, { phase, attempt }: Try): PhaseEnd {
  const { id, state, loop, reason } = session
  const verdict = verdictOf(session)
  return {
    ...{ phase: phase.name, verdict, passed: state === 'done', attempt, session_id: id },
    iterations: loop === null ? 1 : loop.iteration + 1,
    exit_reason: isOver(state) && state !== 'done' ? reason : null,
    result_text: viewOf(scribe.store, session).result ?? '',
  }
}

function verdictOf({ state, loop, limit }: Session): PhaseEnd['verdict'] {
  if (state === 'failed' && limit !== null) return 'budget'
  if (state === 'done') return loop === null ? 'done' : 'accept'
  if (state === 'exited') return 'exit'
  if (state === 'aborted') return 'aborted'
  return loop?.verdict === 'terminate' || loop?.verdict === 'max_iterations' ? loop.verdict : 'failed'
}
