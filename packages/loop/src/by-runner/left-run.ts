// A run of single steps between two of them: found again by what it works.

import { redactorOf } from '@switchyard/cli-kit/secrets'
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { busExists } from '@switchyard/topic'
import { chooseRuns } from '../record/choose-run.ts'
import { recentRuns } from '../record/current.ts'
import { readEvents, readRun } from '../record/journal.ts'
import { isMadeHere } from '../record/made-here.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { head } from '../text/cut-text.ts'
import type { CoreOptions } from './open-core.ts'

/** The bytes of a goal that the start of a run tells. */
export const goalBytesInEvent = 4096

/** A task in a folder, or an issue by its whole id. */
export type Subject = { readonly goal: string; readonly cwd: string } | { readonly issue: string }

/** The run that `wanted` names, else the newest one that was left at this. Failure `notFound` when a named one is over. */
export function findLeftRun(
  store: Store,
  subject: Subject,
  { wanted, env, now }: { wanted: string | undefined; env: CoreOptions['env']; now: number },
): SessionRun | undefined {
  if (!busExists(store)) return undefined
  const asked = 'goal' in subject ? { ...subject, goal: redactorOf(env)(subject.goal) } : subject
  if (wanted === undefined) return firstLeft(store, recentRuns(store), asked, env)
  const [named] = chooseRuns(store, { run: wanted }, env, now)
  const found = named && firstLeft(store, [named.run], asked, env)
  if (found !== undefined) return found
  throw new Failure(
    'notFound',
    `expected --run to name a run of loop run --once at this that is not over, ${wanted} is none`,
    {
      hint: 'leave --run out, to go on with what was begun or to begin',
    },
  )
}

function firstLeft(
  store: Store,
  runs: readonly string[],
  subject: Subject,
  env: CoreOptions['env'],
): SessionRun | undefined {
  for (const id of runs) {
    const [first] = readEvents(store, id)
    if (first?.event.event !== 'started' || !first.event.steps) continue
    if (!isMadeHere(store, first.event, env)) continue
    const run = readRun(store, id)
    if (run !== undefined && !run.isOver && isAt(run, subject)) return run
  }
  return undefined
}

function isAt({ started, claimed }: SessionRun, subject: Subject): boolean {
  if ('issue' in subject) return claimed?.issue === subject.issue
  return started.mode === 'task' && started.cwd === subject.cwd && started.goal === head(subject.goal, goalBytesInEvent)
}
