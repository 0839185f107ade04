// Sessions as a table, a tree in its first column.
import { renderAge } from '@switchyard/cli-kit/age'
import type { Table } from '@switchyard/cli-kit/table'
import { depthOf } from '../session/session-id.ts'
import type { SessionView } from '../session/session-schema.ts'
import { loopLine, standingOf } from './session-line.ts'

/** Columns for a terminal; in a pipe id, state, agent, task and activity, with tabs between them. */
export const sessionTable = (now: number): Table<SessionView> => ({
  plain: (view) => [view.id, standingOf(view), view.agent, view.task, doingOf(view)],
  columns: [
    { text: ({ id, alias }) => `${'  '.repeat(depthOf(id))}${id}${alias === null ? '' : ` ${alias}`}` },
    { text: standingOf },
    { text: ({ state_since }) => renderAge(state_since, now) },
    { text: ({ agent }) => agent },
    { text: ({ task }) => task, cellsMax: 50 },
    { text: doingOf, cutTo: 20 },
  ],
})

/** The sessions of several projects: the folder of each before them. */
export function projectsTable(now: number): Table<SessionView> {
  const { plain, columns } = sessionTable(now)
  const folder = ({ project = '' }: SessionView) => project
  return { plain: (view) => [folder(view), ...plain(view)], columns: [{ text: folder, cellsMax: 40 }, ...columns] }
}

/** What a session does; of a loop that says nothing of it, how far it has come. */
export const doingOf = ({ activity, loop }: SessionView) => (activity || loop === null ? activity : loopLine(loop))
