import { inRow } from '@switchyard/cli-kit/in-row'
import { readLinked, shortNames } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { Glimpse } from '../schema/view-schemas.ts'
import { oneLine } from './marks.ts'

/** How records name other issues: id, title, status and who holds it at `now` (milliseconds since 1970). */
export function glimpsesOf(ledger: Ledger, now: number): (id: string) => Glimpse {
  const shortOf = shortNames(ledger)
  return (id) => {
    const linked = readLinked(ledger, id)
    if (!linked) throw new Error(`bug: ${id} is linked but not there`)
    const { title, status, claim } = linked
    const holder = claim && claim.until > now ? claim.by : null
    return { id, short: shortOf(id), title, status, holder }
  }
}

/** `auth-k3vd (Fix login, @ada)`: an issue in the middle of a sentence. */
export function renderGlimpse({ short, title, status, holder }: Glimpse): string {
  const state = holder === null ? (status === 'open' ? '' : `, ${status}`) : `, @${holder}`
  return inRow(`${short} (${oneLine(title)}${state})`)
}

const namedMax = 5

/** Some issues in a sentence; of many the first ones, and how many more there are. */
export function renderGlimpses(glimpses: readonly Glimpse[]): string {
  const more = glimpses.length - namedMax
  const named = glimpses.slice(0, namedMax).map(renderGlimpse).join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}
