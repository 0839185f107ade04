// What the verbs have in common that ask something of runs.
import type { Context, FlagSpec } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import { identify, locateStore, type Store } from '@switchyard/topic'
import { chooseRuns } from '../record/choose-run.ts'
import { requireMadeHere } from '../record/made-here.ts'
import { isRunAlive } from '../record/run-folder.ts'
import { isOpen } from '../record/standing.ts'
import type { LoopEvent } from '../state/event-schema.ts'
import type { RunStatus } from '../state/status-schema.ts'
import { answerTo, askRun, shownControl } from './ask-run.ts'
import type { ControlResult } from './control-schema.ts'
import { settleLeft } from './settle-left.ts'

export const controlFlags = {
  run: { type: 'string', value: 'ID', summary: 'This run, by its id or the beginning of it' },
  as: { type: 'string', value: 'NAME', summary: 'Who asks' },
  timeout: { type: 'duration', default: '10s', summary: 'How long to wait for the answer of a runner' },
  store: { type: 'string', value: 'DIR', summary: 'The bus instead of the one found' },
} as const satisfies Readonly<Record<string, FlagSpec>>

type Call = Context & {
  readonly flags: {
    readonly run: string | undefined
    readonly as: string | undefined
    readonly timeout: number
    readonly store: string | undefined
    readonly all?: boolean
  }
}
type Asked = Omit<Extract<LoopEvent, { event: 'control' }>, 'event' | 'by'>

/** What ending a run that nobody works may take. */
const settleMs = 10 * 60_000

/** Asks it of each run that is meant, and prints what came of it. Exits 3 when there is none. */
export async function askRuns({ flags, cwd, env, now, output }: Call, asked: Asked): Promise<ExitCode> {
  const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
  const by = identify({ as: flags.as, env, store })
  const results: ControlResult[] = []
  for (const status of chooseRuns(store, flags, env, now())) {
    if (!isOpen(status)) {
      output.note(`run ${status.run} is ${status.state}; nothing to ${asked.command}`)
      continue
    }
    requireMadeHere(store, status.run, env)
    const control = { event: 'control', by, ...asked } as const
    const isHeard = status.owner !== null || isStepAtWork(store, status)
    const result = await askRun(store, status, control, { now, waitMs: isHeard ? flags.timeout : 0 })
    if (!isHeard && isOursToDo(status, asked.command)) {
      await settleLeft(status.run, status.session, { store, env, now, until: now() + settleMs })
    }
    results.push({ ...result, answer: result.answer ?? answerTo(store, status.run, result.request) })
  }
  output.list(results, shownControl)
  return results.length === 0 ? exitCodes.notFound : exitCodes.done
}

/** Whether a process of `loop run --once` works an issue of the run now: it listens. */
function isStepAtWork({ repository }: Store, { steps, run }: RunStatus): boolean {
  return steps === true && repository !== undefined && isRunAlive(repository.commonDir, run)
}

/** A shell loop around a task hears of its end by the next call; an issue is to be free at once. */
function isOursToDo({ steps, state, session, workers }: RunStatus, command: Asked['command']): boolean {
  if (steps) return command === 'cancel' && workers.some(({ worktree }) => worktree !== null)
  return command !== 'signal' && (state === 'stale' || session === null)
}
