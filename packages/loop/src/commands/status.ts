import { defineVerb, type Output } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { followTopics, locateStore, type Store } from '@switchyard/topic'
import { shownAnchor } from '../anchor/render-anchor.ts'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { waitingLine } from '../config/waiting-words.ts'
import { chooseRuns } from '../record/choose-run.ts'
import { runTopic } from '../record/journal.ts'
import { isActive, isOpen, standingOf, standings } from '../record/standing.ts'
import { shownStatus } from '../render/shown.ts'
import type { RunStatus } from '../state/status-schema.ts'

/**
 * `loop status`: how the newest run stands, an active one before others. Exits 0 when it is active; 9 when it is
 * paused, left by its session, or stuck; 3 when there is none. With `--anchor` it shows what was noted last before a
 * compaction, and exits 3 when nothing was.
 */
export const status = defineVerb({
  summary: 'Show how a run stands',
  flags: {
    run: { type: 'string', value: 'ID', summary: 'This run instead of the newest, by its id or the beginning of it' },
    all: { type: 'boolean', summary: 'Every run that moved lately' },
    watch: { type: 'boolean', summary: 'All runs on the whole terminal; in a pipe one run, again at each event' },
    anchor: { type: 'boolean', summary: 'What was noted last of a run before a compaction, for who goes on with it' },
    store: { type: 'string', value: 'DIR', summary: 'The bus to read instead of the one found' },
  },
  examples: ['loop status', 'loop status --json', 'loop status --watch', 'loop status --anchor'],
  async run({ cwd, env, now, flags, output, interrupted }) {
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
    if (flags.anchor) {
      const other = (['all', 'watch'] as const).find((name) => flags[name])
      if (other !== undefined) throw new Failure('usage', `expected --anchor or --${other}, got both`)
      const { findAnchor } = await import('../anchor/find-anchor.ts')
      output.one(findAnchor(store, flags.run, env), shownAnchor)
      return exitCodes.done
    }
    if (flags.watch && output.isTerminal && output.mode === 'text' && env['TERM'] !== 'dumb') {
      await (await import('../status/watch-dashboard.ts')).watchDashboard(store, { output, now })
      return exitCodes.done
    }
    const { waits } = readConfig(configRootOf(store), env)
    if (waits.length > 0) output.note(waitingLine(waits))
    const known = standings(store, now())
    const [found] = flags.run === undefined ? known : chooseRuns(store, { run: flags.run }, env, now())
    if (flags.all) output.list(known, { ...shownStatus, empty: 'no run' })
    if (found === undefined) {
      if (!flags.all) output.note('no run')
      return exitCodes.notFound
    }
    if (flags.watch) return watch({ store, now, output, interrupted: interrupted() }, found)
    if (!flags.all) output.one(found, shownStatus)
    return codeOf(found)
  },
})

function codeOf(status: RunStatus): ExitCode {
  if (isActive(status)) return exitCodes.done
  return isOpen(status) || status.exit_code === exitCodes.limit ? exitCodes.limit : exitCodes.notFound
}

const aliveCheckMs = 2000

type Watching = { store: Store; now: () => number; output: Output; interrupted: AbortSignal }

/** Shows the run at each of its events, one after the other. Ends when the run does. */
async function watch({ store, now, output, interrupted }: Watching, first: RunStatus): Promise<ExitCode> {
  const ended = new AbortController()
  const look = () => standingOf(store, first.run, now())
  const timer = setInterval(() => {
    if (!isOpen(look() ?? { ...first, state: 'dead' })) ended.abort()
  }, aliveCheckMs)
  const signal = AbortSignal.any([interrupted, ended.signal])
  output.each(first, shownStatus)
  try {
    if (!isOpen(first)) return codeOf(first)
    for await (const _ of followTopics(store, { isMeant: (topic) => topic === runTopic(first.run), signal })) {
      const now = look()
      if (now !== undefined) output.each(now, shownStatus)
      if (now === undefined || !isOpen(now)) break
    }
  } finally {
    clearInterval(timer)
  }
  interrupted.throwIfAborted()
  return exitCodes.done
}
