import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, openTerminal, runAlone, start } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { appendEvents, appendResult, startRun } from '../src/store/append-records.ts'
import type { Chunk } from '../src/store/chunk-schema.ts'
import { coverageSchema, totalCoverageSchema } from '../src/store/fold-coverage.ts'
import { listedSchema } from '../src/store/list-scans.ts'
import { openScan } from '../src/store/open-scan.ts'
import { removedSchema } from '../src/store/removed-schema.ts'
import type { Result } from '../src/store/result-schema.ts'
import { asWriter } from '../src/store/writer.ts'
import { scansPlace } from './scans-place.ts'

const day = 86_400_000

function chunk(digit: number, spans: [path: string, start: number, end: number][]): Chunk {
  return {
    ...{ v: 1, type: 'chunk', id: String(digit).repeat(16), index: digit, language: null, kind: 'text', header: null },
    spans: spans.map(([path, start_byte, end_byte]) => ({ path, start_byte, end_byte, start_line: 1, end_line: 1 })),
    ...{ bytes: 0, characters: 0, tokens: 0, flags: [] },
  }
}

function result(digit: number, status: Result['status']): Result {
  return {
    ...{ v: 1, type: 'result', chunk: String(digit).repeat(16), status, findings: 2, missing_info: [], agent: 'fake' },
    ...{
      partial_answer: null,
      error: null,
      model: null,
      attempt: 1,
      key: '',
      usage: null,
      at: '2026-01-01T00:00:00.000Z',
    },
  }
}

test('list shows all scans, the last one worked on first, and passes by a damaged one with a word', () => {
  const { deepscan, init, home, root } = scansPlace({ 'a.txt': 'x\n' })
  expect(deepscan(['list'])).toEqual({
    ...{ code: 0, stdout: '', stderr: 'there are no scans; deepscan init PATH makes one\n' },
  })
  const [first, second] = [init('--session', 'one'), init('--force')]
  const open = openScan({ DEEPSCAN_HOME: home }, root, first)
  appendEvents(
    open,
    startRun(() => Date.now() + day),
    [{ type: 'phase', phase: 'mapping' }],
  )
  const listed = z.array(listedSchema).parse(JSON.parse(deepscan(['list', '--json']).stdout))
  expect(listed.map(({ scan, current, phase, name }) => [scan, current, phase, name])).toEqual([
    [first, false, 'mapping', 'one'],
    [second, true, 'initialized', null],
  ])
  expect(deepscan(['list', '-q']).stdout).toBe(`${first}\n${second}\n`)
  expect(deepscan(['list']).stdout).toMatch(new RegExp(`^${first}\t\tmapping\t0\t.*\t${root}\n`))
  writeFileSync(join(home, 'scans', first, 'scan.json'), '{}')
  const damaged = deepscan(['list', '--jsonl'])
  expect([damaged.code, damaged.stdout.split('\n').length - 1]).toEqual([0, 1])
  expect(damaged.stderr).toContain(`left out ${first}: `)
})

test('resume makes a scan the current one: by a beginning of its id, or the last one worked on here', () => {
  const { deepscan, init, home } = scansPlace({ 'a.txt': 'x\n' })
  expect(deepscan(['resume']).stderr).toMatch(/this project has no scan; .*\[DS-306\]\n$/)
  const [first, second] = [init(), init('--force')]
  expect(deepscan(['resume', first.slice(0, -3), '--json']).code).toBe(0)
  expect(deepscan(['status', '-q']).stdout).toBe(`${first}\n`)
  appendEvents(
    openScan({ DEEPSCAN_HOME: home }, '/', second),
    startRun(() => Date.now() + day),
    [{ type: 'cancel' }],
  )
  const resumed = deepscan(['+'])
  expect(resumed.stdout).toMatch(new RegExp(`^${second}: initialized\n(.*\n)*next: deepscan chunk\n$`))
  expect(deepscan(['?', '-q']).stdout).toBe(`${second}\n`)
  expect(deepscan(['resume', 'no/where'])).toMatchObject({ code: 2, stdout: '' })
})

test('W5: reset removes the current scan and its mark, and the next init is not refused', () => {
  const { deepscan, init, scans } = scansPlace({ 'a.txt': 'x\n' })
  const id = init()
  const done = deepscan(['reset', '--json'])
  expect(removedSchema.parse(JSON.parse(done.stdout))).toMatchObject({ scan: id, reason: 'abort' })
  expect(scans()).toEqual([])
  expect(deepscan(['status']).code).toBe(3)
  expect(deepscan(['init']).code).toBe(0)
})

