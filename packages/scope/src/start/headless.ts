// One turn of an agent without a screen, from its contract to its result.
import { join } from 'node:path'
import { type Execution, execute } from '@switchyard/exec'
import { writeWhole } from '@switchyard/ground/whole-file'
import { orderedAgent } from '../agents/find-agent.ts'
import { nothingSpent, restOf, type Spending, sumOf, whyOver } from '../budget.ts'
import { envelopeOf, withSpending } from '../envelope.ts'
import type { Envelope } from '../envelope-schema.ts'
import { isOwnLimit } from '../limit.ts'
import { type Meter, openMeter } from '../meter.ts'
import { endLeft } from '../session/end-left.ts'
import type { Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import { type EventDraft, record, type Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { doneUnlessAwaited } from '../session/settle.ts'
import { spentBy } from '../session/spending.ts'
import { isOver } from '../session/transitions.ts'
import { outputKeeper } from './kept-output.ts'
import type { Launch } from './launch-schema.ts'
import { isSupervisor } from './supervisor.ts'
import { turnOf } from './turn-of.ts'
import { endOfTranscript, openUnread } from './unread.ts'
import { outOfTime, type Stop, watchTurn } from './watch-turn.ts'

const outputBytesMax = 32_000_000
const by = 'supervisor'

type Orders = { readonly launch: Launch; readonly contract: Buffer }
type World = { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal }

/** Runs the agent on its contract, and records how that ended. */
export async function runHeadless(scribe: Scribe, { launch, contract }: Orders, { env, signal }: World): Promise<void> {
  const { id, cwd, timeout_ms: timeoutMs } = launch
  const adapter = orderedAgent(launch, env)
  const before = readSession(scribe.store, id)
  const budget = launch.budget && restOf(launch.budget, before ? spentBy(scribe.store, before) : nothingSpent)
  const turn = turnOf({ ...launch, budget })
  const command = adapter.command(turn)
  const keep = outputKeeper(join(sessionFolder(scribe.store, id), 'output.log'))
  await record(scribe, id, () => [{ event: 'submitted', by, bytes: contract.length }])
  const meter = openMeter(adapter)
  const spent = spendingOf(launch, meter, env)
  const watch = watchTurn(scribe, launch, spent)
  const limits = { timeoutMs, outputBytesMax, signal: AbortSignal.any([signal, watch.signal]) }
  const execution = await execute(command, {
    ...{ cwd, env: { ...env, ...adapter.env?.(turn) }, input: contract, ...limits, isSpared: isSupervisor },
    onOutput: (chunk, stream) => {
      keep(chunk)
      meter.hear(chunk, stream)
    },
  }).finally(watch.stop)
  const envelope = withSpending(envelopeOf(adapter, execution, scribe.now()), spent())
  const path = join(sessionFolder(scribe.store, id), 'result')
  if (envelope.text !== '') writeWhole(path, `${path}.draft`, envelope.text)
  // Before anybody hears of it: who resumes a session that has failed starts what would have the same mark.
  if (!hasEnded(envelope) && !isOver(readSession(scribe.store, id)?.state ?? 'failed')) await endLeft(scribe, { id })
  await record(scribe, id, (session) => [
    resultOf(envelope),
    { event: 'ended', by, exit_code: execution.exitCode, signal: execution.signal },
    ...endOf(envelope, execution, { timeoutMs, why: watch.why() ?? overAtEnd(scribe, launch, session, envelope) }),
    ...(hasEnded(envelope) && session !== undefined ? doneUnlessAwaited(scribe.store, session, by) : []),
  ])
}

/** What a turn spends while it works: as its agent prints it, else as its transcript tells, where anybody asks. */
function spendingOf(launch: Launch, meter: Meter, env: World['env']): () => Spending {
  const { agent, budget, resume } = launch
  if (budget === undefined) return meter.spent
  const unread = openUnread(agent, env)
  const readTo = endOfTranscript(agent, resume, env)
  return () => {
    const told = meter.spent()
    return told.usage !== null ? told : unread({ agentSession: meter.conversation(), readTo })
  }
}

const hasEnded = ({ outcome }: Envelope) => outcome === 'done' || outcome === 'nothing'

function resultOf({ text, session, usage, cost_usd }: Envelope): EventDraft {
  return { event: 'result', by, bytes: Buffer.byteLength(text), agent_session: session, usage, cost_usd }
}

/** Whether its budget is why a turn did not come to its end: an agent may see to that itself. */
function overAtEnd({ store }: Scribe, { budget }: Launch, session: Session | undefined, envelope: Envelope) {
  const spent = { usage: envelope.usage, costUsd: envelope.cost_usd }
  const over = session && whyOver(budget, sumOf([spentBy(store, session), spent]))
  if (over !== undefined || budget?.max_cost_usd == null || !isOwnLimit(envelope.error ?? '')) return over
  return { limit: 'cost', reason: `its agent has stopped at what it may spend: ${envelope.error}` } as const
}

type Limits = { readonly timeoutMs: number; readonly why: Stop | undefined }

/** Nothing for a turn that came to its end: then the children decide. */
function endOf(envelope: Envelope, { aborted, signal }: Execution, { timeoutMs, why }: Limits): EventDraft[] {
  if (hasEnded(envelope)) return []
  if (why !== undefined) return [{ event: 'failed', by, ...why }]
  if (envelope.outcome === 'timeout') {
    return [{ event: 'failed', by, reason: outOfTime(timeoutMs) }]
  }
  if (aborted) return [{ event: 'failed', by, reason: 'its supervisor was told to end' }]
  const how = signal === null ? `exit code ${envelope.exit_code}` : `signal ${signal}`
  return [{ event: 'failed', by, reason: `${how}: ${envelope.error ?? ''}` }]
}
