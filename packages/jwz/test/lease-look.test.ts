import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { leaseSchema } from '../src/lease/schema.ts'
import { failed, ok } from './bus.ts'
import { freshLeases } from './lease-bus.ts'

const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'

describe('jwz lease list', () => {
  it('has a line for each lease, or says that there is none', () => {
    const { lease, acquire } = freshLeases()
    expect(lease('list')).toMatchObject({ code: 0, stdout: '', stderr: 'no leases\n' })
    expect(lease('list', '--json')).toEqual(ok('[]\n'))
    const id = acquire('src/**', 'deploy', '--reason', 'a parser')
    const shared = acquire('docs/*', '--shared', '--as', 'bob')
    const { stdout } = lease('list')
    expect(stdout).toMatch(
      new RegExp(
        `^${id}\tann\texclusive\t${time}\tdeploy src/\\*\\*\ta parser\n${shared}\tbob\tshared\t${time}\tdocs/\\*\t\n$`,
      ),
    )
    expect(lease('list', '--mine', '-q')).toEqual(ok(`${id}\n`))
    expect(lease('list', '-q')).toEqual(ok(`${id}\n${shared}\n`))
  })
})

describe('jwz lease check', () => {
  it('exits 0 for what is free or mine, 1 with the leases in the way', () => {
    const { lease, acquire } = freshLeases()
    expect(lease('check', 'deploy')).toEqual(ok(''))
    const id = acquire('deploy')
    expect(lease('check', 'deploy')).toEqual(ok(''))
    expect(lease('check', 'free', 'deploy', '--as', 'bob', '-q')).toEqual({ ...ok(`${id}\n`), code: 1 })
    const [view] = JSON.parse(lease('check', 'deploy', '--as', 'bob', '--json').stdout)
    expect(leaseSchema.strict().safeParse(view)).toMatchObject({ success: true })
    acquire('docs/**', '--shared')
    expect(lease('check', 'docs/a.md', '--as', 'bob').code).toBe(1)
    expect(lease('check', 'docs/a.md', '--as', 'bob', '--shared').code).toBe(0)
  })

  it('wants keys or --staged', () => {
    const { lease } = freshLeases()
    expect(lease('check').stderr).toBe('jwz: expected keys or --staged, got neither\n')
    expect([lease('check', 'a', '--staged').code, lease('check', 'a', '--strict').code]).toEqual([2, 2])
  })
})

describe('jwz lease check --staged', () => {
  it('says nothing without a store, and without git asks nobody', () => {
    const { lease, jwz, cwd } = freshLeases()
    expect(lease('check', '--staged', '--strict')).toEqual(ok(''))
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
    expect(jwz(['lease', 'check', '--staged'], { env: { PATH: '' } })).toEqual(ok(''))
  })

  it('warns of what is staged under exclusive leases of others, and exits 1 only when it is to be strict', () => {
    const { cwd, lease, acquire, jwz } = freshLeases()
    mkdirSync(join(cwd, 'src'))
    const names = ['a.ts', 'b\n.ts', 'ö.ts', '*.ts']
    for (const name of names) writeFileSync(join(cwd, 'src', name), '')
    writeFileSync(join(cwd, 'README.md'), 'changed')
    git(cwd, 'add', '--all')
    const id = acquire('src/**', '--as', 'bob', '--reason', 'a parser')
    acquire('*.md', '--shared', '--as', 'cid')
    const warning = new RegExp(
      `^bob holds src/\\*\\* until ${time} \\(a parser\\); staged here: src/\\*\\.ts, src/a\\.ts, src/b \\.ts and 1 more\\n$`,
    )
    expect(lease('check', '--staged')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(warning) })
    expect(lease('check', '--staged', '--strict')).toMatchObject({ code: 1, stdout: '' })
    expect(lease('check', '--staged', '--as', 'bob')).toEqual(ok(''))
    expect(jwz(['lease', 'check', '--staged', '-q'], { cwd: join(cwd, 'src') })).toEqual(ok(`${id}\n`))
    const [view] = JSON.parse(lease('check', '--staged', '--json').stdout)
    expect(view).toMatchObject({ id, paths: ['src/*.ts', 'src/a.ts', 'src/b\n.ts', 'src/ö.ts'] })
    expect(leaseSchema.strict().safeParse(view)).toMatchObject({ success: true })
  })

  it('guards a commit as a hook, also a partial one', () => {
    const { cwd, acquire } = freshLeases()
    for (const name of ['a', 'b']) writeFileSync(join(cwd, name), '')
    acquire('./a', '--as', 'bob')
    const hook = '#!/bin/sh\njwz lease check --staged --strict\n'
    mkdirSync(join(cwd, '.git/hooks'), { recursive: true })
    writeFileSync(join(cwd, '.git/hooks/pre-commit'), hook, { mode: 0o755 })
    git(cwd, 'add', '--all')
    expect(() => git(cwd, 'commit', '-m', 'both')).toThrow(/bob holds \.\/a until/)
    git(cwd, 'commit', '-m', 'only b', '--', 'b')
    expect(git(cwd, 'diff', '--cached', '--name-only')).toBe('a')
  })

  it('warns only, when it cannot look', () => {
    const { cwd, lease, acquire, log } = freshLeases()
    acquire('a/**', '--as', 'bob')
    writeFileSync(join(cwd, '.git/index'), 'no index')
    expect(lease('check', '--staged')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('leases were not looked at: git'),
    })
    expect(lease('check', '--staged', '--strict')).toMatchObject({ code: 8 })
    expect(readFileSync(log, 'utf8')).toContain('a/**')
  })
})

