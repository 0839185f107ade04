import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { appendEvents, appendFindings, appendResult, startRun } from '../src/store/append-records.ts'
import type { Chunk } from '../src/store/chunk-schema.ts'
import { foldStatus } from '../src/store/fold-status.ts'
import { openScan } from '../src/store/open-scan.ts'
import { readChunks, readEvents, readFindings, readManifest, readResults } from '../src/store/read-records.ts'
import { readSnapshot, readText, spanBytes } from '../src/store/read-text.ts'
import type { Result } from '../src/store/result-schema.ts'

function opened(text = 'one\ntwo\n') {
  const root = tempRepo({ 'a.txt': text })
  const env = { DEEPSCAN_HOME: join(tempFolder('cache'), 'deepscan') }
  const deepscan = (...args: string[]) => run('deepscan', args, { cwd: root, env })
  deepscan('init', '-q')
  return { root, env, deepscan, open: openScan(env, root, undefined) }
}

const chunk = (digit: number): Chunk => ({
  ...{ v: 1, type: 'chunk', id: String(digit).repeat(16), index: digit },
  spans: [{ path: 'a.txt', start_byte: 4, end_byte: 8, start_line: 2, end_line: 2 }],
  ...{ bytes: 4, characters: 4, tokens: 1, language: null, kind: 'text', header: null, flags: [] },
})

const result = (of: string, status: Result['status']): Result => ({
  ...{ v: 1, type: 'result', chunk: of, status, findings: 0, missing_info: [], partial_answer: null, error: null },
  ...{ agent: 'fake', model: null, attempt: 1, key: '', usage: null, at: '2026-01-01T00:00:00.000Z' },
})

test('W3: progress counts each chunk once, by its last result, and results of no chunk for none', () => {
  const { open, deepscan } = opened()
  appendFileSync(join(open.folder, 'chunks.jsonl'), [1, 2, 3, 4].map((n) => `${JSON.stringify(chunk(n))}\n`).join(''))
  for (const n of [1, 1, 2]) appendResult(open, result(chunk(n).id, 'failed'))
  for (const id of [chunk(1).id, 'f'.repeat(16)]) appendResult(open, result(id, 'completed'))
  appendEvents(open, startRun(Date.now), [{ type: 'phase', phase: 'mapping' }])
  const status = JSON.parse(deepscan('status', '--json').stdout)
  expect(status).toMatchObject({ phase: 'mapping', progress: 50, last_event: 'phase' })
  expect(status.chunks).toEqual({ total: 4, completed: 1, partial: 0, failed: 1, pending: 2 })
  expect(foldStatus(open)).toEqual(status)
  expect([...readChunks(open)].length).toBe(4)
  expect(deepscan('status').stdout).toContain('4: 1 completed, 1 failed, 2 pending')
})

test('a line that a kill cut off is passed by, and one that is no result ends in DS-105', () => {
  const { open, deepscan } = opened()
  const path = join(open.folder, 'results.jsonl')
  appendFileSync(path, '{"v":1,"type":"res')
  appendResult(open, result('1'.repeat(16), 'completed'))
  expect([...readResults(open)].map(({ chunk }) => chunk)).toEqual(['1'.repeat(16)])
  appendFileSync(path, '{"v":1,"type":"result"}\n')
  const { code, stderr } = deepscan('status')
  expect([code, stderr]).toEqual([7, expect.stringMatching(/results\.jsonl:3 is no result: .*\[DS-105\]\n$/)])
  writeFileSync(join(open.folder, 'scan.json'), '{')
  expect(deepscan('status').stderr).toMatch(/scan\.json is damaged: .*\[DS-502\]\n$/)
})

test('W10: the text of a file is what init saw, or the reading fails', () => {
  const { open, root } = opened('\uFEFFone\ntwo\n')
  const [, entry] = readManifest(open)
  if (entry === undefined) throw new Error('no entry')
  const span = { path: 'a.txt', start_byte: 7, end_byte: 11, start_line: 2, end_line: 2 }
  expect(readText(open, entry)).toBe('one\ntwo\n')
  expect(spanBytes(readSnapshot(open, entry), span).toString()).toBe('two\n')
  writeFileSync(join(root, 'a.txt'), '\uFEFFone\nTwo\n')
  expect(() => readText(open, entry)).toThrow('a.txt has changed since init')
})

test('events of a run are numbered, and findings are kept', () => {
  const { open } = opened()
  appendEvents(
    open,
    startRun(() => 0),
    [{ type: 'cancel' }, { type: 'session_end', completed: 2 }],
  )
  const events = [...readEvents(open)].slice(-2)
  expect(events.map(({ type, seq, at }) => [type, seq, at])).toEqual([
    ['cancel', 1, '1970-01-01T00:00:00.000Z'],
    ['session_end', 2, '1970-01-01T00:00:00.000Z'],
  ])
  appendFindings(open, [])
  expect([...readFindings(open)]).toEqual([])
})

test('the fixtures of the format are read as a scan', () => {
  const env = { DEEPSCAN_HOME: join(tempFolder('cache'), 'deepscan') }
  const id = 'deepscan_1795573988_cfd09571e60c1857'
  const fixtures = fileURLToPath(new URL('../../../docs/formats/fixtures/scan', import.meta.url))
  cpSync(fixtures, join(env.DEEPSCAN_HOME, 'scans', id), { recursive: true })
  const { code, stdout } = run('deepscan', ['status', '--session', 'cfd0', '--json'], { cwd: tempFolder(), env })
  expect(code).toBe(3)
  expect(stdout).toBe('')
  const status = JSON.parse(run('deepscan', ['status', '--session', id, '--json'], { cwd: tempFolder(), env }).stdout)
  expect(status).toMatchObject({ scan: id, files: 1, skipped: 1, tokens: 3, progress: 100, last_event: 'phase' })
})
