import type { Answer } from '@switchyard/wire/host-event'
import { isMadeHere, notMadeHere } from '../record/made-here.ts'
import { applyRequests } from '../record/requests.ts'
import { openRecord } from '../record/session-record.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { Session } from '../state/event-schema.ts'
import type { TurnWorld } from './turn-world.ts'

/**
 * The session was silent for so long that nobody expects its loop any more: it is paused, once, with a word to the
 * person.
 */
export async function setStale(session: Session, id: string, { store, env, now }: TurnWorld): Promise<Answer> {
  const record = openRecord(store, session, id, { env, now })
  const run = record.read()
  if (run === undefined || run.isOver || run.work?.paused || run.work?.end !== undefined) return { do: 'allow' }
  if (!isMadeHere(store, run.started, env)) return { do: 'allow', warning: `loop: ${notMadeHere(store, id)}` }
  const text = 'its session was silent for too long'
  await record.tell({ event: 'warned', text: `${text}; the loop is left alone` })
  await record.tell({ event: 'control', command: 'pause', by: 'loop', text })
  await applyRequests(record, workerOfSession(session))
  const how = `To go on with it: loop resume --run ${id}; to end it: loop cancel --run ${id}`
  return { do: 'allow', warning: `loop: run ${id} is paused: ${text}. ${how}` }
}
