// What rests, for people.
import type { Shown } from '@switchyard/cli-kit'
import { renderSpan } from '@switchyard/cli-kit/age'
import type { Issue } from '../schema/schemas.ts'
import { renderRow } from './issue-line.ts'

/** How a list shows what rests: with how long nobody has touched it. `now` is milliseconds since 1970. */
export function shownStale(now: number): Shown<Issue> {
  const restText = ({ updated_at }: Issue) => renderSpan(Math.max(0, Math.floor((now - updated_at) / 1000)))
  return { text: (issue) => `${renderRow(issue, now)}  untouched for ${restText(issue)}`, id: ({ id }) => id }
}
