// A workflow from its first phase to its last, or to the one that ends it.

import { Failure } from '@switchyard/ground/failure'
import { findAgent } from '../agents/find-agent.ts'
import { abortTree } from '../end/abort-tree.ts'
import type { Host } from './host.ts'
import { groupsOf, type Phase, PhaseResult, patienceOf, type Step } from './phase.ts'
import type { PhaseEnd, RunRecord, WorkflowRun } from './phase-schema.ts'
import { appendRun, findRun, holdRun, newRun, phaseResults } from './run-log.ts'
import { type Prior, phasePlan, type Tried, tryPhase } from './run-phase.ts'

type Results = Map<string, PhaseResult>

/** A run as this process has it. */
type Course = {
  readonly host: Host
  readonly run: string
  /** What the run's log had before this process. */
  readonly records: readonly RunRecord[]
  /** The phases of which nothing that was begun is gone on with. */
  readonly anew: readonly string[]
  /** What counts of the results before. */
  readonly kept: ReadonlyMap<string, PhaseEnd>
  readonly results: Results
}

/** Runs the phases; returns what came of each that ran, by its name. Exits 2 when one has an agent that is none. */
export async function runWorkflow(host: Host, workflow: string, phases: readonly Phase[]): Promise<Results> {
  const groups = groupsOf(phases)
  for (const { options } of phases) if (options.agent !== undefined) findAgent(options.agent, host.env)
  if (host.isDry) return planWorkflow(host, workflow, groups)
  const course = await beginCourse(host, workflow, phases)
  let stopped: PhaseResult | undefined
  for (const group of groups) {
    stopped = await runGroup(course, group)
    if (stopped !== undefined) break
  }
  const run = summaryOf(course, workflow, phases, stopped)
  appendRun(host.place, course.run, { event: 'ended', outcome: run.outcome, exit_reason: run.exit_reason })
  host.onRun(run)
  return course.results
}

async function beginCourse(host: Host, workflow: string, phases: readonly Phase[]): Promise<Course> {
  const { place, file, params, resumes, from, pid } = host
  const found = resumes || from !== undefined ? findRun(place, file, workflow) : undefined
  if (found === undefined && (resumes || from !== undefined)) {
    throw new Failure('notFound', `there is no run of ${workflow} from this file to go on with`)
  }
  const run = found?.run ?? newRun(place, workflow)
  const records = found?.records ?? []
  const results = phaseResults(place, run, records)
  const kept = from === undefined ? passed(results) : before(from, phases, results)
  const anew = from === undefined ? [] : phases.map(({ name }) => name).filter((name) => !kept.has(name))
  await holdRun(place, run, { file, workflow, params: { ...params }, anew }, pid)
  return { host, run, records, anew, kept, results: new Map() }
}

const passed = (results: ReadonlyMap<string, PhaseEnd>) => new Map([...results].filter(([, result]) => result.passed))

/** The results of the phases before one; each must be there. */
function before(from: string, phases: readonly Phase[], results: ReadonlyMap<string, PhaseEnd>) {
  const at = phases.findIndex(({ name }) => name === from)
  if (at < 0) {
    throw new Failure('notFound', `there is no phase ${from}`, { hint: phases.map(({ name }) => name).join(', ') })
  }
  const kept = new Map<string, PhaseEnd>()
  for (const { name } of phases.slice(0, at)) {
    const result = results.get(name)
    if (result === undefined)
      throw new Failure('notFound', `phase ${name} has no result yet, and ${from} comes after it`)
    kept.set(name, result)
  }
  return kept
}

/** Runs a group at once; returns the result that ends the workflow, if one does. */
async function runGroup(course: Course, group: readonly Step[]): Promise<PhaseResult | undefined> {
  const { host, results } = course
  const sessions = new Map<string, string>()
  let stopped: PhaseResult | undefined
  const endOthers = async (by: PhaseResult) => {
    stopped ??= by
    for (const [name, id] of sessions) {
      if (name === by.phase) continue
      await abortTree(host.scribe, id, { reason: `phase ${by.phase} has stopped the workflow`, keepsChildren: false })
    }
  }
  await Promise.all(
    group.map(async (step) => {
      const { end, stops } = await runStep(course, step, {
        onSession: (id) => sessions.set(step.phase.name, id),
        isStopped: () => stopped !== undefined,
      })
      sessions.delete(step.phase.name)
      if (end === undefined) return
      const result = new PhaseResult(end)
      step.phase.result = result
      results.set(step.phase.name, result)
      if (stops && stopped === undefined) await endOthers(result)
    }),
  )
  return stopped ?? group.flatMap(({ phase }) => (isTheEnd(phase) ? (phase.result ?? []) : [])).at(0)
}

