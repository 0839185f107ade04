// Which run a command means.
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import type { RunStatus } from '../state/status-schema.ts'
import { findSessionRun } from './binding.ts'
import { sessionOf } from './env-session.ts'
import { isOpen, standingOf, standings } from './standing.ts'

type Env = Readonly<Record<string, string | undefined>>
type Wanted = { readonly run: string | undefined; readonly all?: boolean }

/**
 * The runs that are meant: `--run` by its id or the beginning of it, `--all` that are open, else the one of which this
 * is a part (LOOP_RUN_ID, or the session of an agent), else the only open one. Failure `notFound` or `ambiguous`.
 */
export function chooseRuns(store: Store, { run, all = false }: Wanted, env: Env, now: number): RunStatus[] {
  const known = standings(store, now)
  const open = known.filter(isOpen)
  if (run !== undefined) return [named(known, store, run.toLowerCase(), now)]
  if (all && open.length > 0) return open
  const session = sessionOf(env)
  const mine = env['LOOP_RUN_ID'] ?? (session && findSessionRun(store, session))
  const own = mine === undefined ? undefined : standingOf(store, mine, now)
  if (own !== undefined && isOpen(own)) return [own]
  const [first, ...others] = open
  if (first === undefined) throw noneOpen(known)
  if (others.length === 0) return [first]
  throw new Failure(
    'ambiguous',
    `expected one run, ${open.length} are not over: ${open.map(({ run: id }) => id).join(', ')}`,
    {
      hint: 'name one with --run',
    },
  )
}

/** Whoever looks for a run that has just ended is told how. */
function noneOpen([newest]: readonly RunStatus[]): Failure {
  const isGivenUp = newest?.outcome === 'stuck' || newest?.outcome === 'gave-up'
  if (newest === undefined || !isGivenUp)
    return new Failure('notFound', 'expected a run that is not over, there is none', { hint: 'loop status --all' })
  const hint = newest.mode === 'task' ? 'loop start gives the task another try' : 'see tissue list --status paused'
  const how = newest.outcome?.replace('gave-up', 'given up')
  return new Failure('notFound', `expected a run that is not over, the last one, ${newest.run}, is ${how}`, { hint })
}

function named(known: readonly RunStatus[], store: Store, wanted: string, now: number): RunStatus {
  const fitting = known.filter(({ run }) => run.startsWith(wanted))
  if (fitting.length > 1) {
    throw new Failure('ambiguous', `expected --run to name one run, ${wanted} begins ${fitting.length}`, {
      hint: 'give more of its id',
    })
  }
  const found = fitting[0] ?? (/^[0-9a-z]{26}$/.test(wanted) ? standingOf(store, wanted, now) : undefined)
  if (found !== undefined) return found
  throw new Failure('notFound', `expected a run, ${wanted} names none`, { hint: 'loop status --all' })
}
