// Whether a run was started on this machine. Its record may have come with a repository: what it says to run is an
// order only where this machine gave it.

import { realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { isSignedHere, signatureOf } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import type { Store } from '@switchyard/topic'
import { howToUntrack, isBusTracked } from '@switchyard/topic/examine/tracked'
import { type LoopEvent, loopEvent } from '../state/event-schema.ts'
import { readEvents } from './journal.ts'

type Started = Extract<LoopEvent, { event: 'started' }>
/** What a landing tells before it moves a base, and once it has pushed: recovery and a later stop go by it. */
type LandingStep = Extract<LoopEvent, { event: 'landing' | 'pushed' }>
type Bus = Pick<Store, 'path'>

/** The start of a run with the mark of this machine. Where it keeps no key there is none, and nobody moves the run. */
export function markedStart(store: Bus, event: Started, env: Env): Started {
  const mark = signatureOf('run', signedOf(store, event), env)
  return mark === undefined ? event : { ...event, mark }
}

/** Whether this machine started the run that begins so, on this bus. */
export function isMadeHere(store: Bus, started: Started, env: Env): boolean {
  return isSignedHere('run', signedOf(store, started), started.mark, env)
}

/** A step of a landing with the mark of this machine. Where it keeps no key there is none, and nobody goes by it. */
export function markedStep<Step extends LandingStep>({ store, id, env }: Of, step: Step): Step {
  const mark = signatureOf('landing', stepOf(store, id, step), env)
  return mark === undefined ? step : { ...step, mark }
}

/** Whether a landing of that run, on this bus, told this step. Anybody can write one into the topic. */
export function isOurStep({ store, id, env }: Of, step: LandingStep): boolean {
  return isSignedHere('landing', stepOf(store, id, step), step.mark, env)
}

type Of = { readonly store: Bus; readonly id: string; readonly env: Env }

/** Failure `conflict` for a run that came from elsewhere. */
export function requireMadeHere(store: Store, run: string, env: Env): void {
  const [first] = readEvents(store, run)
  if (first?.event.event === 'started' && isMadeHere(store, first.event, env)) return
  throw new Failure('conflict', notMadeHere(store, run), {
    hint: 'loop start begins one of your own',
    retryable: false,
  })
}

/** Says that a run came from elsewhere, and how the bus stops doing so. */
export function notMadeHere(store: Pick<Store, 'repository'>, run: string): string {
  const how = isBusTracked(store) ? `; git tracks this bus, which ends with: ${howToUntrack}` : ''
  return `run ${run} was not started on this machine, its record is no order here${how}`
}

/** In the order of the schema, whoever wrote it; of this bus alone. */
function signedOf({ path }: Bus, { mark: _, ...event }: Started | LandingStep): [string, string] {
  return [realPathIfThere(path) ?? path, JSON.stringify(loopEvent.parse(event))]
}

const stepOf = (store: Bus, run: string, step: LandingStep): string[] => [run, ...signedOf(store, step)]
