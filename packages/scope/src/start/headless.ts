// One turn of an agent without a screen, from its contract to its result.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Execution, execute } from '@switchyard/exec'
import { writeWhole } from '@switchyard/ground/whole-file'
import { findAgent } from '../agents/find-agent.ts'
import { envelopeOf } from '../envelope.ts'
import type { Envelope } from '../envelope-schema.ts'
import { endLeft } from '../session/end-left.ts'
import { readSession } from '../session/read-session.ts'
import { type EventDraft, record, type Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { doneUnlessAwaited } from '../session/settle.ts'
import { isOver } from '../session/transitions.ts'
import { watchIdle } from './idle.ts'
import type { Launch } from './launch-schema.ts'
import { turnOf } from './turn-of.ts'

const outputBytesMax = 32_000_000
const by = 'supervisor'

type Orders = { readonly launch: Launch; readonly contract: Buffer }
type World = { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal }

/** Runs the agent on its contract, and records how that ended. */
export async function runHeadless(scribe: Scribe, { launch, contract }: Orders, { env, signal }: World): Promise<void> {
  const { id, cwd, timeout_ms: timeoutMs } = launch
  const adapter = findAgent(launch.agent, env)
  const turn = turnOf(launch)
  const command = adapter.command(turn)
  const output = join(sessionFolder(scribe.store, id), 'output.log')
  await record(scribe, id, () => [{ event: 'submitted', by, bytes: contract.length }])
  const watch = watchIdle(scribe, launch)
  const limits = { timeoutMs, outputBytesMax, signal: AbortSignal.any([signal, watch.signal]) }
  const execution = await execute(command, {
    ...{ cwd, env: { ...env, ...adapter.env?.(turn) }, input: contract, ...limits },
    onOutput: (chunk) => appendFileSync(output, chunk),
  }).finally(watch.stop)
  const envelope = envelopeOf(adapter, execution, scribe.now())
  const path = join(sessionFolder(scribe.store, id), 'result')
  if (envelope.text !== '') writeWhole(path, `${path}.draft`, envelope.text)
  // Before anybody hears of it: who resumes a session that has failed starts what would have the same mark.
  if (!hasEnded(envelope) && !isOver(readSession(scribe.store, id)?.state ?? 'failed')) await endLeft(scribe, { id })
  await record(scribe, id, (session) => [
    resultOf(envelope),
    { event: 'ended', by, exit_code: execution.exitCode, signal: execution.signal },
    ...endOf(envelope, execution, { timeoutMs, idle: watch.reason() }),
    ...(hasEnded(envelope) && session !== undefined ? doneUnlessAwaited(scribe.store, session, by) : []),
  ])
}

const hasEnded = ({ outcome }: Envelope) => outcome === 'done' || outcome === 'nothing'

function resultOf({ text, session, usage, cost_usd }: Envelope): EventDraft {
  return { event: 'result', by, bytes: Buffer.byteLength(text), agent_session: session, usage, cost_usd }
}

type Limits = { readonly timeoutMs: number; readonly idle: string | undefined }

/** Nothing for a turn that came to its end: then the children decide. */
function endOf(envelope: Envelope, { aborted, signal }: Execution, { timeoutMs, idle }: Limits): EventDraft[] {
  if (hasEnded(envelope)) return []
  if (envelope.outcome === 'timeout') {
    return [{ event: 'failed', by, reason: `it was out of time after ${timeoutMs} ms` }]
  }
  if (aborted) return [{ event: 'failed', by, reason: idle ?? `its supervisor was told to end` }]
  const how = signal === null ? `exit code ${envelope.exit_code}` : `signal ${signal}`
  return [{ event: 'failed', by, reason: `${how}: ${envelope.error ?? ''}` }]
}
