// How a session ended, as one line that a script can read and no model has written.

import type { SessionView } from '../session/session-schema.ts'
import { cut, oneLine } from '../short-text.ts'

const wordsLengthMax = 200

const marks: Readonly<Record<SessionView['status'], string>> = {
  pending: 'OPEN',
  running: 'OPEN',
  done: 'PASS',
  failed: 'FAIL',
  exited: 'EXIT',
  aborted: 'ABORT',
}

/**
 * Such as `PASS | 0 | Mended the parser. | files_written=2 | gates=1/1`: the first line of its answer, or why there is
 * none. `-` where nobody knows.
 */
export function summaryLine(view: SessionView): string {
  const { id, alias, status, exit_reason, result, task, loop, trajectory } = view
  const said = status === 'done' || status === 'running' ? (result ?? task) : (exit_reason ?? result ?? task)
  const first = said.split('\n').find((line) => line.trim() !== '') ?? task
  const gates = loop === null || loop.gates === null ? '-' : `${loop.gates.passed}/${loop.gates.total}`
  return [
    marks[status],
    alias === null ? id : `${alias} (${id})`,
    cut(oneLine(first), wordsLengthMax),
    `files_written=${trajectory?.files_written ?? '-'}`,
    `gates=${gates}`,
  ].join(' | ')
}
