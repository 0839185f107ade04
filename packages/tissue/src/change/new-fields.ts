// A new issue out of a document, by the rules of the flags of `new`.

import type { NewFields } from '../schema/plan-schema.ts'
import { checkNames, parseFields } from './field-texts.ts'
import type { NewIssue } from './new-issue.ts'
import type { LinkWords } from './new-links.ts'

/** The issue that these fields ask for, and the links by the names they were given; exits 2 on what is no value. */
export function parseNewFields(
  fields: NewFields,
  now: number,
  me: () => string,
): { issue: NewIssue; words: LinkWords } {
  const { title, body = '', meta = {}, parent, key } = fields
  const tags = listOf(fields.tag)
  const refs = listOf(fields.ref)
  checkNames(tags, 'tag')
  checkNames(refs, 'reference')
  const issue = {
    title,
    ...parseFields(fields, now, me),
    body,
    tags,
    refs,
    meta,
    ...(key === undefined ? {} : { key }),
  }
  const words = {
    blockedBy: listOf(fields.blocked_by),
    blocks: listOf(fields.blocks),
    parent,
    discoveredFrom: fields.discovered_from,
  }
  return { issue, words }
}

/** One text or several, as a list. */
export function listOf(texts: string | readonly string[] | undefined): readonly string[] {
  if (texts === undefined) return []
  return typeof texts === 'string' ? [texts] : texts
}
