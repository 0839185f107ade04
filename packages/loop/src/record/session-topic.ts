// What is known of a session without folding anything: whether it ever had a loop, and when it was last heard. Every
// hook event looks here first, and in a session without a loop nowhere else.

import { statAt } from '@switchyard/ground/at-path'
import { isFailure, systemCode } from '@switchyard/ground/failure'
import { existsSync, readFileSync, utimesSync } from '@switchyard/ground/machine'
import { type Store, topicPath } from '@switchyard/topic'
import type { Session } from '../state/event-schema.ts'

/** So long a session may be silent before its loop is left alone, where its binding does not say it. */
const staleAfterDefaultMs = 2 * 3_600_000

/**
 * The topic of a session's loops. A session's id may be any text: what would make folders of it becomes part of one
 * name. Undefined for an id that names nobody.
 */
export function sessionTopic({ host, id }: Session): string | undefined {
  if (id.trim() === '') return undefined
  const word = id.replaceAll('%', '%25').replaceAll(':', '%3A')
  return `loop:session:${host}:${/^\.{1,2}$/.test(word) ? word.replaceAll('.', '%2E') : word}`
}

/** Whether the session has, or had, a loop. Looks at one name on disk; never fails. */
export function hasBinding(store: Store, session: Session): boolean {
  const path = pathOf(store, session)
  return path !== undefined && existsSync(path)
}

/** When the session was last heard, in milliseconds since 1970; undefined when it never had a loop. */
function lastHeard(store: Store, session: Session): number | undefined {
  const path = pathOf(store, session)
  return path === undefined ? undefined : changedAt(path)
}

/**
 * Notes that the session was heard. One that was silent for too long stays so, until somebody resumes its loop:
 * whoever comes back the next day does not want to find it at work.
 */
export function hear(store: Store, session: Session, now: number): 'unknown' | 'heard' | 'stale' {
  const path = pathOf(store, session)
  const heard = path === undefined ? undefined : changedAt(path)
  if (path === undefined || heard === undefined) return 'unknown'
  if (now - heard > staleAfter(path)) return 'stale'
  try {
    utimesSync(path, now / 1000, now / 1000)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
  return 'heard'
}

/** Notes that the session will be silent until then, which is no reason to leave its loop alone. */
export function excuse(store: Store, session: Session, until: number): void {
  const path = pathOf(store, session)
  if (path !== undefined && hasBinding(store, session)) utimesSync(path, until / 1000, until / 1000)
}

/** Whether the session was silent for longer than its loop waits. */
export function isSilent(store: Store, session: Session, now: number): boolean {
  const path = pathOf(store, session)
  const heard = lastHeard(store, session)
  return path === undefined || heard === undefined || now - heard > staleAfter(path)
}

/** What the newest binding says of it. */
function staleAfter(path: string): number {
  const said = readFileSync(path, 'utf8')
    .match(/"stale_after":\d+/g)
    ?.at(-1)
  return said === undefined ? staleAfterDefaultMs : Number(said.slice(said.indexOf(':') + 1))
}

const changedAt = (path: string) => statAt(path)?.mtimeMs

function pathOf(store: Store, session: Session): string | undefined {
  const topic = sessionTopic(session)
  try {
    return topic === undefined ? undefined : topicPath(store, topic)
  } catch (error) {
    // An id too long for a file name was never bound.
    if (isFailure(error)) return undefined
    throw error
  }
}

const claimWord = /(?:^|\n)[ \t]*loop-claim-([0-9a-hjkmnp-tv-z]{26})\s*$/
const anyClaim = /\bloop-claim-([0-9a-hjkmnp-tv-z]{26})\b/g

/** What an agent says to take on a run that was started outside its session. */
export const claimOf = (run: string) => `loop-claim-${run}`

/**
 * The run whose claim a text says: its last line and nothing else, since an answer may quote any word that it was given
 * to read. Looks at nothing but the text.
 */
export function claimIn(text: string | undefined): string | undefined {
  return claimWord.exec(text ?? '')?.[1]
}

/** All claims that a text has, wherever they stand. */
export function claimsIn(text: string): string[] {
  return Array.from(text.matchAll(anyClaim), ([, run = '']) => run)
}
