import process from 'node:process'
import { Failure } from '@switchyard/ground/failure'
import { processOf } from '@switchyard/ground/process-name'
import type { Scribe } from '../session/record.ts'
import type { Launch } from '../start/launch-schema.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import { outOfTime } from '../start/watch-turn.ts'
import { runLoop } from './run-loop.ts'

type Orders = { readonly launch: Launch; readonly contract: Buffer }
type World = { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal }

/** The longest that a timer of Node can wait. */
const timerMsMax = 2 ** 31 - 1

/** Keeps the loop of these orders going in this process, which the log has as its keeper, until its time is over. */
export async function superviseLoop(
  scribe: Scribe,
  { launch, contract }: Orders,
  { env, signal }: World,
): Promise<void> {
  const { id, loop, cwd, timeout_ms: timeoutMs } = launch
  if (loop === undefined) throw new Failure('usage', `session ${id} is no loop`)
  const time = AbortSignal.timeout(Math.min(timeoutMs, timerMsMax))
  await runLoop({
    ...{ scribe, id, launch: { ...launch, loop }, contract: contract.toString(), env, own: processOf(process.pid) },
    signal: AbortSignal.any([signal, time]),
    whyAborted: () =>
      time.aborted
        ? { reason: outOfTime(timeoutMs), endsMembers: true }
        : { reason: 'its process was told to end', endsMembers: false },
    startSupervisor: (member, { backend }) => startSupervisor(scribe.store, member, { env, cwd, backend }),
  })
}
