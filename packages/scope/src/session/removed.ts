// The sessions that `scope gc` has removed: a line each, so that whoever asks for one is told.
import { readStored } from '@switchyard/ground/disk'
import { join } from '@switchyard/ground/machine'
import { appendLine, parseRecord } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'

const removedFile = (store: Store) => join(store.path, 'removed.jsonl')

type Removed = { readonly id: string; readonly alias: string; readonly at: number }

/** Says so, before anything is removed. */
export function noteRemoved(store: Store, { id, alias, at }: Removed): void {
  appendLine(removedFile(store), JSON.stringify({ v: 1, id, alias, at }))
}

/** The ids of all that were removed. */
export function removedIds(store: Store): Set<string> {
  const lines = (readStored(removedFile(store)) ?? '').split('\n')
  return new Set(lines.map((text) => parseRecord({ text })?.['id']).filter((id) => typeof id === 'string'))
}

/** Whether a session of this id or name was removed. No text of a line but these two stands between quotes. */
export const isRemoved = (store: Store, name: string): boolean =>
  readStored(removedFile(store))?.includes(`:"${name}",`) === true
