// What an agent said and did, from its session or from a file that `scope trajectory` has printed.
import { join } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { readIfThere, readStored } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import type { Store } from '@switchyard/topic'
import type { Session } from '../session/fold-session.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { readTrajectory } from '../trajectory/read-trajectory.ts'
import { type StepView, stepSchema } from '../trajectory/step-schema.ts'

export type Recording = {
  readonly session: string | null
  /** The folder that its paths are meant in. */
  readonly cwd: string
  readonly steps: readonly StepView[]
  /** Its answer. */
  readonly result: string
}

/**
 * The recording of a session; where no transcript can be read, its answer alone. Exits 3 where that is missing too.
 */
export function recordingOf(store: Store, session: Session, env: Context['env']): Recording {
  const { id, created } = session
  if (created.role === 'loop') {
    throw new Failure('usage', `expected a session with an agent, ${id} is a loop`, {
      hint: `name one of its sessions, such as ${session.children[0] ?? `${id}-0-do`}`,
    })
  }
  const result = readStored(join(sessionFolder(store, id), 'result')) || undefined
  const steps = stepsOr(result === undefined ? undefined : [], () => readTrajectory(store, session, env))
  return { session: id, cwd: created.cwd, steps, result: result ?? lastSaid(steps) }
}

function stepsOr(otherwise: readonly StepView[] | undefined, read: () => readonly StepView[]): readonly StepView[] {
  try {
    return read()
  } catch (error) {
    if (otherwise === undefined || !isFailure(error)) throw error
    return otherwise
  }
}

/** The recording in a file: what `scope trajectory --json` or `--jsonl` printed. Exits 2 where it is something else. */
export function recordingIn(path: string): Recording {
  const text = readIfThere(path)
  if (text === undefined) throw new Failure('usage', `expected a trajectory in ${path}, there is no such file`)
  const whole = parseJson(text)
  const values = Array.isArray(whole) ? whole : text.split('\n').filter(Boolean).map(parseJson)
  const steps = stepSchema.array().min(1).safeParse(values).data
  if (steps === undefined) {
    throw new Failure('usage', `expected a trajectory in ${path}, it holds something else`, {
      hint: `scope trajectory ID --json >${path} makes one`,
    })
  }
  const [{ session, cwd = '/' } = { session: null }] = steps
  return { session, cwd, steps, result: lastSaid(steps) }
}

const lastSaid = (steps: readonly StepView[]) => steps.findLast(({ step }) => step === 'text')?.text ?? ''
