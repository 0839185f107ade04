import { textOfLine } from '@switchyard/cli-kit/terminal/styled'
import { describe, expect, it } from 'vitest'
import { foldRun } from '../src/state/fold-run.ts'
import type { RunStatus } from '../src/state/status-schema.ts'
import { renderDashboard } from '../src/status/dashboard.ts'

const run = '01k5n7q8r9s0t1v2w3x4y5z6a7'
const about = { run, base: 'main', with: '', verify: '', jobs: 1, max_iterations: 5 }

function task(): RunStatus {
  const session = { host: 'claude', id: 's' } as const
  const started = { event: 'started', ...about, session, mode: 'task', goal: 'Fix it\nall of it' } as const
  const status = foldRun(undefined, started, 0)
  const next = foldRun(status, { event: 'iteration', issue: 'task', worker: 'claude-s', iteration: 2, max: 5 }, 60_000)
  if (next === undefined) throw new Error('no status')
  return next
}

describe('the screen of loops', () => {
  const news = Array.from({ length: 50 }, (_, at) => ({ at: at * 1000, run, text: `event ${at}\nmore` }))

  it('shows each run, who works it, and what happened last', () => {
    const lines = renderDashboard([task()], news, { columns: 80, rows: 12 }, 120_000).map((line) =>
      textOfLine(line).trimEnd(),
    )
    expect(lines[0]).toBe('loop  1 at work, 0 others   q quits')
    expect(lines[2]).toBe(`${run.slice(-6)}  active      1m  claude    Fix it`)
    expect(lines[3]).toMatch(/^ {8}s +running +2\/5 +1m$/)
    expect(lines.at(-1)).toMatch(/ago {2}\w{6} {2}event 49$/)
  })

  it.each([
    [1, 1],
    [20, 3],
    [80, 5],
    [200, 60],
  ])('is never larger than a terminal of %i by %i', (columns, rows) => {
    const lines = renderDashboard(Array(9).fill(task()), news, { columns, rows }, 120_000)
    expect(lines.length).toBeLessThanOrEqual(rows)
    for (const line of lines) expect(textOfLine(line).length).toBeLessThanOrEqual(columns)
  })
})
