// What a session has spent together with all that it started: a budget is theirs together.
import type { Store } from '@switchyard/topic'
import { type Spending, sumOf } from '../budget.ts'
import type { Session } from './fold-session.ts'
import { readSession } from './read-session.ts'

type Spender = Pick<Session, 'children' | 'usage' | 'costUsd'>

/** The turns that have ended, as far as their logs tell; without `except`, one of its children, where that is given. */
export function spentBy(store: Store, { children, usage, costUsd }: Spender, except?: string): Spending {
  const below = children.flatMap((id) => {
    const child = id === except ? undefined : readSession(store, id)
    return child === undefined ? [] : [spentBy(store, child)]
  })
  return sumOf([{ usage, costUsd }, ...below])
}
