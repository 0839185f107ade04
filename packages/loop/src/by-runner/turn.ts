// One turn of a work: what the agent is asked, what it says, and what is recorded of it.

import type { WorkPlace } from '../programs/run-work.ts'
import { readNotes } from '../record/notes.ts'
import { wordsOf } from '../state/said.ts'
import type { WorkInput, WorkStep } from '../state/work-schema.ts'
import { callAgent, type RunnerAnswer } from './call-agent.ts'
import { type PromptParts, renderPrompt } from './prompt.ts'
import type { RunCore, Turns } from './run-state.ts'

/** What an agent is asked, and where. `name` is an issue's id, or `task`. */
export type Asked = Pick<PromptParts, 'wanted' | 'issue' | 'folder' | 'base' | 'verify'> & {
  name: string
  env: () => Record<string, string>
  /** The worktree of an issue; a task has none. */
  place?: () => WorkPlace
}

/** Calls the agent. Undefined when that was interrupted while it was refused for its rate. */
export async function takeTurn(
  run: RunCore,
  turns: Turns,
  asked: Asked,
  { iteration, feedback }: Extract<WorkStep, { do: 'run' }>,
  stop: AbortSignal,
): Promise<RunnerAnswer | undefined> {
  const { worker } = turns
  const max = run.limits.iterations
  turns.iteration = iteration
  await run.journal.tell({ event: 'iteration', issue: asked.name, worker, iteration, max })
  run.controls.takeSignal(worker)
  const told = [run.controls.takeSteer(worker), feedback].filter((text) => text !== undefined)
  const happened = told.length === 0 ? undefined : told.join('\n\n')
  const parts = { ...asked, iteration, max, feedback: happened, notes: readNotes(run.store, run.id) }
  const prompt = renderPrompt(parts, run.template)
  const place = asked.place?.() ?? {}
  const call = { issue: asked.name, cwd: asked.folder, env: asked.env(), prompt, stop, place }
  const answer = await callAgent(run, turns, call)
  if (answer === undefined) return undefined
  await run.controls.poll()
  const signal = run.controls.takeSignal(worker)
  return signal === undefined ? answer : { ...answer, words: wordsOf(answer.words.said, signal) }
}

/** Records a turn that was not cut off, and gives what `reduce` is told of it. */
export async function endTurn(
  run: Pick<RunCore, 'journal' | 'ledger' | 'now'>,
  turns: Turns,
  { name: issue }: Asked,
  { words, exitCode, tokens, costUsd, output }: RunnerAnswer,
  { changed, left, isCut }: { changed: boolean; left: string | null; isCut: boolean },
): Promise<WorkInput> {
  const { worker, iteration } = turns
  if (!isCut) {
    const spent = spentIn(tokens, costUsd)
    const event = { event: 'ran', issue, worker, iteration, verdict: words.said, exit_code: exitCode, changed } as const
    const session = turns.session === undefined ? {} : { agent_session: turns.session.id }
    await run.journal.tell({ ...event, ...spent, ...session })
  }
  const { total } = run.ledger
  const spent = spentIn(total.tokens - turns.told.tokens, total.cost_usd - turns.told.cost_usd)
  turns.told = total
  return { of: 'turn', ...words, changed, left, at: run.now(), ...spent, output }
}

function spentIn(tokens: number, costUsd: number): { tokens?: number; cost_usd?: number } {
  return { ...(tokens > 0 ? { tokens } : {}), ...(costUsd > 0 ? { cost_usd: costUsd } : {}) }
}
