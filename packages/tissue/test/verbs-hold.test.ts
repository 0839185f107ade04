import { readFileSync } from 'node:fs'
import { run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'

describe('tissue claim, release and close', () => {
  it('claim holds an issue against others and names the holder to them', () => {
    const root = repoWithIssues()
    const claimed = json(root, 'claim', 'k3vd', '--ttl', '2h')
    expect(claimed).toMatchObject({ status: 'in_progress', claim: { by: 'ada' } })
    expect(claimed.claim.until - claimed.claim.since).toBe(7_200_000)
    const before = readFileSync(logOf(root))
    const other = tissue(root, ['claim', 'k3vd', '--as', 'bob'])
    expect(other).toMatchObject({ code: 5, stdout: '' })
    expect(other.stderr).toContain(
      `expected ${k3vd} to be free, ada holds it until ${new Date(claimed.claim.until).toISOString()}`,
    )
    expect(readFileSync(logOf(root))).toEqual(before)
    expect(json(root, 'claim', 'k3vd').claim.id).toBe(claimed.claim.id)
    expect(tissue(root, ['list', '--mine', '--quiet']).stdout).toBe(`${k3vd}\n`)
    expect(tissue(root, ['claim', '--next']).code).toBe(3)
    expect(tissue(root, ['claim', 'm5t0']).code).toBe(5)
    expect(tissue(root, ['claim']).code).toBe(2)
    expect(tissue(root, ['claim', 'k3vd', '--next']).code).toBe(2)
    expect(tissue(root, ['claim', 'k3vd', '--ttl', '0s']).code).toBe(2)
  })

  it('claim is under the name that jwz whoami --save keeps for this pane', () => {
    const root = repoWithIssues()
    const env = { TMUX: '/tmp/tmux/default,1,0', TMUX_PANE: '%1' }
    expect(run('jwz', ['whoami', '--save', 'carol'], { cwd: root, env }).code).toBe(0)
    const claimed = run('tissue', ['claim', 'k3vd', '--json'], { cwd: root, env })
    expect(JSON.parse(claimed.stdout)).toMatchObject({ claim: { by: 'carol' } })
    expect(run('tissue', ['list', '--mine', '-q'], { cwd: root, env }).stdout).toBe(`${k3vd}\n`)
  })

  it('release gives it back, with a fence only while that is current', () => {
    const root = repoWithIssues()
    const { claim } = json(root, 'claim', '--next')
    expect(tissue(root, ['release', 'k3vd', '--as', 'bob'])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /^tissue: expected \S+ to be free, ada holds it until \S+; wait, or override it with --force\n$/,
      ),
    })
    expect(tissue(root, ['release', 'k3vd', '--fence', 'other']).code).toBe(5)
    expect(json(root, 'release', 'k3vd', '--fence', claim.id, '--note', 'later')).toMatchObject({
      status: 'open',
      claim: null,
    })
    expect(tissue(root, ['release', 'k3vd'])).toEqual({
      code: 0,
      stdout: `${k3vd}\n`,
      stderr: 'auth-k3vd was not claimed\n',
    })
    expect(tissue(root, ['release', 'k3vd', '--fence', claim.id]).code).toBe(5)
    const again = json(root, 'claim', 'k3vd')
    expect(json(root, 'release', 'k3vd', '--as', 'bob', '--force')).toMatchObject({ status: 'open', claim: null })
    expect(json(root, 'claim', 'k3vd', '--as', 'bob').claim.by).toBe('bob')
    expect(tissue(root, ['release', 'k3vd', '--force', '--fence', again.claim.id]).code).toBe(5)
  })

  it('close ends issues, again without an event, and refuses the blocked and the held', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['close', 'x9qa']).stderr).toBe(
      `tissue: expected ${x9qa} to wait for nothing, it is blocked by ${k3vd}; close those first, or override with --force\n`,
    )
    tissue(root, ['claim', 'k3vd', '--as', 'bob'])
    expect(tissue(root, ['close', 'k3vd']).code).toBe(5)
    expect(tissue(root, ['close', 'k3vd', '--fence', 'other', '--as', 'bob']).code).toBe(5)
    expect(tissue(root, ['close', 'k3vd', 'x9qa', '--reason', 'done', '--as', 'bob'])).toEqual({
      code: 0,
      stdout: `${k3vd}\n${x9qa}\n`,
      stderr: '',
    })
    const before = readFileSync(logOf(root))
    expect(json(root, 'close', 'k3vd')).toMatchObject({ status: 'closed', close_reason: 'done', claim: null })
    expect(readFileSync(logOf(root))).toEqual(before)
    expect(tissue(root, ['close']).code).toBe(2)
  })

  it('hands over an issue whose lease is over; its former holder cannot close it', () => {
    const root = repoWithIssues()
    const { claim } = json(root, 'claim', 'k3vd', '--ttl', '1ms')
    expect(tissue(root, ['ready', '--quiet']).stdout).toBe(`${k3vd}\n`)
    expect(tissue(root, ['claim', '--next', '--as', 'bob']).code).toBe(0)
    expect(tissue(root, ['close', 'k3vd', '--fence', claim.id]).code).toBe(5)
    expect(json(root, 'show', 'k3vd')).toMatchObject({ status: 'in_progress', claim: { by: 'bob' } })
  })
})