describe('jwz lease acquire --steal', () => {
  it('takes a lease over, tells the former holder, and stops them', () => {
    const { lease, acquire, list, jwz, records } = freshLeases()
    const former = acquire('a', 'b')
    const stolen = lease('acquire', '--steal', 'a', '--reason', 'ann is gone', '--as', 'bob')
    const id = stolen.stdout.trim()
    expect(stolen).toEqual(ok(`${id}\n`))
    expect(list()).toEqual([
      expect.objectContaining({ id, holder: 'bob', keys: ['a', 'b'], fence: 2, reason: 'ann is gone' }),
    ])
    expect(records()[1]).toMatchObject({ type: 'steal', former: ['ann'], replaces: [former] })
    const acts = [
      ['acquire', '--renew', former],
      ['release', former],
      ['acquire', '--renew', 'a'],
      ['release', 'b'],
      ['acquire', 'a', 'b'],
    ]
    for (const [verb = '', ...args] of acts) expect([verb, lease(verb, ...args).code]).toEqual([verb, 5])
    const { body, to, data } = JSON.parse(jwz(['show', id, '--json']).stdout)
    expect(body).toMatch(new RegExp(`^stole a b from ann until ${time}: ann is gone$`))
    expect([to, data]).toEqual([['ann'], records()[1]])
  })

  it('exits 2 without a reason or for an own lease, 3 for none, 4 for several', () => {
    const { lease, acquire } = freshLeases()
    const id = acquire('a', '--shared')
    acquire('a', '--shared', '--as', 'bob')
    expect(lease('acquire', '--steal', 'a').stderr).toContain('expected --reason TEXT')
    expect(lease('acquire', '--steal', id, '--reason', 'x').code).toBe(2)
    expect(lease('acquire', '--steal', 'b', '--reason', 'x')).toEqual(
      failed(3, 'nobody else has a lease on b; see jwz lease list'),
    )
    expect(lease('acquire', '--steal', 'a', '--reason', 'x', '--as', 'cid').code).toBe(4)
  })

  it('exits 5 while another lease of the holder is in the way', () => {
    const { lease, acquire } = freshLeases()
    const [wide, narrow] = [acquire('src/**'), acquire('src/a/**')]
    const steal = (id: string) => lease('acquire', '--steal', id, '--reason', 'x', '--as', 'bob')
    expect(steal(narrow).stderr).toContain(`steal that one first: jwz lease acquire --steal ${wide}`)
    expect(steal(wide).code).toBe(5)
  })
})

describe('a lease that a stranger wrote', () => {
  it('does not make its words into lines of their own', () => {
    const { cwd, log, lease, acquire } = freshLeases()
    acquire('free')
    const id = '01KAH5T5A9Q3VX0W8ZK4M2N7P1'
    const taken = { type: 'acquire', v: 1, id, at: 5, from: 'eve\n', lease: id, keys: ['a\n/**'], mode: 'exclusive' }
    appendFileSync(log, `${JSON.stringify({ ...taken, until: 9e15, reason: 'x\njwz: y', fence: 2, replaces: [] })}\n`)
    mkdirSync(join(cwd, 'a\n'))
    writeFileSync(join(cwd, 'a\n', 'b\nc'), '')
    git(cwd, 'add', '.')
    const { code, stderr } = lease('check', '--staged')
    expect([code, stderr]).toEqual([0, 'eve holds a /** until 9000000000000000 (x jwz: y); staged here: a /b c\n'])
  })
})

describe('the feed of leases', () => {
  it('has each change under the id of its record', () => {
    const { lease, acquire, jwz, records } = freshLeases()
    acquire('deploy')
    lease('acquire', '--renew', 'deploy')
    lease('release', 'deploy')
    const messages = JSON.parse(jwz(['read', 'jwz:lease', '--json']).stdout)
    expect(messages.map(({ id }: { id: string }) => id)).toEqual(records().map(({ id }) => id))
    expect(messages.map(({ body }: { body: string }) => body.replace(/ until .*/, ''))).toEqual([
      'acquired deploy',
      'renewed deploy',
      'released deploy',
    ])
  })

  it('is mended by the next writer, and a record that is no lease disturbs nobody', () => {
    const { cwd, acquire, log, records, jwz, list } = freshLeases()
    acquire('a')
    writeFileSync(join(cwd, '.jwz/topics/jwz/lease.jsonl'), '')
    const old = JSON.parse(readFileSync(log, 'utf8'))
    writeFileSync(log, `${JSON.stringify({ ...old, at: old.at - 60_000 })}\n`)
    appendFileSync(log, 'not a record\n{"type":"later","v":2}\n')
    acquire('b')
    const messages = JSON.parse(jwz(['read', 'jwz:lease', '--json']).stdout)
    expect(messages.map(({ data }: { data: unknown }) => data)).toEqual(
      records().filter(({ type }) => type === 'acquire'),
    )
    expect(list()).toHaveLength(2)
    expect(jwz(['doctor', 'jwz:lease'])).toMatchObject({ code: 0 })
  })
})
