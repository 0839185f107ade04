// Whether changes are told on a bus.

import { join } from 'node:path'
import { counted } from '@switchyard/cli-kit/counted'
import { statAt } from '@switchyard/ground/at-path'
import { entriesIn } from '@switchyard/ground/disk'
import { isUlid } from '@switchyard/ground/ulid'
import { busExists, type Store } from '@switchyard/topic'
import { type Finding, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import type { IssueStore } from '../store/store.ts'

/** A change is told within moments; a note of this age was left by a writer that was killed. */
const noteAgeMs = 60_000

/** Looks at the bus that goes with the store, and for what it was not told; undefined is one that cannot be found. */
export function examineBus(bus: Store | undefined, { path }: IssueStore, { now }: Visit): Finding[] {
  if (bus === undefined) return [warn('bus', 'no place for a bus can be found', 'jwz where says why')]
  if (!busExists(bus)) return [ok('bus', 'there is none, so changes are told nobody; jwz init makes one')]
  const outbox = join(path, 'outbox')
  const waiting = entriesIn(outbox).filter(({ name }) => {
    return isUlid(name) && (statAt(join(outbox, name))?.mtimeMs ?? now) < now - noteAgeMs
  })
  if (waiting.length === 0) return [ok('bus', `changes are told on tissue:feed of ${bus.path}`)]
  const detail = `${counted(waiting.length, 'write')} of killed processes not told on ${bus.path} yet`
  return [warn('bus', detail, 'the next change tells them, too')]
}
