import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { findSessionRun } from '../record/binding.ts'
import { sessionOf } from '../record/env-session.ts'
import type { Anchor } from './anchor-schema.ts'
import { readAnchor } from './keep-anchor.ts'

/** The last anchor of a run; else of the session this runs in, else the newest. Failure `notFound` when none is kept. */
export function findAnchor(
  store: Store,
  wanted: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Anchor {
  const session = sessionOf(env)
  const run = wanted?.toLowerCase() ?? (session && findSessionRun(store, session))
  const anchor = readAnchor(store, run)
  if (anchor !== undefined) return anchor
  throw new Failure('notFound', `expected an anchor${run === undefined ? '' : ` of run ${run}`}, there is none`, {
    hint: 'one is kept before a conversation is compacted',
  })
}
