// A run of one task, in the folder it is given in; in a git repository or not.

import process from 'node:process'
import type { Requests } from '@switchyard/cli-kit/drain-signals'
import { nameOfRunner } from '@switchyard/exec/runner'
import type { ExitCode } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { ensureSandbox } from '@switchyard/sandbox'
import { postMessage } from '@switchyard/topic'
import { markedStart } from '../record/made-here.ts'
import { ownerOf } from '../record/run-folder.ts'
import { workerOfRun } from '../record/worker-name.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { exitCodeOf } from '../state/exit-code.ts'
import { beginWork, firstStep } from '../state/reduce.ts'
import { head } from '../text/cut-text.ts'
import { goalTopic } from '../work/continuation.ts'
import { taskName } from '../work/task-place.ts'
import { goalBytesInEvent } from './left-run.ts'
import { type CoreOptions, ensureTools, openCore } from './open-core.ts'
import { untilFinished } from './record-end.ts'
import { recoverAround } from './recover-around.ts'
import type { RunCore } from './run-state.ts'
import type { Settings } from './settings.ts'
import { type Task, workTask } from './work-task.ts'

export type TaskOptions = Omit<CoreOptions, 'id' | 'isAlone' | 'stop' | 'draining' | 'before'> & { goal: string }

/** Works a task to its end and gives the exit code. */
export async function runTask(
  options: TaskOptions,
  requests: Requests,
  onResult: (result: IssueResult) => void,
): Promise<ExitCode> {
  const { settings, now, cwd, env, goal } = options
  const id = ulid(now()).toLowerCase()
  ensureTools('agent' in settings.runner ? ['scope'] : [], options)
  if (settings.confining !== undefined) await ensureSandbox(options)
  await recoverAround({ cwd, env, now, note: options.note, by: id })
  const { stop, draining } = requests
  const { core, close } = openCore({ ...options, id, isAlone: true, stop, draining, before: undefined })
  try {
    const owner = ownerOf(process.pid)
    return await untilFinished(core.journal, requests, async () => {
      const task = await beginTask(core, { goal, cwd, settings, owner })
      const result = await workTask(core, task, firstStep, Number.POSITIVE_INFINITY)
      if ('do' in result) throw new Error(`bug: the task stopped at ${result.do}`)
      onResult(result)
      return stop.aborted ? requests.code() : exitCodeOf([result])
    })
  } finally {
    close()
  }
}

type Begun = { goal: string; cwd: string; settings: Settings; owner?: ReturnType<typeof ownerOf> }

/** Records that a task has begun. */
export async function beginTask(core: RunCore, { goal, cwd, settings, owner }: Begun): Promise<Task> {
  const { id, journal, transcripts, limits, runner } = core
  const { verify, rules } = settings
  const worker = workerOfRun(id, 1)
  if (Buffer.byteLength(goal) > goalBytesInEvent) {
    await postMessage(core.store, { topic: goalTopic(id), from: worker, body: core.redact(goal) }, core.now())
  }
  const told = head(core.redact(goal), goalBytesInEvent)
  const started = {
    ...({
      event: 'started',
      run: id,
      mode: 'task',
      goal: told,
      cwd,
      base: '',
      with: core.redact(nameOfRunner(runner)),
    } as const),
    verify: core.redact(verify ?? ''),
    ...(owner === undefined ? { steps: true } : { owner }),
    ...(settings.confining === undefined ? {} : { sandbox: true }),
    ...(transcripts === undefined ? {} : { log: transcripts.folder }),
    ...{ jobs: 1, max_iterations: limits.iterations },
  }
  await journal.tell(markedStart(core.store, started, core.env))
  await journal.tell({ event: 'began', issue: taskName, worker, rules, limits })
  const work = beginWork(rules, limits)
  const nothingYet = { iteration: 0, session: undefined, told: core.ledger.total }
  return { worker, goal, cwd, verify, work, ...nothingYet }
}
