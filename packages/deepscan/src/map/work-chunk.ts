// One chunk from its prompt to its result: calls, corrections, retries, until a line of results.jsonl says what came of
// it.

import { nameOfRunner, type Runner } from '@switchyard/exec/runner'
import { ulid } from '@switchyard/ground/ulid'
import { appendEvents } from '../store/append-records.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import { askOnce } from './ask.ts'
import type { AgentAnswer } from './call-agent.ts'
import { type ChunkContent, readContent } from './chunk-content.ts'
import type { MapRun } from './map-run.ts'
import { atStart, nextStep, type Outcome, type Progress, type Step } from './next-step.ts'
import type { Pool, Settled } from './pool.ts'
import { correctionFor, type PromptContent, promptFor, promptForKey } from './prompt.ts'
import { lowQuality } from './quality.ts'
import { type Answer, readAnswer } from './read-answer.ts'
import { recordResult, reuseResult } from './record-result.ts'
import { keep, keyOf } from './result-cache.ts'
import { countLocated } from './settle-answer.ts'

/** A chunk and what has been found out on the way. */
type Work = {
  readonly chunk: Chunk
  readonly worker: number
  readonly content: ChunkContent
  readonly key: string
  runner: Runner
  shown: PromptContent
  fault: string | undefined
  progress: Progress
  readonly used: { input: number; output: number; usd: number | null }
}

/** Works one chunk to its result, or leaves it where the map ends first. */
export async function workChunk(map: MapRun, chunk: Chunk, worker: number, pool: Pool): Promise<Settled> {
  if (map.ledger.over() !== undefined) return 'left'
  const work = await beginWork(map, chunk, worker)
  const known = map.settings.only === 'all' ? undefined : reuseResult(placeOf(map), chunk, work.key)
  if (known !== undefined) {
    map.tell(known)
    return 'done'
  }
  appendEvents(map.open, map.run, [{ type: 'chunk_start', chunk: chunk.id, index: chunk.index, worker }])
  await map.feed.works(worker, `chunk ${chunk.index + 1} of ${map.total}: ${chunk.spans[0]?.path ?? ''}`)
  for (;;) {
    if (map.ledger.over() !== undefined || map.draining.aborted) return 'left'
    const answer = await callOnce(map, work)
    if (answer.kind === 'stopped') return 'left'
    const outcome = await outcomeOf(map, work, answer)
    const mayEscalate = map.settings.stronger !== undefined && map.ledger.mayEscalate(map.total)
    const limits = { retries: map.settings.retries, backoffMs: map.settings.backoffMs, mayEscalate }
    const { step, progress } = nextStep(work.progress, outcome, limits, map.random())
    work.progress = progress
    if (step.do === 'finish') return finish(map, work, step)
    if (!(await goOn(map, work, step, outcome, pool))) return 'left'
  }
}

async function beginWork(map: MapRun, chunk: Chunk, worker: number): Promise<Work> {
  const { runner, model, usesHints } = map.settings
  const content = await readContent(map.open, map.files, chunk)
  const held = [...content.secrets].map(([rule, count]) => ({
    type: 'secret_redacted' as const,
    chunk: chunk.id,
    rule,
    count,
  }))
  appendEvents(map.open, map.run, held)
  const hints = usesHints ? await map.hintsOf(chunk.id) : []
  const shown = { chunk: chunk.id, parts: content.parts, header: chunk.header, around: [], hints }
  return {
    ...{ chunk, worker, content, runner, shown, fault: undefined, progress: atStart },
    key: keyOf(promptForKey(map.settings, shown), nameOfRunner(runner), model),
    used: { input: 0, output: 0, usd: null },
  }
}

