// Changing what an issue says.
import { Failure } from '@switchyard/ground/failure'
import { groupDeps, readState } from '../issue/issue.ts'
import { type Draft, draftsOf } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import type { IssueState } from '../log/issue-state.ts'
import { isSettled } from '../log/settled.ts'
import { decideLinks, decideUnlinks } from '../ready/deps.ts'
import { type Field, fieldNames } from '../schema/fields.ts'
import type { FieldValues } from './field-texts.ts'

/** What is to be different; what is not given stays as it is, null takes it away. */
export type Edit = FieldValues & {
  readonly body?: string | undefined
  /** Goes behind the body that is there, on a line of its own. */
  readonly append?: string | undefined
  readonly meta?: Readonly<Record<string, string | null>>
  readonly addTags?: readonly string[]
  readonly rmTags?: readonly string[]
  readonly addRefs?: readonly string[]
  readonly rmRefs?: readonly string[]
  /** Id of the only parent it is to have. */
  readonly parent?: string | null | undefined
  /** The newest event that the writer has seen. */
  readonly ifRev?: string | undefined
}

/**
 * The events that bring an issue to the wanted values: one for the fields that differ, one for each tag that does.
 * Exits 5, naming what the issue is at, when it changed since `ifRev`.
 */
export function decideEdit(ledger: Ledger, id: string, edit: Edit): Draft[] {
  const now = readState(ledger, id)
  if (!now) throw new Error(`bug: ${id} was found but never created`)
  const { state } = now
  checkRev(state, edit.ifRev)
  const body = edit.append === undefined ? edit.body : behind(now.body.value, edit.append)
  const changes = { ...changedFields(state, { ...edit, body }), ...changedEntries(state, edit) }
  const drafts: Draft[] = Object.keys(changes).length > 0 ? [{ type: 'edited', issue: id, ...changes }] : []
  const { added, removed } = changedMembers(state.tags, edit.addTags, edit.rmTags)
  for (const tag of added) drafts.push({ type: 'tagged', issue: id, tag })
  for (const tag of removed) drafts.push({ type: 'untagged', issue: id, tag })
  if (edit.parent !== undefined) drafts.push(...decideParent(ledger, id, edit.parent))
  return drafts
}

type Wanted = FieldValues & { readonly body?: string | undefined }

function changedFields({ fields }: IssueState, wanted: Wanted): Wanted {
  const differs = (name: Field) => {
    const initial = name === 'issue_type' ? 'task' : null
    if (wanted[name] === undefined) return false
    // One of two values that nobody has decided between is news, also when it is the one that shows.
    return wanted[name] !== (fields[name]?.value ?? initial) || !isSettled<unknown>(fields[name])
  }
  return Object.fromEntries(fieldNames.filter(differs).map((name) => [name, wanted[name]]))
}

function changedEntries({ meta, refs }: IssueState, { meta: wanted = {}, addRefs, rmRefs }: Edit) {
  const entries = Object.entries(wanted).filter(
    ([name, value]) => value !== (meta.get(name)?.value ?? null) || !isSettled(meta.get(name)),
  )
  const { added, removed } = changedMembers(refs, addRefs, rmRefs)
  return {
    ...(entries.length > 0 ? { meta: Object.fromEntries(entries) } : {}),
    ...(added.length > 0 ? { add_refs: added } : {}),
    ...(removed.length > 0 ? { rm_refs: removed } : {}),
  }
}

function changedMembers(set: IssueState['tags'], add: readonly string[] = [], remove: readonly string[] = []) {
  const has = (member: string) => set.get(member)?.value === true
  return {
    added: [...new Set(add)].filter((member) => !has(member) && !remove.includes(member)),
    removed: [...new Set(remove)].filter(has),
  }
}

function decideParent(ledger: Ledger, id: string, parent: string | null): Draft[] {
  if (parent !== null) return draftsOf(decideLinks(ledger, [{ kind: 'parent', from: parent, to: id }], { force: true }))
  const parents = (groupDeps(ledger).get(id) ?? []).filter(({ kind, to }) => kind === 'parent' && to === id)
  return draftsOf(decideUnlinks(ledger, parents))
}

function behind(body: string, text: string): string {
  return body === '' || body.endsWith('\n') ? body + text : `${body}\n${text}`
}

function checkRev({ id, rev }: IssueState, seen: string | undefined): void {
  if (seen === undefined || seen === rev?.id) return
  throw new Failure('conflict', `expected ${id} to be at ${seen}, it is at ${rev?.id}`, {
    hint: 'look again with tissue show and decide anew',
    retryable: false,
  })
}
