// The links that a new issue is made with.
import type { NewLink } from './new-issue.ts'

/** Other issues by the names that were given for them. */
export type LinkWords = {
  readonly blockedBy: readonly string[]
  readonly blocks: readonly string[]
  readonly parent?: string | undefined
  readonly discoveredFrom?: string | undefined
}

/** The links that these words ask for; `find` leads from a name to an id, or fails. */
export function linksFrom(words: LinkWords, find: (name: string) => string): NewLink[] {
  const { blockedBy, blocks, parent, discoveredFrom } = words
  return [
    ...blockedBy.map((name) => ({ kind: 'blocks' as const, from: find(name) })),
    ...blocks.map((name) => ({ kind: 'blocks' as const, to: find(name) })),
    ...(parent === undefined ? [] : [{ kind: 'parent' as const, from: find(parent) }]),
    ...(discoveredFrom === undefined ? [] : [{ kind: 'discovered-from' as const, to: find(discoveredFrom) }]),
  ]
}