test('W32: abort asks at a terminal, and removes nothing when the answer is no', async () => {
  const { init, deepscan, home, root, scans } = scansPlace({ 'a.txt': 'x\n' })
  const id = init()
  const terminal = openTerminal(root, `deepscan x ${id}; echo "exit $?"; deepscan abort ${id}; echo "then $?"`, {
    DEEPSCAN_HOME: home,
  })
  await terminal.see(/Remove .*\? \[y\/N\]/)
  terminal.keys('Enter')
  await terminal.see(/exit 5[\s\S]*Remove .*\? \[y\/N\]/)
  expect(scans()).toEqual([id])
  terminal.keys('y', 'Enter')
  await terminal.see(/removed deepscan_[\s\S]*then 0/)
  expect(scans()).toEqual([])
  expect(deepscan(['status']).code).toBe(3)
})

test('a scan that somebody works on is not removed, and what a kill leaves of one is no scan', async () => {
  const { init, deepscan, home, root, scans } = scansPlace({ 'a.txt': 'x\n' })
  const id = init()
  const open = openScan({ DEEPSCAN_HOME: home }, root, id)
  await asWriter(open, async () => {
    expect(deepscan(['abort', id, '--yes'])).toMatchObject({ code: 5, stdout: '' })
    const cleaned = deepscan(['clean', '--older-than', '0'])
    expect([cleaned.stdout, cleaned.stderr]).toEqual(['', expect.stringMatching(/left alone: .* works on /)])
  })
  const env = { DEEPSCAN_HOME: home, ...faultEnv({ call: 'rmSync', nth: 1, action: 'kill', match: '.gone-' }) }
  expect(runAlone('deepscan', ['abort', id], { cwd: root, env }).signal).toBe('SIGKILL')
  expect([deepscan(['list', '-q']).stdout, deepscan(['status']).code]).toEqual(['', 3])
  expect(scans()).toEqual([`.gone-${id}`])
  expect(deepscan(['clean']).stdout).toMatch(/^removed\t.*\.gone-.*\tleft behind\n$/)
  expect(scans()).toEqual([])
})

test('clean removes what is old, then the oldest of what is too much, and with --dry-run nothing', () => {
  const { init, deepscan, home, scans } = scansPlace({ 'a.txt': 'x\n' })
  const ids = [init(), init('--force'), init('--force')]
  for (const [at, id] of ids.entries()) {
    const events = join(home, 'scans', id, 'events.jsonl')
    writeFileSync(
      events,
      readFileSync(events, 'utf8').replace(
        /"at":"[^"]*"/g,
        `"at":"${new Date(Date.now() - (9 - at) * day).toISOString()}"`,
      ),
    )
  }
  const [oldest = '', second = '', third = ''] = ids
  const sizes = JSON.parse(deepscan(['clean', '--older-than', '8', '--dry-run', '--json']).stdout)
  expect(sizes.map((removed: unknown) => removedSchema.parse(removed).scan)).toEqual([oldest, second])
  expect(scans().length).toBe(3)
  expect(deepscan(['clean', '--older-than', '100', '--max-size', '0', '-q', '--dry-run']).stdout).toBe(
    `${ids.join('\n')}\n`,
  )
  expect(deepscan(['clean', '--older-than', '8']).stdout).toMatch(
    new RegExp(`^removed\t${oldest}\t\\d+\tage\nremoved\t${second}`),
  )
  expect(scans()).toEqual([third])
  expect(deepscan(['clean', '--older-than', '8'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'nothing is old or too much\n',
  })
  expect(deepscan(['clean', '--max-size', 'much'])).toMatchObject({ code: 2 })
})

