import { defineVerb, type Output } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/cli-kit/failure'
import { busExists, followTopics, locateStore, type Store } from '@switchyard/topic'
import { shownStatus } from '../render.ts'
import { isOwnerAlive } from '../run/run-folder.ts'
import { readStatus, recentRuns, runTopic } from '../state/journal.ts'
import type { RunStatus } from '../state/status-schema.ts'

/** `loop status`: how the newest run stands, an active one before others. Exits 0 when it is active, 3 when none is. */
export const status = defineVerb({
  summary: 'Show how a run stands',
  flags: {
    run: { type: 'string', value: 'ID', summary: 'This run instead of the newest' },
    watch: { type: 'boolean', summary: 'Show it again at each event, until it ends' },
    store: { type: 'string', value: 'DIR', summary: 'The bus to read instead of the one found' },
  },
  examples: ['loop status', 'loop status --json', 'loop status --watch'],
  async run({ cwd, env, flags, output, interrupted }) {
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
    const found = findRun(store, flags.run?.toLowerCase())
    if (found === undefined) {
      if (flags.run !== undefined) throw new Failure('notFound', `expected a run, ${flags.run} names none`)
      output.note('no run')
      return exitCodes.notFound
    }
    if (flags.watch) return watch(store, found, output, interrupted())
    output.one(found, shownStatus)
    return isActive(found) ? exitCodes.done : exitCodes.notFound
  },
})

function findRun(store: Store, wanted: string | undefined): RunStatus | undefined {
  if (!busExists(store)) return undefined
  if (wanted !== undefined) return judged(readStatus(store, wanted))
  const runs = recentRuns(store).flatMap((run) => judged(readStatus(store, run)) ?? [])
  return runs.find(isActive) ?? runs[0]
}

const isActive = ({ state }: RunStatus) => state !== 'finished' && state !== 'dead'

/** A run that says it is active but whose process is gone is dead. */
function judged(status: RunStatus | undefined): RunStatus | undefined {
  if (status === undefined || !isActive(status)) return status
  if (status.owner === null || isOwnerAlive(status.owner)) return status
  return { ...status, state: 'dead' }
}

const aliveCheckMs = 2000

/** Shows the run at each of its events: redrawn on a terminal, else one after the other. Ends when the run does. */
async function watch(store: Store, first: RunStatus, output: Output, interrupted: AbortSignal): Promise<ExitCode> {
  const ended = new AbortController()
  const look = () => judged(readStatus(store, first.run))
  const timer = setInterval(() => {
    if (!isActive(look() ?? { ...first, state: 'dead' })) ended.abort()
  }, aliveCheckMs)
  const signal = AbortSignal.any([interrupted, ended.signal])
  const show = (status: RunStatus) => {
    if (output.isTerminal && output.mode === 'text') output.raw('\u001b[H\u001b[2J')
    output.each(status, shownStatus)
  }
  show(first)
  try {
    if (!isActive(first)) return exitCodes.notFound
    for await (const _ of followTopics(store, { isMeant: (topic) => topic === runTopic(first.run), signal })) {
      const now = look()
      if (now !== undefined) show(now)
      if (now === undefined || !isActive(now)) break
    }
  } finally {
    clearInterval(timer)
  }
  interrupted.throwIfAborted()
  return exitCodes.done
}
