// Changing what an issue says.
import type { Draft } from './draft.ts'
import type { Ledger } from './fold.ts'
import { readState } from './issue.ts'
import { isSettled } from './settled.ts'

/** The new values; undefined leaves a field as it is. */
export type Edit = {
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly priority?: number | undefined
  readonly addTags: readonly string[]
  readonly removeTags: readonly string[]
}

/** The events that bring an issue to the wanted values: one for the fields that differ, one for each tag that does. */
export function decideEdit(ledger: Ledger, id: string, { title, body, priority, addTags, removeTags }: Edit): Draft[] {
  const now = readState(ledger, id)
  if (!now) throw new Error(`bug: ${id} was found but never created`)
  // One of two values that nobody has decided between is news, also when it is the one that shows.
  const isNew = (name: 'title' | 'body' | 'priority', value: unknown) =>
    value !== undefined && (value !== now[name] || !isSettled<unknown>(now.state.fields[name]))
  const fields = {
    ...(isNew('title', title) ? { title } : {}),
    ...(isNew('body', body) ? { body } : {}),
    ...(isNew('priority', priority) ? { priority } : {}),
  }
  const hasTag = (tag: string) => now.state.tags.get(tag)?.value === true
  const added = [...new Set(addTags)].filter((tag) => !hasTag(tag) && !removeTags.includes(tag))
  const removed = [...new Set(removeTags)].filter(hasTag)
  const drafts: Draft[] = Object.keys(fields).length > 0 ? [{ type: 'edited', issue: id, ...fields }] : []
  for (const tag of added) drafts.push({ type: 'tagged', issue: id, tag })
  for (const tag of removed) drafts.push({ type: 'untagged', issue: id, tag })
  return drafts
}
