import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultEnv, full, itWith, run, start, stopped } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { compactionSchema } from '../src/schemas.ts'
import { blobBus } from './blob-bus.ts'
import { ok } from './bus.ts'

const nothing = { ...ok(''), stderr: 'nothing is old or large enough to be sealed or dropped\n' }

describe('the files of jwz compact', () => {
  it('removes what no line names and is old, and left-over drafts', () => {
    const { cwd, jwz, put, post, age, files } = blobBus()
    const unused = put('unused')
    const named = put('named in a message')
    post('t', `see ${named}`)
    post('deep:t', 'x'.repeat(40_000))
    writeFileSync(join(cwd, 'f'), 'attached')
    post('t', 'with a file', '--attach', 'f')
    writeFileSync(join(cwd, '.jwz/blobs/01KAH5T5A9Q3VX0W8ZK4M2N7PB.draft'), 'half')
    age(25)
    put('young')
    const report = { removed: [{ sha256: unused, bytes: 6 }], bytes: 6, drafts: 1, kept: 4 }
    const [dry] = JSON.parse(jwz(['compact', '--dry-run', '--json']).stdout)
    const nothingElse = { topic: null, sealed: null, dropped: null, unread_by: [] }
    expect(compactionSchema.strict().parse(dry)).toEqual({ ...nothingElse, files: report })
    expect(files()).toHaveLength(6)
    expect(jwz(['compact', '--dry-run'])).toEqual(
      ok('would have removed 1 unused file (6 bytes) and 1 left-over draft\n'),
    )
    expect(jwz(['compact', '-q'])).toEqual(ok(`${unused}\n`))
    expect(jwz(['compact', '-q'])).toEqual(ok(''))
    expect(files()).toHaveLength(4)
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
  })

  it('looks into sealed segments, and refuses to touch what is young', () => {
    const { cwd, jwz, put, post, file, age, files } = blobBus()
    post('t', 'x'.repeat(40_000))
    const sealed = join(cwd, '.jwz/topics/t.01KAH5T5A9Q3VX0W8ZK4M2N7PB.jsonl')
    writeFileSync(sealed, readFileSync(file('t')))
    writeFileSync(file('t'), '')
    age(48)
    put('unused')
    expect(jwz(['compact'])).toEqual(nothing)
    expect(files()).toHaveLength(2)
    age(23)
    expect(jwz(['compact'])).toEqual(nothing)
    age(25)
    expect(jwz(['compact'])).toEqual(ok('removed 1 unused file (6 bytes)\n'))
    expect(files()).toHaveLength(1)
  })

  it('goes with the last message that names it, once it is a day old', () => {
    const { jwz, attach, age, files } = blobBus()
    attach('attached')
    age(48)
    expect(jwz(['compact', 't', '--older-than', '0s']).stdout).toMatch(
      /^t: sealed 1 message .*; dropped 1 segment .*\nremoved 1 unused file \(8 bytes\)\n$/,
    )
    expect(files()).toEqual([])
  })

  itWith('permissions that stop this user', 'says in a line that it may not', () => {
    const { cwd, put } = blobBus()
    put('hello\n')
    for (const folder of ['.', '.jwz']) chmodSync(join(cwd, folder), 0o555)
    const { code, stderr } = run('jwz', ['compact'], { cwd, unprivileged: true })
    for (const folder of ['.', '.jwz']) chmodSync(join(cwd, folder), 0o755)
    expect([code, stderr]).toEqual([
      1,
      `jwz: unused files were to be removed from ${cwd}/.jwz, the disk answered EACCES\n`,
    ])
  })

  it('makes no store', () => {
    const { cwd, jwz } = blobBus()
    expect(jwz(['compact'])).toEqual(nothing)
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it('takes nothing that is posted again while it is stopped before any of its calls', async () => {
    const { cwd, jwz, put, age, files } = blobBus()
    const body = 'x'.repeat(40_000)
    let step = 0
    for (let wasStopped = true; wasStopped; ) {
      step += 1
      const unused = put(body)
      age(48)
      const env = faultEnv({ call: '*', nth: step, action: 'stop', match: unused })
      const gc = start('jwz', ['compact'], { cwd, env, input: '' })
      wasStopped = await Promise.race([gc.done.then(() => false), stopped(gc.child.pid).then(() => true)])
      if (wasStopped) expect(jwz(['post', `t${step}`, '-'], { input: body })).toMatchObject({ code: 0 })
      gc.child.kill('SIGCONT')
      expect(await gc.done).toMatchObject({ code: 0 })
      expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
      if (wasStopped) expect(files()).toHaveLength(1)
      for (const topic of readdirSync(join(cwd, '.jwz/topics'))) writeFileSync(join(cwd, '.jwz/topics', topic), '')
    }
    expect(step).toBeGreaterThan(4)
  })

  it('killed before any of its calls, has taken nothing that is used, and the next one finishes', () => {
    const { jwz, put, post, age, files } = blobBus()
    post('t', 'x'.repeat(40_000))
    for (let nth = 1, code: number | null = null; code === null; nth += full ? 1 : 17) {
      put('unused')
      age(48)
      code = jwz(['compact'], { env: faultEnv({ call: '*', nth, action: 'kill', match: 'blobs' }) }).code
      expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
    }
    expect(files()).toHaveLength(1)
    expect(jwz(['latest', 't'])).toEqual(ok(`${'x'.repeat(40_000)}\n`))
  })

  it('is outlived by a post that was stopped for days between its blob and its line', async () => {
    const { cwd, jwz, age, file, files } = blobBus()
    mkdirSync(dirname(file('t')), { recursive: true })
    writeFileSync(file('t'), '')
    const body = 'x'.repeat(40_000)
    const env = faultEnv({ call: 'writeSync', nth: 1, action: 'stop', match: 't.jsonl' })
    const slow = start('jwz', ['post', 't', '-'], { cwd, env, input: body })
    await stopped(slow.child.pid)
    age(48)
    expect(jwz(['compact'])).toEqual(ok('removed 1 unused file (40000 bytes)\n'))
    expect(files()).toEqual([])
    slow.child.kill('SIGCONT')
    expect(await slow.done).toMatchObject({ code: 0 })
    expect(jwz(['latest', 't'])).toEqual(ok(`${body}\n`))
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
  })
})
