import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { git, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { leaseSchema, releasedSchema } from '../src/lease/schema.ts'
import { failed, ok, ulidPattern } from './bus.ts'
import { freshLeases } from './lease-bus.ts'

const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'

describe('jwz lease acquire', () => {
  it('prints the id of the lease, and writes one record', () => {
    const { lease, records, list } = freshLeases()
    const { code, stdout } = lease('acquire', 'deploy', 'src/**', 'deploy', '--reason', 'a parser', '--ttl', '1h')
    const id = stdout.trim()
    expect([code, id]).toEqual([0, expect.stringMatching(ulidPattern)])
    const [record] = records()
    expect(record).toEqual({
      type: 'acquire',
      v: 1,
      id,
      at: expect.any(Number),
      from: 'ann',
      lease: id,
      keys: ['deploy', 'src/**'],
      mode: 'exclusive',
      until: Number(record?.['at']) + 3_600_000,
      reason: 'a parser',
      fence: 1,
      replaces: [],
    })
    expect(list()).toEqual([expect.objectContaining({ id, holder: 'ann', keys: ['deploy', 'src/**'], fence: 1 })])
  })

  it('keeps another out with exit 5 and a line that names holder, key, end and reason', () => {
    const { lease, acquire, records } = freshLeases()
    acquire('src/**', '--reason', 'a parser')
    const { code, stdout, stderr } = lease('acquire', 'free', 'src/a.ts', '--as', 'bob')
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(
      new RegExp(
        `^jwz: expected src/a.ts to be free, ann holds src/\\*\\* until ${time} \\(a parser\\); wait for it with --wait 10m, or do something else first\n$`,
      ),
    )
    expect(records()).toHaveLength(1)
    const { stderr: object } = lease('acquire', 'src/a.ts', '--as', 'bob', '--json')
    expect(JSON.parse(object.split('\n')[1] ?? '')).toMatchObject({ error: { code: 'conflict', retryable: true } })
  })

  it('renews what one has already, under the same id and fence', () => {
    const { acquire, list } = freshLeases()
    const id = acquire('b', 'a', '--reason', 'first', '--ttl', '1m')
    const [before] = list()
    expect(acquire('a', 'b', '--ttl', '1h')).toBe(id)
    const [after, ...more] = list()
    expect(more).toEqual([])
    expect(after).toMatchObject({ id, fence: 1, reason: 'first' })
    expect(after?.until).toBeGreaterThan(before?.until ?? 0)
  })

  it('lets shared leases stand side by side, and nothing beside an exclusive one', () => {
    for (const [first, second, code] of [
      [[], [], 5],
      [['--shared'], [], 5],
      [[], ['--shared'], 5],
      [['--shared'], ['--shared'], 0],
    ] as const) {
      const { lease, acquire } = freshLeases()
      acquire('docs/*.md', ...first)
      expect([first, second, lease('acquire', '**/jwz.md', '--as', 'bob', ...second).code]).toEqual([
        first,
        second,
        code,
      ])
    }
  })

  it('makes an exclusive lease of a shared one, when nobody else shares it', () => {
    const { lease, acquire, list } = freshLeases()
    const id = acquire('db', '--shared')
    expect(lease('acquire', 'db', '--shared', '--as', 'bob').code).toBe(0)
    expect(lease('acquire', 'db').stderr).toContain('bob holds it until')
    expect(lease('release', 'db', '--as', 'bob').code).toBe(0)
    const exclusive = acquire('db')
    expect(exclusive).not.toBe(id)
    expect(list()).toEqual([expect.objectContaining({ id: exclusive, mode: 'exclusive', fence: 3 })])
  })

  it('takes the place of a lease that is over, with a larger fence', () => {
    const { lease, acquire, records, list, jwz } = freshLeases()
    const first = acquire('deploy', '--ttl', '1ms')
    expect([list(), list('--all')]).toEqual([[], [expect.objectContaining({ id: first, state: 'expired' })]])
    const second = JSON.parse(lease('acquire', 'deploy', '--as', 'bob', '--json').stdout)
    expect(second).toMatchObject({ holder: 'bob', fence: 2, state: 'held' })
    expect(leaseSchema.strict().safeParse(second)).toMatchObject({ success: true })
    expect(records()[1]).toMatchObject({ replaces: [first], former: ['ann'] })
    expect(lease('acquire', '--renew', first)).toMatchObject({ code: 5 })
    expect(lease('release', first).stderr).toBe(
      `jwz: expected lease ${first} to be ann's, bob has it; it belongs to another now: stop\n`,
    )
    expect(JSON.parse(jwz(['latest', 'jwz:lease', '--json']).stdout)).toMatchObject({ to: ['ann'], from: 'bob' })
  })

  it('takes patterns relative to the current folder, and worktrees share them', () => {
    const { cwd, jwz, acquire, list } = freshLeases()
    mkdirSync(join(cwd, 'src/deep'), { recursive: true })
    const tree = join(tempFolder('tree'), 'tree')
    git(cwd, 'worktree', 'add', '-q', tree)
    mkdirSync(join(tree, 'src'))
    const result = jwz(['lease', 'acquire', '*.ts', '../x', '--json'], { cwd: join(cwd, 'src/deep') })
    expect(JSON.parse(result.stdout).keys).toEqual(['src/deep/*.ts', 'src/x'])
    const inTree = (...args: string[]) => jwz(['lease', ...args, '--as', 'bob'], { cwd: join(tree, 'src') }).code
    expect([inTree('acquire', './x'), inTree('acquire', 'deep/**'), inTree('acquire', 'y/**')]).toEqual([5, 5, 0])
    expect(jwz(['lease', 'acquire', join(tree, 'src/x/z'), '--as', 'bob'], { cwd: tree }).code).toBe(5)
    expect(list().map(({ keys }) => keys)).toEqual([['src/deep/*.ts', 'src/x'], ['src/y/**']])
    acquire('deploy')
    expect(inTree('check', 'deploy')).toBe(1)
  })

  it('waits for the lease to be given back, or to be over', async () => {
    const { cwd, acquire, lease } = freshLeases()
    acquire('deploy', '--ttl', '1h')
    // Either may be first, and the other waits until that one's is over.
    const waiting = ['bob', 'cid'].map((name) =>
      start('jwz', ['lease', 'acquire', 'deploy', '--wait', '10m', '--ttl', '1s', '--as', name], { cwd, input: '' }),
    )
    expect(lease('release', 'deploy').code).toBe(0)
    const ends = await Promise.all(waiting.map(({ done }) => done))
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
  })

  it('exits 124 when it was not had in time', () => {
    const { lease, acquire } = freshLeases()
    acquire('deploy')
    const { code, stderr } = lease('acquire', 'deploy', '--as', 'bob', '--wait', '50ms')
    expect(code).toBe(124)
    expect(stderr).toMatch(
      /^jwz: waited 0\.05 s: expected deploy to be free, ann holds it until .*; wait longer with --wait\n$/,
    )
  })

  it('says that a name is no file', () => {
    const { lease } = freshLeases()
    const { code, stderr } = lease('acquire', 'README.md')
    expect([code, stderr]).toEqual([
      0,
      'README.md is taken as a name, not as the file that is here; ./README.md is the file\n',
    ])
  })

  it('refuses keys that are none, and leaves nothing behind', () => {
    const { cwd, lease } = freshLeases()
    for (const key of ['', ' ', 'a\nb', 'x'.repeat(10_000), '../..', '/etc/passwd'])
      expect([key, lease('acquire', key)]).toEqual([key, expect.objectContaining({ code: 2, stdout: '' })])
    expect(lease('acquire')).toMatchObject({ code: 2 })
    expect(lease('acquire', 'a', '--reason', '')).toMatchObject({ code: 2 })
    expect(lease('acquire', 'a', '--ttl', '0s')).toEqual(
      failed(2, '--ttl takes a time above 0; got 0; jwz lease release gives a lease back'),
    )
    const many = Array.from({ length: 10 }, (_, at) => `${at}${'x'.repeat(900)}`)
    expect(lease('acquire', ...many).stderr).toContain('the keys of a lease have at most 8000 bytes; got 9019')
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })
})

describe('jwz lease acquire --renew', () => {
  it('moves the end, by id or key, also of a lease that is over and was not taken', () => {
    const { lease, acquire, list } = freshLeases()
    const id = acquire('deploy', '--ttl', '1ms')
    expect(lease('acquire', '--renew', id)).toEqual(ok(`${id}\n`))
    expect(list()).toEqual([expect.objectContaining({ id, fence: 1 })])
    const [renewed] = JSON.parse(lease('acquire', '--renew', 'deploy', '--ttl', '1d', '--json').stdout)
    expect(renewed).toMatchObject({ id, state: 'held' })
    expect(leaseSchema.strict().safeParse(renewed)).toMatchObject({ success: true })
  })

  it('keeps the reason, or says another', () => {
    const { lease, acquire, list } = freshLeases()
    acquire('deploy', '--reason', 'a parser')
    expect(lease('acquire', '--renew', 'deploy').code).toBe(0)
    expect(list()).toEqual([expect.objectContaining({ reason: 'a parser' })])
    expect(lease('acquire', '--renew', 'deploy', '--reason', 'its tests').code).toBe(0)
    expect(list()).toEqual([expect.objectContaining({ reason: 'its tests' })])
  })

  it('exits 3 without a lease, 5 when it is of another', () => {
    const { lease, acquire } = freshLeases()
    expect(lease('acquire', '--renew', 'deploy')).toEqual(failed(3, 'ann has no lease on deploy; jwz lease acquire it'))
    const id = acquire('deploy')
    expect([
      lease('acquire', '--renew', id, '--as', 'bob').code,
      lease('acquire', '--renew', 'deploy', '--as', 'bob').code,
    ]).toEqual([5, 5])
    expect(lease('release', id)).toMatchObject({ code: 0 })
    expect(lease('acquire', '--renew', id)).toEqual(failed(3, `ann has no lease ${id} any more; jwz lease acquire it`))
  })
})

describe('jwz lease acquire with flags that exclude each other', () => {
  it.each([
    [['--renew', '--steal'], '--renew is for a lease as it is; got --steal beside it'],
    [['--renew', '--shared'], '--renew is for a lease as it is; got --shared beside it'],
    [['--steal', '--wait', '1s'], '--steal is for a lease as it is; got --wait beside it'],
    [['--steal', 'b'], '--steal takes over one lease, got 2 keys; name one of its keys; all are taken over'],
  ])('refuses %j', (flags, message) => {
    const { lease, records } = freshLeases()
    expect(lease('acquire', 'a', ...flags)).toEqual(failed(2, message))
    expect(records()).toEqual([])
  })
})

describe('jwz lease release', () => {
  it('gives a lease back by its id, and single keys by name', () => {
    const { lease, acquire, list } = freshLeases()
    const id = acquire('a', 'b', 'c')
    const [released] = JSON.parse(lease('release', 'b', '--json').stdout)
    expect(released).toMatchObject({ lease: id, keys: ['b'] })
    expect(releasedSchema.strict().safeParse(released)).toMatchObject({ success: true })
    expect(list()).toEqual([expect.objectContaining({ id, keys: ['a', 'c'] })])
    expect(lease('release', 'a', 'c')).toEqual(ok(`${id}\n`))
    expect(list('--all')).toEqual([])
    const next = acquire('x')
    expect(lease('release', next)).toEqual(ok(`${next}\n`))
  })

  it('takes a word with the form of an id for a name where a lease is on it', () => {
    const { lease, acquire } = freshLeases()
    const message = '01KAH5T5A9Q3VX0W8ZK4M2N7P1'
    const id = acquire(message)
    expect(lease('acquire', '--renew', message)).toEqual(ok(`${id}\n`))
    expect(lease('release', message)).toEqual(ok(`${id}\n`))
  })

  it('exits 0 with a note when there is nothing left to give back', () => {
    const { lease, acquire, records } = freshLeases()
    const id = acquire('a')
    lease('release', 'a')
    expect(lease('release', 'a', id)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `nobody held a\nnobody held ${id}\n`,
    })
    expect(records()).toHaveLength(2)
  })

  it('exits 5 for a lease of another and changes nothing, 3 for an id that is none', () => {
    const { lease, acquire, list } = freshLeases()
    acquire('mine')
    const id = acquire('deploy', '--as', 'bob')
    expect([lease('release', 'mine', id).code, lease('release', 'mine', 'deploy').code]).toEqual([5, 5])
    expect(list()).toHaveLength(2)
    expect(lease('release', '01KAH5T5A9Q3VX0W8ZK4M2N7PB')).toEqual(
      failed(3, 'no lease 01KAH5T5A9Q3VX0W8ZK4M2N7PB; jwz lease list --all shows them'),
    )
  })
})
