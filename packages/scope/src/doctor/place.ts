// Where the sessions lie: whether they can be written there, on what disk, with how much room.
import { statfsSync } from 'node:fs'
import { isMade, type Store } from '@switchyard/topic'
import { type Finding, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import { examineAccess, examineFileSystem, examineOthers } from '@switchyard/topic/examine/place'
import { sessionsFolder } from '../session/scope-store.ts'

const freeBytesMin = 1_000_000_000

/** Looks at the place of the store, and at other stores near by. */
export function examinePlace(store: Store, { cwd }: Visit): Finding[] {
  const others = examineOthers(store.path, {
    ...{ cwd, name: '.scope', inside: 'sessions' },
    advice: (path) => `SCOPE_DIR=${path} scope list shows what is in it`,
  })
  if (!isMade(store, 'sessions')) {
    return [ok('store', `${store.path} is not made yet; the first session makes it`), ...others]
  }
  return [
    examineAccess(sessionsFolder(store), store, 'reading works; to start sessions, give this user the right'),
    examineFileSystem(store.path, 'keep the store on a local disk: SCOPE_DIR says where'),
    examineRoom(store),
    ...others,
  ]
}

function examineRoom({ path }: Store): Finding {
  const { bavail, bsize } = statfsSync(path)
  const free = `${(bavail * bsize) / 1_000_000_000 >= 1 ? Math.floor((bavail * bsize) / 1e9) : 'less than 1'} GB free`
  if (bavail * bsize >= freeBytesMin) return ok('room', free)
  return warn('room', free, 'scope gc removes sessions that are over')
}
