// The screen of loops: who works what, in which iteration, and what happened last. Lines only; a terminal paints them.
import { renderSpan } from '@switchyard/cli-kit/age'
import type { Size } from '@switchyard/cli-kit/terminal/screen'
import { fitLine, type Line, type Style } from '@switchyard/cli-kit/terminal/styled'
import type { RunStatus, WorkerStatus } from '../state/status-schema.ts'

export type News = { readonly at: number; readonly run: string; readonly text: string }

const newsRowsMin = 3
const idLength = 6
const styleOf: Readonly<Record<RunStatus['state'], Style | undefined>> = {
  active: 'green',
  paused: 'yellow',
  draining: 'yellow',
  stopping: 'yellow',
  stale: 'red',
  dead: 'red',
  finished: undefined,
}

/** The screen: open runs first, then those that ended, as many as fit above the news. */
export function renderDashboard(
  runs: readonly RunStatus[],
  news: readonly News[],
  { columns, rows }: Size,
  now: number,
): Line[] {
  const open = runs.filter(({ state }) => styleOf[state] === 'green').length
  const title: Line = [
    { text: 'loop', style: 'bold' },
    { text: `  ${open} at work, ${runs.length - open} others   q quits`, style: 'dim' },
  ]
  const bodyRows = Math.max(0, rows - newsRowsMin - 3)
  const body = runs.flatMap((run) => blockOf(run, now))
  const shown = body.slice(0, bodyRows)
  const room = Math.max(0, rows - shown.length - 3)
  const last = room === 0 ? [] : news.slice(-room)
  const lines = [title, [], ...shown, [], ...last.map((one) => newsLine(one, now))]
  return lines.slice(0, rows).map((line) => fitLine(line, columns))
}

function blockOf(run: RunStatus, now: number): Line[] {
  const what = run.mode === 'task' ? (run.goal?.split('\n')[0] ?? '') : counts(run)
  const who = run.session === null ? 'runner' : run.session.host
  const head: Line = [
    { text: `${shortId(run.run)}  ` },
    { text: run.state.padEnd(9), style: styleOf[run.state] ?? 'dim' },
    { text: ` ${age(run.updated_at, now).padStart(4)}  ${who.padEnd(8)}  `, style: 'dim' },
    { text: what },
  ]
  return [
    head,
    ...run.workers.filter(({ issue_id }) => issue_id !== null).map((worker) => workerLine(worker, run, now)),
  ]
}

function counts({ base, landed, already_done, not_landed }: RunStatus): string {
  const done = already_done === 0 ? '' : `, ${already_done} done before`
  return `onto ${base}: ${landed} landed${done}, ${not_landed} not`
}

function workerLine(
  { worker, issue_id, title, phase, iteration, updated_at }: WorkerStatus,
  { max }: RunStatus,
  now: number,
): Line {
  const name = worker.slice(worker.lastIndexOf('-') + 1)
  const issue = issue_id === 'task' ? '' : `${issue_id}  `
  return [
    { text: `        ${name.padEnd(9)} ` },
    { text: phase.padEnd(9), style: 'cyan' },
    { text: ` ${`${iteration}/${max}`.padEnd(6)} ${age(updated_at, now).padStart(4)}  ` },
    { text: `${issue}${title ?? ''}` },
  ]
}

const newsLine = ({ at, run, text }: News, now: number): Line => [
  { text: `${age(at, now).padStart(4)} ago  ${shortId(run)}  `, style: 'dim' },
  { text: text.split('\n')[0] ?? '' },
]

const shortId = (run: string) => run.slice(-idLength)
const age = (at: number, now: number) => renderSpan(Math.max(0, Math.floor((now - at) / 1000)))