test('coverage accounts for every byte, and its sums are those of the manifest', () => {
  const { init, deepscan, home, root, linesOf } = scansPlace({
    ...{ 'a.txt': '0123456789', 'b.txt': '01234', 'c.txt': 'abc', 'big.txt': 'x'.repeat(50) },
  })
  const id = init('--max-file-bytes', '20')
  const open = openScan({ DEEPSCAN_HOME: home }, root, id)
  const chunks = [
    chunk(1, [['a.txt', 0, 6]]),
    chunk(2, [
      ['a.txt', 4, 10],
      ['b.txt', 0, 5],
    ]),
    chunk(3, [['a.txt', 9, 10]]),
  ]
  for (const one of chunks) appendFileSync(join(open.folder, 'chunks.jsonl'), `${JSON.stringify(one)}\n`)
  for (const one of [result(1, 'completed'), result(2, 'failed')]) appendResult(open, one)
  const { paths, ...total } = totalCoverageSchema.parse(JSON.parse(deepscan(['coverage', '--files', '--json']).stdout))
  expect(
    paths?.map((file) => [file.path, file.bytes, file.chunked, file.analysed, file.failed, file.left_out, file.reason]),
  ).toEqual([
    ['.git/', 0, 0, 0, 0, 0, 'tool folder'],
    ['README.md', 0, 0, 0, 0, 0, null],
    ['a.txt', 10, 10, 6, 4, 0, null],
    ['b.txt', 5, 5, 0, 5, 0, null],
    ['big.txt', 0, 0, 0, 0, 50, 'too large'],
    ['c.txt', 3, 0, 0, 0, 0, null],
  ])
  expect(total).toMatchObject({ files: 4, bytes: 18, chunked: 15, analysed: 6, failed: 9, left_out: 50 })
  const manifest = z.array(z.object({ bytes: z.number() })).parse(linesOf(id, 'manifest.jsonl'))
  expect(total.bytes + total.left_out).toBe(manifest.reduce((sum, { bytes }) => sum + bytes, 0))
  expect(deepscan(['coverage']).stdout).toBe(
    'files\t4\t18\t100.0 %\nin chunks\t\t15\t83.3 %\nanalysed\t\t6\t33.3 %\nfailed\t\t9\t50.0 %\n' +
      'left out: tool folder\t1\t0\t\nleft out: too large\t1\t50\t\n',
  )
  const lines = deepscan(['coverage', '--files', '--jsonl']).stdout.trim().split('\n')
  expect(lines.slice(0, -1).map((line) => coverageSchema.parse(JSON.parse(line)).path).length).toBe(6)
})

test('progress tells how far it is; --watch follows a run and ends with it', async () => {
  const { init, deepscan, home, root } = scansPlace({ 'a.txt': 'x\n' })
  const id = init('--query', 'Is it safe?')
  const env = { DEEPSCAN_HOME: home }
  const open = openScan(env, root, id)
  for (const n of [1, 2]) appendFileSync(join(open.folder, 'chunks.jsonl'), `${JSON.stringify(chunk(n, []))}\n`)
  appendResult(open, result(1, 'completed'))
  expect(deepscan(['progress']).stdout).toBe(
    `${id}: initialized, 50.0 %\n  chunks    1 of 2: 1 completed, 0 partial, 0 failed, 1 pending\n  question  Is it safe?\n` +
      `  ${'1'.repeat(16)}  completed, 2 findings\n`,
  )
  const idle = deepscan(['progress', '--watch'])
  expect([idle.code, idle.stdout]).toEqual([
    0,
    expect.stringMatching(/^..:..:.. session_start .*\n..:..:.. phase phase=initialized\n$/),
  ])
  await asWriter(open, async () => {
    const run = startRun(Date.now)
    const watching = start('deepscan', ['progress', '-w', '--jsonl'], { cwd: root, env, input: '' })
    await watching.waitFor(/initialized/)
    appendEvents(open, run, [{ type: 'chunk_complete', chunk: '2'.repeat(16), findings: 0, status: 'completed' }])
    await watching.waitFor(/chunk_complete/)
    appendEvents(open, run, [{ type: 'session_end' }])
    const { code, stdout } = await watching.done
    expect([
      code,
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    ]).toEqual([...[0, ['session_start', 'phase', 'chunk_complete', 'session_end']]])
    const other = start('deepscan', ['progress', '-w'], { cwd: root, env, input: '' })
    await other.waitFor(/session_end/)
    other.child.kill('SIGINT')
    expect((await other.done).code).toBe(130)
  })
})

test('progress --watch ends when the process that works on the scan is gone without a word', async () => {
  const { init, home, root } = scansPlace({ 'a.txt': 'x\n' })
  const open = openScan({ DEEPSCAN_HOME: home }, root, init())
  let watching: ReturnType<typeof start> | undefined
  await asWriter(open, async () => {
    watching = start('deepscan', ['progress', '-w'], { cwd: root, env: { DEEPSCAN_HOME: home }, input: '' })
    await watching.waitFor(/initialized/)
  })
  expect((await watching?.done)?.code).toBe(0)
})
