import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

/** A repository with a bus and one issue for each title. */
function withBus(...titles: string[]): { root: string; ids: string[] } {
  const root = tempRepo()
  expect(run('jwz', ['init'], { cwd: root }).code).toBe(0)
  return { root, ids: titles.map((title) => tissue(root, ['new', title]).stdout.trim()) }
}

type Lease = { holder: string; keys: string[]; until: number }

function leasesIn(root: string): Lease[] {
  return JSON.parse(run('jwz', ['lease', 'list', '--json'], { cwd: root }).stdout)
}

function keysIn(root: string): string[] {
  return leasesIn(root).flatMap(({ holder, keys }) => keys.map((key) => `${holder} ${key}`))
}

describe('claim --lease', () => {
  it('leases paths with the claim, for as long; closing gives them back', () => {
    const { root, ids } = withBus('One')
    const [id = ''] = ids
    const issue = json(root, 'claim', id, '--lease', 'src/**', '--lease', 'docs/*.md', '--ttl', '1h')
    expect(issue.claim.leases).toEqual(['docs/*.md', 'src/**'])
    expect(recordsIn(root).at(-2)).toMatchObject({ type: 'claimed', leases: ['docs/*.md', 'src/**'] })
    expect(keysIn(root)).toEqual(['ada docs/*.md', 'ada src/**'])
    expect(Math.abs((leasesIn(root)[0]?.until ?? 0) - issue.claim.until)).toBeLessThan(60_000)
    expect(json(root, 'close', id).status).toBe('closed')
    expect(leasesIn(root)).toEqual([])
  })

  it('means files by plain words, and show lists what is leased', () => {
    const { root, ids } = withBus('One')
    const [id = ''] = ids
    expect(json(root, 'claim', id, '--lease', 'README.md').claim.leases).toEqual(['./README.md'])
    expect(tissue(root, ['show', id]).stdout).toContain('\nleases    ./README.md\n')
    expect(tissue(root, ['claim', id, '--lease', '']).code).toBe(2)
    expect(tissue(root, ['release', id]).code).toBe(0)
    expect(leasesIn(root)).toEqual([])
  })

  it('takes neither when another has a path, and names who and what', () => {
    const { root, ids } = withBus('One', 'Two')
    const [one = '', two = ''] = ids
    tissue(root, ['claim', one, '--lease', 'src/**'])
    const before = readFileSync(logOf(root))
    const refused = tissue(root, ['claim', two, '--lease', 'docs/**', '--lease', 'src/a.ts', '--as', 'bob'])
    expect(refused).toMatchObject({ code: 5, stdout: '' })
    expect(refused.stderr).toMatch(
      /^tissue: expected src\/a\.ts to be free, ada holds src\/\*\* until .*\(tissue claim /,
    )
    expect(readFileSync(logOf(root))).toEqual(before)
    expect(keysIn(root)).toEqual(['ada src/**'])
    expect(tissue(root, ['claim', '--next', '--lease', 'docs/**', '--as', 'bob']).code).toBe(0)
  })

  it('leaves no lease behind when the issue cannot be had', () => {
    const { root, ids } = withBus('One')
    const [id = ''] = ids
    tissue(root, ['claim', id])
    expect(tissue(root, ['claim', id, '--lease', 'src/**', '--as', 'bob']).code).toBe(5)
    expect(tissue(root, ['claim', '--next', '--lease', 'src/**', '--as', 'bob']).code).toBe(3)
    expect(leasesIn(root)).toEqual([])
    expect(readFileSync(join(root, '.jwz/topics/tissue/feed.jsonl'), 'utf8')).not.toContain('bob')
  })

  it('needs a bus and jwz, and says which is missing', () => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'One']).stdout.trim()
    const refused = tissue(root, ['claim', id, '--lease', 'src/**'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('expected a bus to lease paths on, there is none at ')
    run('jwz', ['init'], { cwd: root })
    const alone = run('tissue', ['claim', id, '--lease', 'src/**'], { cwd: root, env: { PATH: '/nowhere' } })
    expect(alone).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining('cannot run jwz') })
    expect(tissue(root, ['claim', id, '--lease', '../other/**']).code).toBe(2)
    expect(json(root, 'show', id).claim).toBe(null)
  })

  it('gives back by release, a status that ends the claim, and a forced close by another, from any folder', () => {
    const { root, ids } = withBus('One')
    const [id = ''] = ids
    mkdirSync(join(root, 'sub'))
    const sub = join(root, 'sub')
    for (const end of [
      ['release', id],
      ['release', id, '--to', 'ada'],
      ['status', id, 'paused'],
      ['close', id, '--force', '--as', 'bob'],
    ]) {
      tissue(root, ['reopen', id])
      expect(json(sub, 'claim', id, '--lease', './*.ts').claim.leases).toEqual(['sub/*.ts'])
      tissue(root, ['status', id, 'in_progress'])
      expect(keysIn(root)).toEqual(['ada sub/*.ts'])
      expect(tissue(sub, end)).toMatchObject({ code: 0, stderr: '' })
      expect(leasesIn(root)).toEqual([])
    }
  })

  it('keeps what another claim of the same holder needs', () => {
    const { root, ids } = withBus('One', 'Two')
    const [one = '', two = ''] = ids
    tissue(root, ['claim', one, '--lease', 'src/**'])
    tissue(root, ['claim', two, '--lease', 'src/**', '--lease', 'docs/**'])
    tissue(root, ['close', two])
    expect(new Set(keysIn(root))).toEqual(new Set(['ada src/**']))
    expect(tissue(root, ['close', one])).toMatchObject({ code: 0, stderr: '' })
    expect(leasesIn(root)).toEqual([])
  })

  it('keeps a lease that was there before when the claim is lost', () => {
    const { root, ids } = withBus('One')
    const [id = ''] = ids
    run('jwz', ['lease', 'acquire', 'src/**', '--as', 'ada'], { cwd: root })
    const env = {
      ...faultEnv({ call: 'writeSync', nth: 1, action: 'ENOSPC', match: 'issues.jsonl' }),
      JWZ_AGENT: 'ada',
    }
    expect(run('tissue', ['claim', id, '--lease', 'src/**'], { cwd: root, env }).code).toBe(1)
    expect(keysIn(root)).toEqual(['ada src/**'])
    expect(run('tissue', ['claim', id, '--lease', 'docs/**'], { cwd: root, env }).code).toBe(1)
    expect(keysIn(root)).toEqual(['ada src/**'])
  })

  it('renews the leases with the claim, and says when one was lost', () => {
    const { root, ids } = withBus('One')
    const [id = ''] = ids
    tissue(root, ['claim', id, '--lease', 'src/**', '--ttl', '10m'])
    const [before] = leasesIn(root)
    json(root, 'claim', '--renew', id, '--ttl', '2h')
    const [after] = leasesIn(root)
    expect((after?.until ?? 0) - (before?.until ?? 0)).toBeGreaterThan(60 * 60_000)
    expect(json(root, 'claim', id, '--lease', 'docs/**').claim.leases).toEqual(['src/**', 'docs/**'])
    expect(keysIn(root).sort()).toEqual(['ada docs/**', 'ada src/**'])
    const steal = ['lease', 'acquire', '--steal', 'src/**', '--reason', 'urgent', '--as', 'bob']
    expect(run('jwz', steal, { cwd: root })).toMatchObject({ code: 0 })
    const lost = tissue(root, ['claim', '--renew', id])
    expect(lost.code).toBe(5)
    expect(lost.stdout).toMatch(/ until /)
    expect(lost.stderr).toMatch(/^tissue: the claim goes on, but not its leases: .*bob/)
    expect(tissue(root, ['close', id])).toMatchObject({ code: 0, stderr: '' })
    expect(keysIn(root)).toEqual(['bob src/**'])
  })

  it('killed between any two steps leaves nothing that its end does not mend', () => {
    const { root, ids } = withBus('One')
    const [id = ''] = ids
    for (let nth = 1, isOver = false; !isOver; nth += full ? 1 : 37) {
      const env = { ...faultEnv({ call: '*', nth, action: 'kill' }), JWZ_AGENT: 'ada' }
      const args = ['claim', id, '--lease', 'src/**', '--ttl', '1h']
      const { code } = run('tissue', args, { cwd: root, env })
      const { claim } = json(root, 'show', id)
      if (claim) expect(claim).toMatchObject({ by: 'ada', leases: ['src/**'] })
      if (claim) expect(keysIn(root)).toEqual(['ada src/**'])
      expect(tissue(root, args)).toMatchObject({ code: 0, stderr: '' })
      expect(tissue(root, ['release', id])).toMatchObject({ code: 0, stderr: '' })
      expect(leasesIn(root)).toEqual([])
      isOver = code === 0
    }
  })
})
