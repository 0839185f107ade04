import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, run, scaled, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { epic, idsIn, namesOf, plan } from './plan-fixture.ts'
import { json, tissue } from './tissue.ts'

describe('a plan under stress', () => {
  it('killed before any of its file calls makes all of its issues or none, and can be tried again', () => {
    const input = JSON.stringify(epic)
    const args = ['new', '--plan', '-', '--key', 'k', '--quiet']
    const root = tempFolder('plan')
    tissue(root, ['new', 'Kept'])
    const trace = join(root, 'trace')
    const env = faultEnv({ call: '*', nth: 1_000_000, action: 'kill', trace })
    expect(run('tissue', args, { cwd: root, env, input }).code).toBe(0)
    const steps = readFileSync(trace, 'utf8').trimEnd().split('\n').length
    expect(steps).toBeGreaterThan(10)
    for (let nth = 1; nth <= steps; nth += full ? 1 : 29) {
      const cwd = tempFolder('plan')
      tissue(cwd, ['new', 'Kept'])
      const killed = run('tissue', args, { cwd, env: faultEnv({ call: '*', nth, action: 'kill' }), input })
      expect(killed.signal, `step ${nth}`).toBe('SIGKILL')
      const there = idsIn(cwd)
      expect([1, 5], `step ${nth}`).toContain(there.length)
      const again = run('tissue', args, { cwd, input })
      expect(again.code).toBe(0)
      const ids = again.stdout.trimEnd().split('\n')
      if (there.length === 5) expect(there).toEqual(expect.arrayContaining(ids))
      if (killed.stdout !== '') expect(killed.stdout).toBe(again.stdout)
      expect(idsIn(cwd)).toHaveLength(5)
    }
  })

  it('whose line is cut off is not there at all', () => {
    for (const action of ['short', 'ENOSPC'] as const) {
      const root = tempFolder('plan')
      tissue(root, ['new', 'Kept'])
      const env = faultEnv({ call: 'writeSync', nth: 1, action, match: 'issues.jsonl' })
      const input = JSON.stringify(epic)
      expect(run('tissue', ['new', '--plan', '-'], { cwd: root, env, input })).toMatchObject({ code: 1, stdout: '' })
      expect(idsIn(root)).toHaveLength(1)
    }
  })

  it('of several with one key at once, one makes the issues and all print them', async () => {
    const root = tempFolder('plan')
    writeFileSync(join(root, 'plan.json'), JSON.stringify(epic))
    const racers = Array.from({ length: 8 }, () =>
      start('tissue', ['new', '--plan', 'plan.json', '--key', 'k', '--quiet'], { cwd: root, input: '' }),
    )
    const ends = await Promise.all(racers.map(({ done }) => done))
    expect(new Set(ends.map(({ code, stdout }) => `${code} ${stdout}`)).size).toBe(1)
    expect(idsIn(root).sort()).toEqual(ends[0]?.stdout.trimEnd().split('\n').sort())
  })

  it('may be large, and carry what text can', () => {
    const root = tempFolder('plan')
    const count = scaled(5000)
    const body = `\u0000\r\n🎉${'x'.repeat(10_000_000)}`
    const issues = Array.from({ length: count }, (_, n) => ({
      name: `n${n}`,
      title: `Step ${n}`,
      ...(n === 0 ? { body } : { blocked_by: `n${n - 1}` }),
    }))
    const ids = namesOf(plan(root, { issues }).stdout)
    expect(Object.keys(ids)).toHaveLength(count)
    expect(json(root, 'show', ids['n0'] ?? '').body).toBe(body)
    expect(
      plan(root, { issues: [{ ...issues[0], body: '', blocked_by: `n${count - 1}` }, ...issues.slice(1)] }).code,
    ).toBe(5)
    expect(json(root, 'doctor', '--log').issues).toBe(count)
  })
})
