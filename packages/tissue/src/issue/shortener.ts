// The short form of an id among all there are, also of those that a ledger has only by name.

import type { Elsewhere } from '../cache-file/elsewhere.ts'
import type { Ledger } from '../log/fold.ts'
import { lengthBeside, segmentOf, shortForm, shortIds } from '../text/issue-id.ts'

/**
 * A function from ids to their short forms; one that names no issue stays as it is. `idsOf` gives the issues of the
 * ledger, and is called when the first short form is asked for.
 */
export function shortener(ledger: Ledger, idsOf: () => readonly string[]): (id: string) => string {
  const { elsewhere } = ledger
  if (elsewhere) return shortenerAmong(elsewhere, idsOf)
  let shorts: ReadonlyMap<string, string> | undefined
  return (id) => {
    shorts ??= shortIds(idsOf())
    return shorts.get(id) ?? id
  }
}

function shortenerAmong(elsewhere: Elsewhere, idsOf: () => readonly string[]): (id: string) => string {
  let news: ReadonlySet<string> | undefined
  return (id) => {
    news ??= new Set(idsOf().filter((one) => elsewhere.shownLength(one) === undefined))
    const among = elsewhere.shownLength(id) ?? lengthAmong(id, elsewhere, news)
    if (among === undefined) return id
    const beside = [...news].filter((one) => one !== id).map((one) => lengthBeside(id, one))
    return shortForm(id, Math.max(among, ...beside))
  }
}

/** How much of the last part names none of the others; undefined for an id that names no issue. */
function lengthAmong(id: string, { idsWith }: Elsewhere, news: ReadonlySet<string>): number | undefined {
  const segment = segmentOf(id)
  if (!news.has(id) && !idsWith(segment).includes(id)) return undefined
  const isShared = (length: number) => idsWith(segment.slice(0, length)).some((other) => other !== id)
  let length = lengthBeside(id, '')
  while (length <= segment.length && isShared(length)) length += 1
  return length
}
