import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, run, scaled, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf } from './fixture.ts'
import { csv, github, linesOf, markdown } from './foreign.ts'
import { originalStore } from './original.ts'
import { tissue } from './tissue.ts'

const size = scaled(1000)

/** Beads of which each waits for the one before it and is a child of the first; half of them are closed. */
function chain(count: number): string {
  const records = Array.from({ length: count }, (_, index) => ({
    id: `bd-${index}`,
    title: `Issue ${index}`,
    status: index % 2 === 0 ? 'open' : 'closed',
    comments: [{ id: 1, author: 'eve', text: `Of ${index}.` }],
    dependencies: [
      ...(index > 0 ? [{ depends_on_id: `bd-${index - 1}`, type: 'blocks' }] : []),
      ...(index > 0 ? [{ depends_on_id: 'bd-0', type: 'parent-child' }] : []),
    ],
  }))
  return linesOf(records)
}

function findings(count: number): string {
  const finding = (index: number) => ({
    v: 1,
    type: 'finding',
    id: `f${index}`,
    rule: 'r',
    title: 't',
    severity: 'low',
  })
  return linesOf(Array.from({ length: count }, (_, index) => ({ ...finding(index), path: 'p', line: 1 })))
}

function listed(root: string) {
  const { code, stdout } = tissue(root, ['list', '--all', '--limit', '100000', '--json'])
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

/** Every issue once, whole, and each link between issues that are there. */
function expectWhole(root: string, count: number) {
  const issues: Record<string, unknown>[] = listed(root)
  expect(issues).toHaveLength(count)
  const keys = new Set(issues.map(({ key }) => key))
  expect(keys.size).toBe(count)
  const ids = new Set(issues.map(({ id }) => id))
  const links = new Set<string>()
  for (const issue of issues) {
    for (const { kind, from, to } of [issue['deps']].flat().map(Object)) {
      expect(ids.has(from) && ids.has(to)).toBe(true)
      links.add(`${kind} ${from} ${to}`)
    }
    expect(issue['status']).toBe(Number(String(issue['title']).slice(6)) % 2 === 0 ? 'open' : 'closed')
  }
  expect(links.size).toBe(2 * (count - 1))
  expect(tissue(root, ['doctor', '--log']).code).toBe(0)
}

describe('an import that is killed', () => {
  it('leaves whole issues wherever its write was cut, and the next one makes the rest', () => {
    const whole = tempFolder('whole')
    const input = chain(size)
    expect(tissue(whole, ['import', '-', '--quiet'], input).code).toBe(0)
    expectWhole(whole, size)
    const log = readFileSync(logOf(whole))
    for (const share of [0.001, 0.2, 0.5, 0.77, 0.999]) {
      const root = tempFolder('cut')
      tissue(root, ['init', '--prefix', 'cut'])
      writeFileSync(logOf(root), log.subarray(0, Math.floor(log.length * share)))
      expect(tissue(root, ['import', '-', '--quiet'], input).code).toBe(0)
      expectWhole(root, size)
      const after = readFileSync(logOf(root), 'utf8')
      tissue(root, ['import', '-', '--quiet'], input)
      expect(readFileSync(logOf(root), 'utf8')).toBe(after)
    }
  })

  it('makes each issue once, however often it is killed before it is done', async () => {
    for (const input of [findings(size), chain(size)]) {
      const root = tempFolder('killed')
      const file = join(root, 'input')
      writeFileSync(file, input)
      const env = faultEnv({ call: 'writeSync', nth: 1, action: 'kill', match: 'issues.jsonl' })
      expect(run('tissue', ['import', 'input', '--quiet'], { cwd: root, env }).signal).toBe('SIGKILL')
      for (let delay = 10; delay < 400; delay += 60) {
        const { child, done } = start('tissue', ['import', 'input', '--quiet'], { cwd: root, input: '' })
        const timer = setTimeout(() => child.kill('SIGKILL'), delay)
        await done
        clearTimeout(timer)
      }
      expect(tissue(root, ['import', 'input', '--quiet']).code).toBe(0)
      const issues: { key: string }[] = listed(root)
      expect(new Set(issues.map(({ key }) => key)).size).toBe(size)
      expect(issues).toHaveLength(size)
    }
  })
})

describe('an import of another format that is killed', () => {
  const files: Readonly<Record<string, string>> = {
    'github.json': JSON.stringify(github),
    'todo.md': markdown,
    'table.csv': csv,
  }
  for (const [name, args] of [
    ...Object.keys(files).map((file) => [file, ['import', file]] as const),
    ['migrate', ['migrate', originalStore()]] as const,
  ]) {
    it(`is completed by the same one: ${name}`, () => {
      const whole = tempFolder('whole')
      writeFileSync(join(whole, name), files[name] ?? '')
      expect(tissue(whole, args).code).toBe(0)
      const titles = (root: string) => listed(root).map(({ title, status }: Titled) => [title, status])
      for (const [call, action] of [
        ['writeSync', 'kill'],
        ['writeSync', 'short'],
        ['fdatasyncSync', 'kill'],
      ] as const) {
        const root = tempFolder('killed')
        writeFileSync(join(root, name), files[name] ?? '')
        const env = faultEnv({ call, nth: 1, action, match: 'issues.jsonl' })
        run('tissue', args, { cwd: root, env: { JWZ_AGENT: 'ada', ...env } })
        expect(tissue(root, args).code).toBe(0)
        expect(titles(root)).toEqual(titles(whole))
        expect(tissue(root, ['doctor', '--log']).code).toBe(0)
      }
    })
  }
})

type Titled = { title: string; status: string }

describe('a large import', () => {
  it('is one write whose length grows with the issues, and as few file calls as a small one', () => {
    const measured = [scaled(5000), scaled(10_000)].map((count) => {
      const root = tempFolder('large')
      writeFileSync(join(root, 'input'), chain(count))
      const trace = join(root, 'trace')
      const env = faultEnv({ call: '*', nth: 1_000_000, action: 'kill', trace })
      expect(run('tissue', ['import', 'input', '--quiet'], { cwd: root, env }).code).toBe(0)
      const calls = readFileSync(trace, 'utf8').trimEnd().split('\n')
      return {
        bytesEach: readFileSync(logOf(root)).length / count,
        writes: calls.filter((line) => line.includes('writeSync') && line.endsWith('issues.jsonl')).length,
        calls: calls.length,
      }
    })
    const [half, full] = measured
    expect(full?.writes).toBe(1)
    expect(full?.bytesEach).toBeLessThan((half?.bytesEach ?? 0) * 1.05)
    expect(full?.calls).toBeLessThan((half?.calls ?? 0) + 50)
  })
})