async function callOnce(map: MapRun, work: Work): Promise<AgentAnswer> {
  const { settings, fence } = map
  const { chunk, worker, runner, progress, used } = work
  const plain = promptFor(settings, work.shown, fence)
  const { answer, usage } = await askOnce(map, {
    ...{ runner, worker, chunk: chunk.id, attempt: progress.calls + 1 },
    model: progress.isEscalated ? null : settings.model,
    prompt: work.fault === undefined ? plain : correctionFor(plain, work.fault),
  })
  used.input += usage?.input_tokens ?? 0
  used.output += usage?.output_tokens ?? 0
  if (typeof usage?.cost_usd === 'number') used.usd = (used.usd ?? 0) + usage.cost_usd
  return answer
}

async function outcomeOf(map: MapRun, { chunk, content }: Work, answer: AgentAnswer): Promise<Outcome> {
  switch (answer.kind) {
    case 'said': {
      const read = readAnswer(answer.text, { id: chunk.id, paths: new Set(chunk.spans.map(({ path }) => path)) })
      if (read.kind !== 'answer') return read
      const why = await poorness(map, chunk, content, read.answer)
      return why === undefined ? { kind: 'good', answer: read.answer } : { kind: 'low', answer: read.answer, why }
    }
    case 'long':
      return { kind: 'invalid', fault: `expected at most ${answer.bytes} bytes, got more` }
    case 'stopped':
      throw new Error('bug: a call that was stopped has no outcome')
    default:
      return answer
  }
}

async function poorness(map: MapRun, chunk: Chunk, content: ChunkContent, answer: Answer): Promise<string | undefined> {
  const located = countLocated(answer.findings, content)
  const isSilent = answer.findings.length === 0 && map.settings.stronger !== undefined
  const ruleHits = isSilent ? (await map.hintsOf(chunk.id)).length : 0
  return lowQuality(answer, { located, ruleHits })
}

/** Makes ready for the next call; false when the map ends first. */
async function goOn(
  map: MapRun,
  work: Work,
  step: Exclude<Step, { do: 'finish' }>,
  outcome: Outcome,
  pool: Pool,
): Promise<boolean> {
  const { chunk, worker, progress } = work
  work.fault = step.do === 'again' ? step.fault : undefined
  if (step.do === 'escalate') {
    const { stronger, model } = map.settings
    if (stronger === undefined) throw new Error('bug: there is no stronger agent')
    const fields = {
      from_model: model ?? nameOfRunner(work.runner),
      to_model: nameOfRunner(stronger),
      reason: step.why,
    }
    map.ledger.escalate()
    work.runner = stronger
    appendEvents(map.open, map.run, [{ type: 'escalation', chunk: chunk.id, ...fields }])
    return true
  }
  if (outcome.kind === 'more') work.shown = { ...work.shown, around: await work.content.around() }
  const fields = { attempt: progress.calls, cause: outcome.kind, reason: step.why, wait_ms: step.waitMs }
  appendEvents(map.open, map.run, [{ type: 'retry', chunk: chunk.id, ...fields }])
  if (step.do === 'pause') pool.pause(step.waitMs)
  if (step.waitMs > 0) await map.feed.rests(worker, `waiting: ${step.why}`)
  return pool.ready(step.do === 'again' ? step.waitMs : 0)
}

async function finish(
  map: MapRun,
  work: Work,
  { status, answer, error }: Extract<Step, { do: 'finish' }>,
): Promise<Settled> {
  const { input, output, usd } = work.used
  const agent = nameOfRunner(work.runner)
  const kept = recordResult(placeOf(map), work.chunk, work.content, {
    ...{ id: ulid(map.run.now()), status, answer, error, agent, key: work.key, attempt: work.progress.calls },
    model: work.progress.isEscalated ? null : map.settings.model,
    usage: { input_tokens: input, output_tokens: output, cost_usd: usd },
  })
  if (status === 'completed') keep(map.open.home, work.key, kept, map.pid)
  map.tell(kept.result)
  return status === 'failed' ? 'failed' : 'done'
}

const placeOf = ({ open, run, files, settings }: MapRun) => ({ open, run, files, type: settings.type.name })
