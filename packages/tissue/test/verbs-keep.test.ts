import { readFileSync } from 'node:fs'
import { run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, recordsIn, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'

/** Waits until a lease of a millisecond is over. */
function claimBriefly(root: string, name = 'ada'): void {
  expect(tissue(root, ['claim', 'k3vd', '--ttl', '1ms', '--as', name]).code).toBe(0)
}

describe('tissue claim --renew', () => {
  it('keeps a claim for as long as it was taken for, or for --ttl, and prints the new end', () => {
    const root = repoWithIssues()
    const { claim } = json(root, 'claim', 'k3vd', '--ttl', '2h')
    const kept = json(root, 'claim', '--renew', 'k3vd')
    expect(kept).toMatchObject({ id: k3vd, status: 'in_progress', claim: { id: claim.id, since: claim.since } })
    expect(kept.claim.until).toBeGreaterThanOrEqual(claim.until)
    expect(recordsIn(root).at(-1)).toMatchObject({ type: 'claimed', renews: claim.id, until: kept.claim.until })
    const { code, stdout, stderr } = tissue(root, ['claim', '--renew', 'k3vd', '--ttl', '1d'])
    const [, end = ''] = /^auth-k3vd7rm2w9ht {2}until (\S+)\n$/.exec(stdout) ?? []
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(Date.parse(end) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    expect(json(root, 'show', 'k3vd').claim.until).toBe(Date.parse(end))
  })

  it('without an id keeps all that is held, in one line of the log; exit 3 when that is nothing', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['claim', '--renew'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'tissue: expected an issue that ada holds, there is none; take one with tissue claim --next\n',
    })
    tissue(root, ['claim', 'k3vd'])
    tissue(root, ['claim', 'x9qa'])
    const before = recordsIn(root).length
    expect(tissue(root, ['claim', '--renew', '--quiet']).stdout.trim().split('\n').sort()).toEqual([k3vd, x9qa])
    expect(recordsIn(root)).toHaveLength(before + 1)
    expect(json(root, 'claim', '--renew').map(({ id }: { id: string }) => id)).toHaveLength(2)
    expect(tissue(root, ['claim', '--renew', '--jsonl']).stdout.split('\n')).toHaveLength(3)
    expect(tissue(root, ['claim', '--renew', '--as', 'bob']).code).toBe(3)
  })

  it('is exit 5, naming the holder, for what is over or of another, and writes nothing', () => {
    const root = repoWithIssues()
    claimBriefly(root)
    expect(tissue(root, ['claim', '--renew', 'k3vd']).stderr).toMatch(
      /^tissue: expected auth-k3vd7rm2w9ht to be held by ada, the claim ran out .*Z; stop, or take it again with tissue claim/,
    )
    expect(tissue(root, ['claim', 'k3vd', '--as', 'bob']).code).toBe(0)
    const before = readFileSync(logOf(root))
    const lost = tissue(root, ['claim', '--renew', 'k3vd'])
    expect(lost).toMatchObject({ code: 5, stdout: '' })
    expect(lost.stderr).toContain('to be held by ada, bob holds it until ')
    tissue(root, ['close', 'k3vd', '--as', 'bob'])
    const closed = tissue(root, ['claim', '--renew', 'k3vd', '--json'])
    expect(closed.code).toBe(5)
    expect(JSON.parse(closed.stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'conflict',
      message: `expected ${k3vd} to be held by ada, nobody holds it, it is closed`,
    })
    expect(readFileSync(logOf(root)).subarray(0, before.length)).toEqual(before)
    expect(tissue(root, ['claim', '--renew', 'nope']).code).toBe(3)
    expect(tissue(root, ['claim', '--renew', 'k3vd', '--ttl', '0s']).code).toBe(2)
  })

  it('takes no flag of a new claim, and is what heartbeat was', () => {
    const root = repoWithIssues()
    for (const [flags, message] of [
      [['--next'], 'expected --renew without --next or --lease'],
      [['k3vd', '--lease', 'src/**'], 'expected --renew without --next or --lease'],
      [['--tag', 'sso'], 'expected --tag, --type, --parent and --query only with --next'],
    ] as const)
      expect(tissue(root, ['claim', '--renew', ...flags])).toEqual({
        code: 2,
        stdout: '',
        stderr: `tissue: ${message}\n`,
      })
    expect(tissue(root, ['heartbeat', 'k3vd'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected a verb, got "heartbeat"; did you mean tissue claim --renew?\n',
    })
  })
})

describe('whoever works on what it holds', () => {
  it('keeps it by any write, but does not get it back', () => {
    const root = repoWithIssues()
    const { claim } = json(root, 'claim', 'k3vd', '--ttl', '1h')
    tissue(root, ['comment', 'k3vd', '-m', 'half way'])
    const kept = json(root, 'show', 'k3vd').claim
    expect(kept.id).toBe(claim.id)
    expect(kept.until).toBeGreaterThan(claim.until)
    tissue(root, ['comment', 'k3vd', '-m', 'seen', '--as', 'bob'])
    expect(json(root, 'show', 'k3vd').claim).toEqual(kept)
    expect(json(root, 'claim', 'k3vd', '--ttl', '1ms').claim.id).toBe(claim.id)
    tissue(root, ['comment', 'k3vd', '-m', 'too late'])
    expect(json(root, 'show', 'k3vd').claim.until).toBeLessThan(Date.now())
    const taken = JSON.parse(tissue(root, ['claim', 'k3vd', '--as', 'bob', '--json']).stdout).claim
    tissue(root, ['comment', 'k3vd', '-m', 'much too late'])
    expect(json(root, 'show', 'k3vd').claim).toEqual(taken)
  })

  it('who claims an issue whose lease ran out is told whose it was, and the event names it', () => {
    const root = repoWithIssues()
    claimBriefly(root)
    expect(tissue(root, ['claim', '--next', '--as', 'bob'])).toMatchObject({
      code: 0,
      stderr: 'auth-k3vd was held by ada, whose lease ran out: look for what is half done\n',
    })
    expect(recordsIn(root).at(-2)).toMatchObject({ type: 'claimed', by: 'bob', previous: 'ada' })
  })

  it('gets --next only what is meant for it or for nobody; by its id anything, with a word', () => {
    const root = repoWithIssues()
    tissue(root, ['claim', 'k3vd'])
    expect(tissue(root, ['release', 'k3vd', '--to', 'bob'])).toEqual({ code: 0, stdout: `${k3vd}\n`, stderr: '' })
    expect(json(root, 'show', 'k3vd')).toMatchObject({ status: 'open', assignee: 'bob', claim: null })
    expect(recordsIn(root).at(-1)).toMatchObject({ type: 'released', to: 'bob' })
    expect(tissue(root, ['claim', '--next']).code).toBe(3)
    expect(tissue(root, ['claim', 'k3vd'])).toMatchObject({ code: 0, stderr: 'auth-k3vd is assigned to bob\n' })
    tissue(root, ['release', 'k3vd'])
    expect(tissue(root, ['claim', '--next', '--as', 'bob'])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('tissue release of several', () => {
  it('is all or none, in one line of the log, and hands on what nobody holds', () => {
    const root = repoWithIssues()
    tissue(root, ['claim', 'k3vd'])
    tissue(root, ['claim', 'x9qa', '--as', 'bob'])
    const before = readFileSync(logOf(root))
    expect(tissue(root, ['release', 'k3vd', 'x9qa'])).toMatchObject({ code: 5, stdout: '' })
    expect(readFileSync(logOf(root))).toEqual(before)
    tissue(root, ['release', 'x9qa', '--as', 'bob'])
    const lines = recordsIn(root).length
    expect(tissue(root, ['release', 'k3vd', 'x9qa', '--to', 'carol', '--note', 'sick'])).toEqual({
      code: 0,
      stdout: `${k3vd}\n${x9qa}\n`,
      stderr: 'auth-x9qa was not claimed; no note was left\n',
    })
    expect(recordsIn(root)).toHaveLength(lines + 1)
    for (const id of [k3vd, x9qa]) expect(json(root, 'show', id)).toMatchObject({ assignee: 'carol', status: 'open' })
    expect(json(root, 'show', k3vd).comments.at(-1)).toMatchObject({ body: 'sick' })
    const after = readFileSync(logOf(root))
    expect(tissue(root, ['release', 'k3vd', '--to', 'carol']).stderr).toBe('auth-k3vd was not claimed\n')
    expect(readFileSync(logOf(root))).toEqual(after)
    expect(tissue(root, ['release']).code).toBe(2)
    expect(tissue(root, ['release', 'k3vd', '--to', '']).code).toBe(2)
  })
})

describe('the setting lease', () => {
  it('is how long a claim lasts that does not say', () => {
    const root = repoWithIssues()
    const minutes = ({ claim }: { claim: { since: number; until: number } }) => (claim.until - claim.since) / 60_000
    expect(minutes(json(root, 'claim', 'k3vd'))).toBe(60)
    tissue(root, ['release', 'k3vd'])
    const event = { v: 1, id: '01JD5K0000000000000000ZZZZ', seq: 900, at: 1, by: 'ada', type: 'configured' }
    const input = `${JSON.stringify({ ...event, settings: { lease: '2h' } })}\n`
    expect(run('tissue', ['import', '-'], { cwd: root, input }).code).toBe(0)
    expect(minutes(json(root, 'claim', 'k3vd'))).toBe(120)
  })
})