const isTheEnd = (phase: Phase) => phase.result?.passed === false && !patienceOf(phase).goesOn

type Watch = { readonly onSession: (id: string) => void; readonly isStopped: () => boolean }
type Stepped = { readonly end: PhaseEnd | undefined; readonly stops: boolean }

/** One phase with its further tries. */
async function runStep(course: Course, { phase, sources }: Step, { onSession, isStopped }: Watch): Promise<Stepped> {
  const { host, run, records, anew, kept, results } = course
  const old = kept.get(phase.name)
  if (old !== undefined) {
    host.note(`scope: ${run}: phase ${phase.name}: ${old.verdict} already`)
    return { end: old, stops: false }
  }
  const prior: Prior = sources.flatMap((name) => {
    const text = results.get(name)?.result_text ?? ''
    return text === '' ? [] : [{ name, text }]
  })
  const first = attemptOf(records, phase.name, anew.includes(phase.name))
  let tried: Tried | undefined
  for (let turn = 0; turn < patienceOf(phase).tries && !isStopped(); turn++) {
    const attempt = first.attempt + turn
    tried = await tryPhase(host, { run, phase, attempt, prior, before: turn === 0 ? first.open : [], onSession })
    host.note(`scope: ${run}: phase ${phase.name}: ${tellEnd(tried.end)}`)
    if (tried.end.passed || tried.stops || tried.end.verdict === 'budget') break
  }
  return { end: tried?.end, stops: tried?.stops ?? false }
}

/** Which try is next, and what the run has of it, when it was begun and has no result. */
function attemptOf(records: readonly RunRecord[], phase: string, isAnew: boolean): Next {
  let attempt = 0
  let open: RunRecord[] = []
  for (const record of records) {
    if (record.event === 'starting' && record.phase === phase) {
      attempt = record.attempt
      open = [record]
    } else if (record.event === 'session' && record.phase === phase) open.push(record)
    else if (record.event === 'result' && record.result.phase === phase) {
      attempt = record.result.attempt + 1
      open = []
    } else if (record.event === 'begun' && record.anew.includes(phase) && open.length > 0) {
      attempt += 1
      open = []
    }
  }
  return isAnew && open.length > 0 ? { attempt: attempt + 1, open: [] } : { attempt, open }
}

type Next = { readonly attempt: number; readonly open: readonly RunRecord[] }

function tellEnd({ verdict, iterations, exit_reason }: PhaseEnd): string {
  const after = iterations > 1 ? ` after ${iterations} iterations` : ''
  return `${verdict}${after}${exit_reason === null || exit_reason === '' ? '' : `: ${exit_reason}`}`
}

function summaryOf(
  { run, results }: Course,
  workflow: string,
  phases: readonly Phase[],
  stopped: PhaseResult | undefined,
): WorkflowRun {
  const ends = phases.flatMap(({ name }) => results.get(name) ?? [])
  return { run, workflow, outcome: outcomeOf(ends, stopped), exit_reason: stopped?.exit_reason ?? null, phases: ends }
}

function outcomeOf(ends: readonly PhaseEnd[], stopped: PhaseEnd | undefined): WorkflowRun['outcome'] {
  if (stopped?.verdict === 'exit' || stopped?.verdict === 'aborted') return 'stopped'
  const failed = ends.filter((end) => !end.passed)
  if (failed.length === 0) return 'accepted'
  return failed.every(({ verdict }) => verdict === 'max_iterations' || verdict === 'budget') ? 'limit' : 'failed'
}

/** Shows each phase as it would be run, with the name of a result in the place of its text. */
function planWorkflow(host: Host, workflow: string, groups: readonly Step[][]): Results {
  const results: Results = new Map()
  for (const { phase, sources } of groups.flat()) {
    const prior = sources.map((name) => ({ name, text: `(the result of ${name})` }))
    host.onPlan(phase.name, phasePlan(phase, prior, host))
    const nothing = { iterations: 0, attempt: 0, session_id: '', exit_reason: null, result_text: '' }
    const result = new PhaseResult({ phase: phase.name, verdict: 'dry_run', passed: true, ...nothing })
    phase.result = result
    results.set(phase.name, result)
  }
  host.onRun({ run: '', workflow, outcome: 'dry_run', exit_reason: null, phases: [...results.values()] })
  return results
}
