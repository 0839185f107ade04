// Telling that an issue is there already under nearly the same words. No model: words that titles share, and a little
// of what bodies share.
import { Failure } from '@switchyard/ground/failure'
import type { Ledger } from '../log/fold.ts'
import { isOver, readState, viewsOf } from './issue.ts'

/** An issue that says nearly the same; `score` is from 0 to 1, where 1 is the same words. */
export type Similar = { readonly id: string; readonly title: string; readonly score: number }

type Text = { readonly title: string; readonly body: string }

/** Share of the words of two titles from which on they are taken for the same work. */
const scoreMin = 0.75
/** What bodies can add to that. */
const bodyShare = 0.15
const shownMax = 5
const fillers = new Set('a an and as at be by for from in into is it its of on or so that the this to with'.split(' '))

/** Open issues whose words are nearly those of `text`, the nearest first. */
export function findSimilar(ledger: Ledger, text: Text): Similar[] {
  const wanted = { title: wordsOf(text.title), body: wordsOf(text.body) }
  const found: Similar[] = []
  for (const id of viewsOf(ledger).ids) {
    const known = readState(ledger, id)
    if (!known || isOver(known.status.status)) continue
    const byTitle = likeness(wanted.title, wordsOf(known.title))
    if (byTitle + bodyShare < scoreMin) continue
    const score = Math.min(1, byTitle + bodyShare * likeness(wanted.body, wordsOf(known.body.value)))
    if (score >= scoreMin) found.push({ id, title: known.title, score })
  }
  return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

/** Refuses to make an issue that says nearly the same as open ones (exit 5, naming them). */
export function refuseSimilar(ledger: Ledger, text: Text): void {
  const found = findSimilar(ledger, text)
  const [first] = found
  if (!first) return
  const shown = found.slice(0, shownMax).map(({ id, title }) => `${id} ${JSON.stringify(title)}`)
  const more = found.length > shownMax ? ` and ${found.length - shownMax} more` : ''
  const message = `expected ${JSON.stringify(text.title)} to be new, there is ${shown.join(', ')}${more}`
  const hint = `add to it with tissue comment ${first.id}, or leave --check-similar out`
  throw new Failure('conflict', message, { hint, retryable: false })
}

/** Words in lower case without fillers; the last letter of a plural does not count. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const plain = words.filter((word) => !fillers.has(word)).map((word) => word.replace(/(?<=..[^s])s$/, ''))
  return new Set(plain.length > 0 ? plain : words)
}

/** Twice what two sets share over what they have together. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return (2 * shared) / (a.size + b.size)
}
