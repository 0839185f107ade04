import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { chooseRuns } from '../record/choose-run.ts'
import { readEvents } from '../record/journal.ts'
import { renderEvent } from '../state/render-event.ts'
import { renderDot } from '../trace/dot.ts'
import { replay } from '../trace/replay.ts'
import type { ReplayResult, TraceRecord } from '../trace/trace-schema.ts'

/** `loop trace`: what a run recorded. Exits 1 when its decisions, made again, come out otherwise. */
export const trace = defineVerb({
  summary: 'Show what a run recorded',
  args: [{ name: 'run', summary: 'A run, by its id or the beginning of it' }],
  flags: {
    dot: { type: 'boolean', summary: 'The way through its steps, as a graph for dot', forPrograms: true },
    replay: { type: 'boolean', summary: 'Decide again what was decided, and compare', forPrograms: true },
    store: { type: 'string', value: 'DIR', summary: 'The bus to read instead of the one found' },
  },
  examples: ['loop trace 01k5', 'loop trace 01k5 --json'],
  run({ args, flags, cwd, env, now, output }) {
    if (flags.dot && flags.replay) throw new Failure('usage', 'expected --dot or --replay, got both')
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
    const [chosen] = chooseRuns(store, { run: args.run }, env, now())
    const run = chosen?.run ?? args.run
    const events = [...readEvents(store, run)]
    if (flags.dot) {
      output.raw(
        renderDot(
          run,
          events.map(({ event }) => event),
        ),
      )
      return undefined
    }
    if (flags.replay) {
      const { decisions, disagreement } = replay(events)
      const agrees = disagreement === null
      output.one<ReplayResult>({ run, decisions, agrees, disagreement }, shownReplay)
      return agrees ? exitCodes.done : exitCodes.failed
    }
    const records = events.map(({ id, at, event }): TraceRecord => ({ id, at, data: event }))
    output.list(records, shownTrace)
    return undefined
  },
})

const shownTrace: Shown<TraceRecord> = {
  text: ({ at, data }) =>
    inRow(`${new Date(at).toISOString()}  ${data.event.padEnd(9)}  ${renderEvent(data).split('\n')[0]}`),
  id: ({ id }) => id,
}

const shownReplay: Shown<ReplayResult> = {
  text: ({ run, decisions, disagreement }) => {
    if (disagreement === null) return `${run}  ${decisions} decisions, each as it is recorded`
    const { id, issue, recorded, folded } = disagreement
    const now = folded === null ? 'nothing, it was never begun' : JSON.stringify(folded)
    return `${run}  after ${decisions} decisions, message ${id} of ${issue}: recorded ${JSON.stringify(recorded)}, now ${now}`
  },
  id: ({ run }) => run,
}
