// Links as the verbs print them.

import type { Output, Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { renderLink } from '../graph/link-text.ts'
import type { Dep } from '../schema/event-schema.ts'
import type { Link } from '../schema/graph-schemas.ts'
import { printAsked } from './issue-line.ts'

type Manner = {
  readonly nameOf: (id: string) => string
  /** The issue from whose side the sentences are; else each is from its own. */
  readonly side?: string | undefined
  readonly prefix?: string
}

/** A link as a record. */
export function linkRecord({ kind, from, to }: Dep): Link {
  return { v: 1, kind, from, to }
}

/** How a link is shown: as a sentence; its id is that of the other issue. */
export function shownLink({ nameOf, side, prefix = '' }: Manner): { id(link: Link): string } & Shown<Link> {
  return {
    text: (link) => inRow(prefix + renderLink(link, side, nameOf)),
    id: ({ from, to }) => (side === to ? from : to),
  }
}

/** Prints the links that a verb changed: a list, when it was asked for several. */
export function printLinks(output: Output, deps: readonly Dep[], manner: Manner & { readonly isList: boolean }): void {
  printAsked(output, deps.map(linkRecord), { shown: shownLink(manner), isList: manner.isList })
}
