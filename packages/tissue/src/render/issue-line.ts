// Issues as lines for people.

import type { Output, Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import type { Issue } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'
import { marksOf, oneLine } from './marks.ts'

/** How a verb that changes an issue shows it: its id, whole, so that a script can keep it. */
export const shownId: Shown<Issue> = { text: ({ id }) => id, id: ({ id }) => id }

/** How a claim that was kept is shown: by its new end. */
export const shownUntil: Shown<Issue> = {
  text: ({ id, claim }) => `${id}  until ${timeText(claim?.until ?? 0)}`,
  id: ({ id }) => id,
}

/** Prints what a verb was asked for: one record, or a list where it was asked for several. */
export function printAsked<T>(
  output: Output,
  records: readonly T[],
  { shown, isList }: { readonly shown: Shown<T>; readonly isList: boolean },
): void {
  const [only] = records
  if (isList || only === undefined) output.list(records, shown)
  else output.one(only, shown)
}

/** How a list shows issues: one line each, in columns at a terminal. `now` is milliseconds since 1970. */
export async function shownRows(
  output: Pick<Output, 'isTerminal' | 'columns'>,
  issues: readonly Issue[],
  now: number,
): Promise<Shown<Issue>> {
  const id = (issue: Issue) => issue.id
  if (!output.isTerminal) return { text: (issue) => renderRow(issue, now), id }
  const { columnsOf } = await import('./columns.ts')
  return { text: columnsOf(issues, now, output.columns), id }
}

/** `auth-k3vd  P2  open  Fix login  [sso]  @ada`; a type that is not `task` stands before the status. */
export function renderRow(issue: Issue, now: number): string {
  const { short, priority, issue_type, status, title } = issue
  const type = issue_type === 'task' ? [] : [issue_type]
  return inRow([short, `P${priority}`, ...type, status, oneLine(title), ...marksOf(issue, now)].join('  '))
}
