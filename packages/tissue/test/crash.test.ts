import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf } from './fixture.ts'

const finding = (id: string) =>
  `${JSON.stringify({ v: 1, type: 'finding', id, rule: 'r', title: id, severity: 'low', path: 'p', line: 1 })}\n`
const findings = ['f1', 'f2', 'f3'].map(finding).join('')

/** A verb to be killed, and what has to be there before it. */
type Victim = { args: string[]; input: string; before: string[][] }

const victims: Victim[] = [
  { args: ['new', 'Killed', '--tag', 'x'], input: '', before: [] },
  { args: ['new', 'Killed', '--tag', 'x'], input: '', before: [['new', 'Kept']] },
  { args: ['claim', '--next', '--as', 'dead', '--ttl', '1ms'], input: '', before: [['new', 'Kept']] },
  { args: ['import', '-', '--quiet'], input: findings, before: [['new', 'Kept']] },
]

function prepared(before: readonly string[][]): string {
  const root = tempFolder('crash')
  for (const args of before) expect(run('tissue', args, { cwd: root }).code).toBe(0)
  return root
}

/** How many file calls a verb makes. */
function stepsOf({ args, input, before }: Victim): number {
  const root = prepared(before)
  const trace = join(root, 'trace')
  const env = faultEnv({ call: '*', nth: 1_000_000, action: 'kill', trace })
  expect(run('tissue', args, { cwd: root, env, input }).code).toBe(0)
  return readFileSync(trace, 'utf8').trimEnd().split('\n').length
}

/** Ids in a log, of whole lines only. */
function idsIn(root: string): string[] {
  if (!existsSync(logOf(root))) return []
  const lines = readFileSync(logOf(root), 'utf8').split('\n').slice(0, -1)
  return lines.filter((line) => line.includes('"created"')).map((line) => JSON.parse(line).issue)
}

function expectSound(root: string, kept: readonly string[]) {
  const next = run('tissue', ['new', 'Next'], { cwd: root })
  expect(next.code).toBe(0)
  expect(['', '1 damaged line skipped; see tissue doctor\n']).toContain(next.stderr)
  const check = run('tissue', ['doctor', '--log', '--json'], { cwd: root })
  expect({ code: check.code, corrupt: JSON.parse(check.stdout).corrupt }).toEqual({ code: 0, corrupt: [] })
  expect(idsIn(root)).toEqual(expect.arrayContaining([...kept, next.stdout.trim()]))
  expect(run('tissue', ['claim', '--next', '--as', 'heir'], { cwd: root }).code).toBe(0)
  expect(readFileSync(join(root, '.tissue/.gitattributes'), 'utf8')).toBe('issues.jsonl merge=union\n')
  expect(readFileSync(join(root, '.tissue/.gitignore'), 'utf8')).toBe('*.lock*\n')
}

describe('a verb killed before any of its file calls', () => {
  for (const victim of victims) {
    it(`loses nothing and stops nobody: tissue ${victim.args[0]} ${victim.before.length === 0 ? 'in a new store' : ''}`, () => {
      const steps = stepsOf(victim)
      expect(steps).toBeGreaterThan(10)
      for (let nth = 1; nth <= steps; nth += full ? 1 : 43) {
        const root = prepared(victim.before)
        const kept = idsIn(root)
        const { args, input } = victim
        const killed = run('tissue', args, { cwd: root, env: faultEnv({ call: '*', nth, action: 'kill' }), input })
        expect(killed.signal, `step ${nth}`).toBe('SIGKILL')
        const acknowledged = killed.stdout.split('\n').filter((line) => /^[a-z0-9-]+$/.test(line))
        expectSound(root, [...kept, ...acknowledged])
      }
    })
  }

  it('makes all issues of an import or none that count as done twice: trying again completes it', () => {
    for (const call of ['writeSync', 'fdatasyncSync']) {
      const root = prepared([['new', 'Kept']])
      const env = faultEnv({ call, nth: 1, action: 'kill', match: 'issues.jsonl' })
      expect(run('tissue', ['import', '-'], { cwd: root, env, input: findings }).signal).toBe('SIGKILL')
      expect(run('tissue', ['import', '-', '--json'], { cwd: root, input: findings }).code).toBe(0)
      expect(idsIn(root)).toHaveLength(4)
    }
  })
})

describe('a full disk', () => {
  it('is exit 1 and leaves a log that the next writer mends', () => {
    for (const action of ['short', 'ENOSPC'] as const) {
      const root = prepared([['new', 'Kept']])
      const kept = idsIn(root)
      const env = faultEnv({ call: 'writeSync', nth: 1, action, match: 'issues.jsonl' })
      const failed = run('tissue', ['new', 'Too much'], { cwd: root, env })
      expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' })
      expectSound(root, kept)
    }
  })
})
