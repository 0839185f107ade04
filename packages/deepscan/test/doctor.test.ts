import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, script, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { describeErrors, renderErrorPage } from '../src/errors/describe.ts'
import { scansPlace } from './scans-place.ts'

test('the page of error codes is made of the table, and errors prints a row of it', () => {
  const page = readFileSync(new URL('../../../docs/deepscan-errors.md', import.meta.url), 'utf8')
  expect(page).toBe(renderErrorPage())
  const { deepscan } = scansPlace({})
  expect(JSON.parse(deepscan(['errors', '--json']).stdout)).toEqual(describeErrors())
  for (const typed of ['DS-306', 'ds-306', '306']) {
    expect(deepscan(['errors', typed]).stdout).toMatch(
      /^DS-306 There is no such scan\n {2}category {2}resource\n {2}exit {6}3\n/,
    )
  }
  expect(deepscan(['errors', 'DS-999'])).toMatchObject({ code: 3, stdout: '' })
})

test('a first word that is no verb may be a sign or a path', () => {
  const { deepscan, root } = scansPlace({ 'src/a.txt': 'x\n', 'help/a.txt': '' })
  for (const words of [['src'], ['./src', '-q', 'Why?'], [join(root, 'src')]]) {
    const made = deepscan([...words, '--force', '--json'])
    expect([made.code, JSON.parse(made.stdout).paths]).toEqual([0, [words[0]]])
  }
  mkdirSync(join(root, 'status'))
  expect(deepscan(['?', '--json']).code).toBe(0)
  expect(deepscan(['status', '-q']).code).toBe(0)
  expect(deepscan(['help']).stdout).toContain('deepscan')
  expect(deepscan(['./nowhere'])).toMatchObject({ code: 3 })
  expect(deepscan(['nowhere']).stderr).toMatch(/expected a verb that exists|nowhere/)
  expect(deepscan(['nowhere']).code).toBe(2)
})

test('what happens in a scan is on the bus of its project, each event once', () => {
  const { deepscan, root, linesOf } = scansPlace({ 'a.txt': 'x\n' })
  expect(run('jwz', ['post', 'hello', '-m', 'x'], { cwd: root }).code).toBe(0)
  const id = deepscan(['init', '-q']).stdout.trim()
  deepscan(['chunk', '-q'])
  const { stdout } = run('jwz', ['read', `deepscan:${id}`, '--jsonl'], { cwd: root })
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const events = z.array(z.looseObject({ id: z.string() })).parse(linesOf(id, 'events.jsonl'))
  expect(messages.map((message) => message.id)).toEqual(events.map((event) => event.id))
  expect(messages.map(({ data }) => data)).toEqual(events)
  expect(messages[1].body).toBe('phase phase=initialized')
})

test('doctor tells of agents, grammars and the cache, and --fix removes what killed processes left', () => {
  const { deepscan, home, init } = scansPlace({ 'a.txt': 'x\n' })
  const id = init()
  const bin = tempFolder('bin')
  script(join(bin, 'claude'), '#!/bin/sh\n')
  mkdirSync(join(home, 'scans', `.gone-${id}`))
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  const look = (...args: string[]) => {
    const { code, stdout } = deepscan(['doctor', '--json', ...args], { env })
    const found = z
      .array(z.object({ check: z.string(), state: z.string(), detail: z.string() }))
      .parse(JSON.parse(stdout))
    return { code, state: (check: string) => found.filter((one) => one.check === check).map((one) => one.state), found }
  }
  const first = look()
  expect([first.code, first.state('leftovers'), first.state('node'), first.state('git')]).toEqual([
    0,
    ['warn'],
    ['ok'],
    ['ok'],
  ])
  expect(first.found.find(({ check }) => check === 'agents')?.detail).toContain('claude')
  expect(first.found.find(({ check }) => check === 'grammars')?.detail).toContain('typescript')
  expect(look('--fix').state('leftovers')).toEqual(['fixed'])
  writeFileSync(join(home, 'scans', id, 'scan.json'), '{}')
  const last = look()
  expect([last.code, last.state('leftovers'), last.state('scan')]).toEqual([1, [], ['bad']])
  expect(deepscan(['doctor']).stdout).toMatch(/^ok {4}node: v\d+/)
})
