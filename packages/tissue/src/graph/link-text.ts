// Links as sentences.
import type { Dep, DepKind } from '../schema/event-schema.ts'

/** What stands between the two ends of a link, read from its own side and from the other. */
export const linkWords = {
  blocks: ['blocks', 'is blocked by'],
  relates: ['relates to', 'relates to'],
  parent: ['is the parent of', 'is a child of'],
  'discovered-from': ['was discovered from', 'led to'],
  duplicates: ['duplicates', 'is duplicated by'],
  supersedes: ['supersedes', 'is superseded by'],
  'caused-by': ['is caused by', 'is the cause of'],
} as const satisfies Record<DepKind, readonly [string, string]>

/** A link as a sentence, with the issue `side` as its subject: by default the one that the link is from. */
export function renderLink({ kind, from, to }: Dep, side = from, nameOf = (id: string) => id): string {
  const [forward, backward] = linkWords[kind]
  if (side === from) return `${nameOf(from)} ${forward} ${nameOf(to)}`
  return `${nameOf(to)} ${backward} ${nameOf(from)}`
}
