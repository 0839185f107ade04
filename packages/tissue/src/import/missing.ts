// What a scan no longer finds is done: `import --close-missing` closes it, and its coming back opens it again.

import { createdIds, findKeyed, isOver, readState } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'

/** Keys of issues that were made of findings begin so. */
export const findingKeyPrefix = 'deepscan:'
/** Why an issue was closed; only one that was closed for this reason is opened again by a scan. */
const missingReason = 'no longer found (import --close-missing)'
const returnedReason = 'found again'

/** The issues of findings that a scan no longer has: those to close, and those that are left to who holds them. */
export type Missing = { readonly drafts: readonly Draft[]; readonly held: readonly string[] }

/**
 * The issues of earlier findings, not over, whose key is not among `keys`. `within` are files and folders as findings
 * name them; none means everywhere. `now` is milliseconds since 1970.
 */
export function decideMissing(
  ledger: Ledger,
  keys: ReadonlySet<string>,
  within: readonly string[],
  now: number,
): Missing {
  const drafts: Draft[] = []
  const held: string[] = []
  for (const id of createdIds(ledger)) {
    const read = readState(ledger, id)
    const { key, finding } = read?.created ?? {}
    if (!read || !key?.startsWith(findingKeyPrefix) || keys.has(key) || isOver(read.status.status)) continue
    if (!isWithin(String(finding?.['path'] ?? ''), within)) continue
    if (read.state.claim && read.state.claim.until > now) held.push(id)
    else drafts.push({ type: 'closed', issue: id, reason: missingReason })
  }
  return { drafts, held }
}

/** What opens the issues of these keys that were closed because a scan had not found them. */
export function decideReturned(ledger: Ledger, keys: Iterable<string>): Draft[] {
  const ids = new Set<string>()
  for (const key of keys) {
    const id = findKeyed(ledger, key)
    const status = id === undefined ? undefined : readState(ledger, id)?.status
    if (id !== undefined && status?.status === 'closed' && status.reason === missingReason) ids.add(id)
  }
  return [...ids].map((issue) => ({ type: 'status', issue, status: 'open', reason: returnedReason }))
}

function isWithin(path: string, within: readonly string[]): boolean {
  return within.length === 0 || within.map(plainPath).some((place) => isUnder(path, place))
}

function isUnder(path: string, place: string): boolean {
  return place === '.' || path === place || path.startsWith(`${place}/`)
}

function plainPath(path: string): string {
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')
  return plain === '' ? '.' : plain
}
