// A deliberate stop, from the session that asks for it up to the loop, or to the workflow, that it is a part of.
import { Failure } from '@switchyard/ground/failure'
import { readSession } from '../session/read-session.ts'
import { recordAll, type Scribe } from '../session/record.ts'
import { parentOf } from '../session/session-id.ts'
import { isOver } from '../session/transitions.ts'

type Wish = { readonly reason: string; readonly reach: 'session' | 'loop' | 'workflow' }

/**
 * Ends them, the one that asks first; returns which those are. Exits 5 when it is over. None of them can come to
 * another end by what it hears of those below it.
 */
export async function exitFrom(scribe: Scribe, id: string, { reason, reach }: Wish): Promise<string[]> {
  const sessions = await recordAll(scribe, [id, ...above(scribe, id, reach)], (session) => {
    if (session?.id !== id) return [{ event: 'exited', by: 'exit', reason, reach, from: id }]
    if (isOver(session.state)) throw new Failure('conflict', `session ${id} is ${session.state} already`)
    return [{ event: 'exited', by: 'exit', reason, reach }]
  })
  return sessions.filter(({ state }) => state === 'exited').map((session) => session.id)
}

/**
 * The sessions above one that end with it, the nearest first: up to the loop around it; to end a workflow, up to its
 * phase, or to the outermost loop. None where no loop is.
 */
function above({ store }: Scribe, id: string, reach: Wish['reach']): string[] {
  if (reach === 'session') return []
  const path: string[] = []
  let length = 0
  for (let one: string | undefined = id; one !== undefined; one = parentOf(one)) {
    const created = readSession(store, one)?.created
    if (one !== id) path.push(one)
    const isLoop = created?.role === 'loop'
    const isPhase = created?.workflow !== undefined
    if (isLoop || isPhase) length = path.length
    if (isPhase || (isLoop && reach === 'loop')) break
  }
  return path.slice(0, length)
}
