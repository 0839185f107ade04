// The files of a session that say how it stands, for whoever looks with cat: they follow from its log.
import { readStored } from '@switchyard/ground/disk'
import { join } from '@switchyard/ground/machine'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import type { Session } from './fold-session.ts'
import { sessionFolder } from './scope-store.ts'

/** What each of these files has to hold; `state` is the last, so that whoever sees an end there finds the rest. */
function filesOf({ state, turn, needs, reason }: Session): readonly (readonly [name: string, text: string])[] {
  return [
    ['turn', needs ? `${turn}: ${needs}` : (turn ?? '')],
    ['exit_reason', reason ?? ''],
    ['state', state],
  ]
}

/** Whether the files say something else than the log: whoever wrote it was killed before them. */
export function isBehind(store: Store, session: Session): boolean {
  return readStored(join(sessionFolder(store, session.id), 'state'))?.trim() !== session.state
}

/** Writes those that say something else. Inside the session's section. */
export function project(store: Store, session: Session): void {
  const folder = sessionFolder(store, session.id)
  for (const [name, text] of filesOf(session)) {
    const path = join(folder, name)
    const wanted = text === '' ? '' : `${text}\n`
    if (readStored(path) !== wanted) writeWhole(path, `${path}.draft`, wanted)
  }
}
