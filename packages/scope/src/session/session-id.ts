// Names of sessions: `0`, its child `0.1`, and what a loop starts: `0-1-do`, `0-1-check`. A name is a folder's name too.

const idPattern = /^\d{1,9}(?:\.\d{1,9}|-\d{1,9}-(?:do|check))*$/
const idLengthMax = 160
const aliasPattern = /^[a-z][a-z0-9_-]{0,63}$/i

/** Whether a text can be the id of a session. */
export const isSessionId = (text: string) => text.length <= idLengthMax && idPattern.test(text)

/** Whether a text can be the name that a person gives to a session. No id is one. */
export const isAlias = (text: string) => aliasPattern.test(text)

/** The id of the session that started this one; undefined at the root. */
export function parentOf(id: string): string | undefined {
  const parent = id.replace(/(?:\.\d+|-\d+-(?:do|check))$/, '')
  return parent === id ? undefined : parent
}

/** How many sessions stand above this one. */
export const depthOf = (id: string): number => {
  const parent = parentOf(id)
  return parent === undefined ? 0 : 1 + depthOf(parent)
}

/** The session at the root of this one's tree: itself, when nobody started it. */
export const rootOf = (id: string): string => {
  const parent = parentOf(id)
  return parent === undefined ? id : rootOf(parent)
}

/** The order of a tree read from the top: numbers by their size, a session before what it started. */
export function compareIds(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [a, b] = [left[at] ?? -1, right[at] ?? -1]
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}

/** Each step down as one number: a loop's turns come before children, of a turn the work before its check. */
const partsOf = (id: string): number[] =>
  [...id.matchAll(/(?:^|\.)(\d+)|-(\d+)-(do|check)/g)].map(([, child, turn, role]) =>
    turn === undefined ? 1e12 + Number(child) : 2 * Number(turn) + (role === 'do' ? 0 : 1),
  )
