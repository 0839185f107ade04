import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Runner } from '@switchyard/exec/runner'
import { appendEvents } from '../store/append-records.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { type AgentAnswer, callAgent } from './call-agent.ts'
import { type Usage, usageOf } from './ledger.ts'
import type { MapRun } from './map-run.ts'

/** One question to an agent. `chunk` and `attempt` are for its environment and for the events. */
export type Question = {
  readonly runner: Runner
  readonly model: string | null
  readonly prompt: string
  readonly worker: number
  readonly chunk: string
  readonly attempt: number
}

/**
 * Asks an agent once, in an empty folder. What it has used goes to the ledger, to the events and to whoever watches the
 * agents; undefined for a call that nobody answered.
 */
export async function askOnce(
  map: MapRun,
  question: Question,
): Promise<{ answer: AgentAnswer; usage: Usage | undefined }> {
  const { runner, model, prompt, worker, chunk, attempt } = question
  const env = { ...map.env, DEEPSCAN_CHUNK: chunk, DEEPSCAN_ATTEMPT: String(attempt) }
  const cwd = emptyFolder(join(map.pids, String(worker)))
  const pidFile = join(map.pids, `${worker}.pid`)
  const { timeoutMs } = map.settings
  const answer = await callAgent(runner, { prompt, model, cwd, env, timeoutMs, stop: map.stop, pidFile }, map.run.now)
  if (answer.kind === 'stopped' || answer.kind === 'rate') return { answer, usage: undefined }
  const said = 'usage' in answer ? answer.usage : undefined
  const output = answer.kind === 'said' ? estimateTokens(answer.text) : 0
  const usage = usageOf(said, { input: estimateTokens(prompt), output }, map.settings.price)
  map.ledger.add(usage)
  appendEvents(map.open, map.run, [{ type: 'cost', chunk, ...usage, estimated: said === undefined }])
  await map.feed.answered(worker, usage)
  return { answer, usage }
}

/** What one agent left there, no other is to find. */
function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { mode: 0o700 })
  return path
}
