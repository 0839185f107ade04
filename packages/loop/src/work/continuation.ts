// What the agent of a session is told when it is sent back to work.

import type { SessionRun } from '../state/fold-session-run.ts'
import type { WorkStep } from '../state/work-schema.ts'
import { head } from '../text/cut-text.ts'

/** Hosts that let a turn end after so many blocks in a row, whatever the hook says. */
const capVariable = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'
const capDefault = 8
const capNear = 2

const goalBytesMax = 2048
const goalLineBytesMax = 200
const feedbackBytesMax = 4096

export type ToldGoal = {
  readonly run: SessionRun
  readonly step: Extract<WorkStep, { do: 'run' }>
  /** What somebody at another terminal wants to be heeded. */
  readonly steers: readonly string[]
  /** What an issue is about. */
  readonly goal?: string | undefined
  /** What the worktree looks like, a line each. */
  readonly facts: readonly string[]
  /** Turn ends that the host still lets a hook stop; undefined when it does not count. */
  readonly blocksLeft: number | undefined
  /** How a run inside this one ended. */
  readonly news?: string | undefined
  /** The agent has heard the rest before, and a person reads along in the terminal. */
  readonly isBrief?: boolean
}

/** The instruction of one iteration: all of it, or what is new and how it ends. */
export function renderContinuation(told: ToldGoal): string {
  const { run, step, blocksLeft } = told
  const max = run.work?.limits.iterations ?? step.iteration
  const parts = told.isBrief ? briefly(told, max) : atLength(told, max)
  const cap = blocksLeft === undefined || blocksLeft > capNear ? [] : [capText(blocksLeft)]
  return `${[...parts, ...cap].join('\n\n')}\n`
}

function briefly({ run, step, steers, facts }: ToldGoal, max: number): string[] {
  const about = run.claimed === undefined ? firstLine(run.started.goal ?? '') : `issue ${run.claimed.issue}`
  const gate = run.started.verify === '' ? '' : `; then this decides: ${run.started.verify}`
  return [
    `Iteration ${step.iteration} of ${max}. Go on with ${about}`,
    ...(steers.length === 0 ? [] : [`From the person who watches: ${steers.join('\n')}`]),
    ...(step.feedback === undefined ? [] : [head(step.feedback, feedbackBytesMax).trim()]),
    [...facts, `How it ends: loop signal done${gate}. Else: loop signal nothing, or stuck --note WHY.`].join('\n'),
  ]
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return head(line, goalLineBytesMax)
}

/** Hosts whose sessions are told of their loop again as soon as the conversation was compacted. */
const remindedHosts = ['claude', 'opencode']
/** Sessions of the others are told all at each fifth time: not every compaction of theirs is heard of. */
const fullEvery = 5

/** Whether a host tells a session nothing of its loop when it has compacted its conversation. */
export const isUnreminded = (host: string) => !remindedHosts.includes(host)

/** Whether the agent knows the rest: it has heard it in this session, and nothing has made it forget. */
export function hasHeardAll({ tellings }: Pick<SessionRun, 'tellings'>, host: string): boolean {
  return tellings > 1 && !(isUnreminded(host) && (tellings - 1) % fullEvery === 0)
}

function atLength({ run, step, steers, goal, facts, news }: ToldGoal, max: number): string[] {
  return [
    ...(news === undefined ? [] : [news]),
    `Iteration ${step.iteration} of ${max} of loop run ${run.id}. Go on with it now.`,
    ...(steers.length === 0 ? [] : [section('From the person who watches', steers.join('\n'))]),
    section(
      run.claimed === undefined ? 'The task' : `Issue ${run.claimed.issue}: ${run.claimed.title}`,
      goal ?? goalOf(run),
    ),
    ...(step.feedback === undefined
      ? []
      : [section('What came of the last iteration', head(step.feedback, feedbackBytesMax))]),
    ...(facts.length === 0 ? [] : [section('Where', facts.join('\n'))]),
    section('How it ends', ending(run)),
  ]
}

const section = (title: string, text: string) => `## ${title}\n${text.trim()}`

function goalOf({ id, started }: SessionRun): string {
  const goal = started.goal ?? ''
  if (Buffer.byteLength(goal) < goalBytesMax) return goal
  return `${head(goal, goalBytesMax)}\n(That is its beginning. All of it: jwz latest ${goalTopic(id)})`
}

/** Where the whole prompt of a task is that is too long to be repeated each time. */
export const goalTopic = (run: string) => `loop:goal:${run}`

function ending({ started }: SessionRun): string {
  const gate = started.verify === '' ? '' : ` This command then decides whether it is: ${started.verify}`
  return [
    `When it is done: \`loop signal done\`, or end your answer with the line <loop-done>done</loop-done>.${gate}`,
    'When there is nothing to do: `loop signal nothing`. When you cannot get on: `loop signal stuck --note WHY`.',
    'Otherwise do as much as you can and stop; you will be asked to go on.',
  ].join('\n')
}

function capText(left: number): string {
  const when = left <= 1 ? 'This is the last time' : 'Soon will be the last time'
  const stays = 'The loop stays as it is (`loop status`); any later answer of yours goes on with it.'
  return `${when} that the host lets the loop send you back. ${stays}`
}

/** The host's cap on blocks in a row, less those there were. Only Claude Code has one. */
export function blocksLeft(
  host: string,
  continued: number,
  env: Readonly<Record<string, string | undefined>>,
): number | undefined {
  if (host !== 'claude') return undefined
  const said = Number(env[capVariable] ?? '')
  return Math.max(0, (Number.isInteger(said) && said > 0 ? said : capDefault) - continued)
}
