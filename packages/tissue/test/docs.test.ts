import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, runConsoleBlocks, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { isEvent, isKnownEvent } from '../src/schema/event.check.ts'
import { knownEvent } from '../src/schema/event-schema.ts'
import { fixture } from './fixture.ts'

const docs = fileURLToPath(new URL('../../../docs', import.meta.url))

it('the guide shows what the tool prints', () => {
  expect(runConsoleBlocks(join(docs, 'tissue.md'), { cwd: tempRepo() })).toEqual([])
})

it('the README shows what the tool prints', () => {
  const readme = fileURLToPath(new URL('../README.md', import.meta.url))
  expect(runConsoleBlocks(readme, { cwd: tempRepo() })).toEqual([])
})

it('the lines of the format page are taken in by the binary and come out as they are', () => {
  const page = readFileSync(join(docs, 'formats/issue.md'), 'utf8')
  const lines = [...page.matchAll(/```jsonl\n(.*?)```/gs)].map(([, block]) => block).join('')
  expect(lines.split('\n')).toHaveLength(9)
  const cwd = tempFolder('format')
  const imported = run('tissue', ['import', '-', '--store', 'x/.tissue'], { cwd, input: lines })
  expect(imported).toMatchObject({ code: 0, stdout: 'auth-k3vd7rm2w9ht\n' })
  expect(run('tissue', ['export', '--store', 'x/.tissue'], { cwd }).stdout).toBe(lines)
})

it('the fixture of the format is sound to the binary and holds each type of event that there is', () => {
  const store = tempFolder('fixture')
  const text = readFileSync(fixture, 'utf8')
  writeFileSync(join(store, 'issues.jsonl'), text)
  const check = run('tissue', ['doctor', '--log', '--json', '--store', store], { cwd: store })
  expect(check.code).toBe(0)
  expect(JSON.parse(check.stdout)).toMatchObject({
    lines: 24,
    issues: 3,
    foreign: 0,
    torn: 0,
    duplicates: 0,
    corrupt: [],
  })
  expect(run('tissue', ['export', '--all', '--store', store], { cwd: store }).stdout).toBe(text)
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const types = new Set(records.filter(isKnownEvent).map(({ type }) => type))
  expect([...types].sort()).toEqual(knownEvent.options.map((option) => option.shape.type.value).sort())
  expect(records.every(isEvent)).toBe(true)
})

it('the schema of an issue is what show prints', () => {
  const { stdout } = run('tissue', ['schema', 'issue'], { cwd: tempFolder('schema') })
  const { properties, required } = JSON.parse(stdout)
  const store = tempFolder('schema')
  writeFileSync(join(store, 'issues.jsonl'), readFileSync(fixture))
  for (const name of ['k3vd', 'x9qa', 'm5t0']) {
    const issue = JSON.parse(run('tissue', ['show', name, '--json', '--store', store], { cwd: store }).stdout)
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(issue)))
    expect(Object.keys(issue)).toEqual(expect.arrayContaining(required))
  }
})
