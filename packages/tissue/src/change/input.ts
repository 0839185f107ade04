// What `new` and `edit` are asked for, out of the flags of a command line or the fields of a document: one reading.
import { Failure } from '@switchyard/ground/failure'
import type { EditFields } from '../schema/act-schema.ts'
import type { NewFields } from '../schema/plan-schema.ts'
import type { Edit } from './edit.ts'
import { checkKey, checkNames, parseFields } from './field-texts.ts'
import type { NewIssue } from './new-issue.ts'
import type { LinkWords } from './new-links.ts'

/** What a flag that may be given more than once is in a document, and on a command line. */
type Names = string | readonly string[] | undefined
type ListName = 'tag' | 'ref' | 'blocked_by' | 'blocks' | 'add_tag' | 'rm_tag' | 'add_ref' | 'rm_ref'
type Input<T> = { readonly [K in keyof T]: K extends ListName ? Names : T[K] }

/** The issue that these fields ask for, and the links by the names they were given; exits 2 on what is no value. */
export function parseNew(
  fields: Input<NewFields>,
  now: number,
  me: () => string,
): { issue: NewIssue; words: LinkWords } {
  const { title, body = '', meta = {}, parent, key } = fields
  const tags = listOf(fields.tag)
  const refs = listOf(fields.ref)
  checkNames(tags, 'tag')
  checkNames(refs, 'reference')
  checkKey(key)
  const issue = { title, ...parseFields(fields, now, me), body, tags, refs, meta, key }
  const words = {
    blockedBy: listOf(fields.blocked_by),
    blocks: listOf(fields.blocks),
    parent,
    discoveredFrom: fields.discovered_from,
  }
  return { issue, words }
}

/** The edit that these fields ask for, but for the parent; exits 2 on what is no value. */
export function parseEdit(fields: Input<EditFields>, now: number, me: () => string): Edit {
  const { body, append, meta = {}, if_rev } = fields
  const tags = { addTags: listOf(fields.add_tag), rmTags: listOf(fields.rm_tag) }
  const refs = { addRefs: listOf(fields.add_ref), rmRefs: listOf(fields.rm_ref) }
  checkNames([...tags.addTags, ...tags.rmTags], 'tag')
  checkNames([...refs.addRefs, ...refs.rmRefs], 'reference')
  if (body !== undefined && append !== undefined)
    throw new Failure('usage', 'expected a body or something to append, got both')
  return { ...parseFields(fields, now, me), ...tags, ...refs, meta, body, append, ifRev: if_rev }
}

/** One text or several, as a list. */
export function listOf(texts: Names): readonly string[] {
  if (texts === undefined) return []
  return typeof texts === 'string' ? [texts] : texts
}
