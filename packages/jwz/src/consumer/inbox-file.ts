// What each agent has read of what is addressed to it: one file an agent, replaced whole.

import { fileIn, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { parseRecord } from '@switchyard/jsonl'
import { fileWord, requireName, type Store } from '@switchyard/topic'
import { isInboxFile } from './place.check.ts'
import type { InboxPlace } from './schemas.ts'

/** Where an agent's inbox is kept. Fails as bad input on a name that is none. */
export function inboxPath(store: Store, agent: string): string {
  return fileIn(store, `inboxes/${fileWord(requireName(agent))}.json`)
}

/** What an agent has read, topic by topic; nothing when it never said so. Failure `corrupt` on a damaged file. */
export function readInboxFile(path: string): ReadonlyMap<string, InboxPlace> {
  const text = readStored(path)
  if (text === undefined) return new Map()
  const record = parseRecord({ text })
  if (record && isInboxFile(record)) return new Map(Object.entries(record.topics))
  throw new Failure('corrupt', `${path} was to be what an agent has read, it has other content`, {
    hint: 'remove the file; everything is then unread again',
  })
}
