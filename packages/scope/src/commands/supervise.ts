import process from 'node:process'
import { defineVerb } from '@switchyard/cli-kit'
import { statAt } from '@switchyard/ground/at-path'
import { processOf } from '@switchyard/ground/process-name'
import { abortTree } from '../end/abort-tree.ts'
import { scribeOf } from '../session/bus.ts'
import { endAll, endLeft } from '../session/end-left.ts'
import { isPaused } from '../session/fold-session.ts'
import { findSession, readSession } from '../session/read-session.ts'
import { record, type Scribe } from '../session/record.ts'
import { eventsFile, needScope } from '../session/scope-store.ts'
import { isOver } from '../session/transitions.ts'
import { runHeadless } from '../start/headless.ts'
import { runInTerminal } from '../start/in-terminal.ts'
import { takeEnv } from '../start/kept-env.ts'
import { readLaunch } from '../start/launch.ts'
import type { Launch } from '../start/launch-schema.ts'
import { sessionEnvironment } from '../start/supervisor.ts'
import { outOfTime } from '../start/watch-turn.ts'

const lookMs = 1000

/**
 * `scope supervise`: the process that keeps one session going, from the start of its agent to its end. Started by
 * `scope spawn`; it runs only orders that this machine has signed.
 */
export const supervise = defineVerb({
  summary: 'Keep a session going (what scope spawn starts)',
  args: [{ name: 'id', summary: 'Its id' }],
  flags: {},
  examples: ['scope supervise 0'],
  async run(call) {
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const { id } = findSession(store, call.args.id)
    const orders = readLaunch(store, id, call.env)
    const session = await record(scribe, id, () => [
      { event: 'started', by: 'supervisor', process: processOf(process.pid) },
    ])
    if (isOver(session.state) || isPaused(session)) return undefined
    endWithStore(scribe, id)
    try {
      if (orders.launch.loop !== undefined) {
        const { superviseLoop } = await import('../loop/supervise-loop.ts')
        await superviseLoop(scribe, orders, {
          env: sessionEnvironment(store, id, call.env),
          signal: call.interrupted(),
        })
        if (readSession(store, id)?.state === 'failed') await endLeft(scribe, { id })
      } else if (orders.launch.backend === 'headless') {
        const env = sessionEnvironment(store, id, call.env)
        await runHeadless(scribe, orders, { env, signal: call.interrupted() })
      } else {
        const env = sessionEnvironment(store, id, { ...takeEnv(store, id), TERM: call.env['TERM'] })
        await runInTerminal(scribe, orders, env)
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      await record(scribe, id, () => [{ event: 'failed', by: 'supervisor', reason }])
      throw error
    }
    await endSpenders(scribe, orders.launch)
    return undefined
  },
})

/** Ends what a session has started that has spent more than it may, or is out of time: nothing goes on spending. */
async function endSpenders(scribe: Scribe, { id, timeout_ms }: Launch): Promise<void> {
  const session = readSession(scribe.store, id)
  const isOutOfTime = session?.state === 'failed' && session.reason === outOfTime(timeout_ms)
  if (session === undefined || (session.limit === null && !isOutOfTime)) return
  const reason = `session ${id} ${session.limit === null ? 'was out of time' : 'has spent more than it may'}`
  for (const child of session.children) {
    if (readSession(scribe.store, child) !== undefined) await abortTree(scribe, child, { reason, keepsChildren: false })
  }
}

/** To remove a store by hand is a way to start anew: nothing of its sessions goes on, this process neither. */
function endWithStore(scribe: Scribe, id: string): void {
  const watch = setInterval(() => {
    if (statAt(eventsFile(scribe.store, id)) === undefined) void endAll(scribe, { id })
  }, lookMs)
  watch.unref()
}
