// Finding issues by their words.

import { snippet } from '@switchyard/cli-kit/snippet'
import { findPlaces, matches } from '@switchyard/cli-kit/text-match'
import { foldText, type TextQuery } from '@switchyard/cli-kit/text-query'
import type { Issue } from '../schema/schemas.ts'
import type { Hit } from '../schema/view-schemas.ts'

type Text = { readonly place: Hit['place']; readonly weight: number; readonly text: string }

/** Where a snippet is taken from, if the words stand there: a title is shown anyway. */
const snippetPlaces: readonly Hit['place'][] = ['body', 'comment', 'title']

/**
 * The issue as a hit of a query; undefined when it does not fit. Words may stand in any of its texts. A text counts by
 * its weight, and a little more for each further place. `mark` is what a found word looks like.
 */
export function findInIssue(
  query: TextQuery,
  issue: Issue,
  comments: readonly { readonly body: string }[],
  mark: (found: string) => string,
): Hit | undefined {
  const texts: Text[] = [
    { place: 'title', weight: 1, text: issue.title },
    { place: 'body', weight: 0.5, text: issue.body },
    ...comments.map(({ body }): Text => ({ place: 'comment', weight: 0.25, text: body })),
  ]
  // No word has a NUL in it, because no argument can: a phrase does not reach from one text into the next.
  if (!matches(query, foldText(texts.map(({ text }) => text).join('\0')))) return undefined
  const found = texts.map((text) => ({ ...text, places: findPlaces(query, foldText(text.text)).length }))
  const score = found.reduce((sum, { weight, places }) => sum + (places > 0 ? weight * (1 + Math.log(places)) : 0), 0)
  const hits = found.filter(({ places }) => places > 0)
  const best = snippetPlaces.flatMap((place) => hits.find((one) => one.place === place) ?? [])[0] ?? found[0]
  const { id, short, title, status, priority } = issue
  return {
    v: 1,
    id,
    short,
    title,
    status,
    priority,
    score: Math.round(score * 1000) / 1000,
    place: best?.place ?? 'title',
    snippet: snippet(best?.text ?? title, query, mark),
  }
}
