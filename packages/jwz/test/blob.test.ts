import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { faultEnv, full, itWith, run, scaled, start, stopped } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { blobSchema, collectedSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const hello = sha256('hello\n')

function blobBus() {
  const bus = freshBus()
  const blob = (hash: string) => join(bus.cwd, '.jwz/blobs', hash.slice(0, 2), hash)
  const put = (bytes: string | Uint8Array) => bus.jwz(['blob', 'put', '-'], { input: bytes }).stdout.trim()
  /** As if everything of the store's blobs had been written so many hours ago. */
  const age = (hours: number) => {
    const then = Date.now() / 1000 - hours * 3600
    for (const file of files()) utimesSync(join(bus.cwd, '.jwz/blobs', file), then, then)
  }
  /** Files below `blobs`. */
  const files = () =>
    existsSync(join(bus.cwd, '.jwz/blobs'))
      ? readdirSync(join(bus.cwd, '.jwz/blobs'), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(join(bus.cwd, '.jwz/blobs').length + 1))
      : []
  return { ...bus, blob, put, age, files }
}

describe('jwz blob put', () => {
  it('keeps a file under its own hash, twice the same once', () => {
    const { cwd, jwz, blob, files } = blobBus()
    writeFileSync(join(cwd, 'f'), 'hello\n')
    expect(jwz(['blob', 'put', 'f'])).toEqual(ok(`${hello}\n`))
    expect(jwz(['blob', 'put', '-', '-q'], { input: 'hello\n' })).toEqual(ok(`${hello}\n`))
    const { stdout } = jwz(['blob', 'put', '--json', '-'], { input: 'hello\n' })
    expect(blobSchema.strict().parse(JSON.parse(stdout))).toEqual({ sha256: hello, bytes: 6 })
    expect(readFileSync(blob(hello), 'utf8')).toBe('hello\n')
    expect(files()).toEqual([`${hello.slice(0, 2)}/${hello}`])
  })

  it('keeps any bytes of any length, and refuses what is no file', () => {
    const { cwd, jwz, blob, files } = blobBus()
    const bytes = Buffer.alloc(scaled(30_000_000), Buffer.from([0, 255, 10, 128, 13]))
    writeFileSync(join(cwd, 'big'), bytes)
    expect(jwz(['blob', 'put', 'big'])).toEqual(ok(`${sha256(bytes)}\n`))
    expect(readFileSync(blob(sha256(bytes))).equals(bytes)).toBe(true)
    expect(jwz(['blob', 'put', '-'])).toEqual(ok(`${sha256('')}\n`))
    expect(jwz(['blob', 'put', 'nope'])).toEqual(failed(2, `cannot read ${cwd}/nope: ENOENT`))
    expect(jwz(['blob', 'put', '.'])).toEqual(failed(2, `a file was expected, ${cwd} is a folder`))
    expect(files()).toHaveLength(2)
  })

  it('does not hold the file in memory, on its way in or out', () => {
    const { cwd, jwz } = blobBus()
    const size = scaled(2_000_000_000)
    writeFileSync(join(cwd, 'big'), '')
    truncateSync(join(cwd, 'big'), size)
    const report =
      "process.on('exit', () => require('node:fs').writeFileSync('peak', String(process.resourceUsage().maxRSS)))"
    writeFileSync(join(cwd, 'peak.cjs'), report)
    const env = { NODE_OPTIONS: `--require=${join(cwd, 'peak.cjs')}` }
    const peakKilobytes = () => Number(readFileSync(join(cwd, 'peak'), 'utf8'))
    const put = jwz(['blob', 'put', 'big'], { env })
    expect(put).toMatchObject({ code: 0 })
    expect(peakKilobytes()).toBeLessThan(150_000)
    expect(jwz(['blob', 'get', put.stdout.trim(), '-o', 'copy'], { env })).toMatchObject({ code: 0 })
    expect(peakKilobytes()).toBeLessThan(150_000)
    expect(statSync(join(cwd, 'copy')).size).toBe(size)
  })

  it('leaves no draft when the disk is full, and nothing that check complains about when it is killed', () => {
    const { cwd, jwz, files, post } = blobBus()
    post('t', 'x')
    writeFileSync(join(cwd, 'f'), 'hello\n')
    const full = faultEnv({ call: 'fsyncSync', nth: 1, action: 'ENOSPC', match: '.draft' })
    expect(jwz(['blob', 'put', 'f'], { env: full })).toEqual(
      failed(1, `a file was to be kept in ${cwd}/.jwz, the disk answered ENOSPC`),
    )
    expect(files()).toEqual([])
    for (let nth = 1, code: number | null = null; code === null; nth++) {
      code = jwz(['blob', 'put', 'f'], { env: faultEnv({ call: '*', nth, action: 'kill', match: '.jwz' }) }).code
    }
    expect(jwz(['check'])).toMatchObject({ code: 0 })
    expect(jwz(['blob', 'get', hello])).toEqual(ok('hello\n'))
  })
})

describe('jwz blob get', () => {
  it('prints the bytes, or writes them to a file, whole or not at all', () => {
    const { cwd, jwz, put } = blobBus()
    put('hello\n')
    expect(jwz(['blob', 'get', hello.slice(0, 6).toUpperCase()])).toEqual(ok('hello\n'))
    expect(jwz(['blob', 'get', hello, '-o', 'out'])).toEqual(ok(`${cwd}/out\n`))
    expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe('hello\n')
    const { stdout } = jwz(['blob', 'get', hello, '--json', '-o', 'out'])
    expect(blobSchema.strict().parse(JSON.parse(stdout))).toEqual({ sha256: hello, bytes: 6, file: join(cwd, 'out') })
    expect(jwz(['blob', 'get', hello, '-q', '-o', 'out'])).toEqual(ok(`${hello}\n`))
    expect(jwz(['blob', 'get', hello, '--json'])).toMatchObject({ code: 2, stdout: '' })
    expect(jwz(['blob', 'get', hello, '-o', '/dev/full'])).toEqual(
      failed(1, '/dev/full was to be written, the disk answered ENOSPC'),
    )
  })

  it('gives nothing of a blob that was damaged, and leaves the file it was to write as it was', () => {
    const { cwd, jwz, put, blob } = blobBus()
    put('hello\n')
    writeFileSync(blob(hello), 'jello\n')
    writeFileSync(join(cwd, 'out'), 'before')
    const said = `the blob ${hello} has other bytes than were put into ${cwd}/.jwz; put the file there again, where somebody has it; jwz check names the messages that lost it`
    expect(jwz(['blob', 'get', hello])).toEqual(failed(7, said))
    expect(jwz(['blob', 'get', hello, '-o', 'out'])).toEqual(failed(7, said))
    expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe('before')
    expect(jwz(['blob', 'get', hello, '-o', 'new'])).toMatchObject({ code: 7 })
    expect(readdirSync(cwd).sort()).toEqual(['.git', '.jwz', 'README.md', 'out'])
  })

  it('does not wait for a pipe that lies in the place of a blob', () => {
    const { cwd, jwz, put, blob } = blobBus()
    const hash = put('hello\n')
    writeFileSync(join(cwd, 'f'), 'hello\n')
    jwz(['post', 't', '-m', 'x', '--attach', 'f'])
    rmSync(blob(hash))
    execFileSync('mkfifo', [blob(hash)])
    expect(jwz(['export'])).toMatchObject({ code: 0, stderr: expect.stringContaining('is not in the store') })
  })

  it('does not write over a log', () => {
    const { cwd, jwz, post, put, file } = blobBus()
    const hash = put('hello\n')
    const id = post('t', 'x')
    symlinkSync(file('t'), join(cwd, 'link'))
    for (const target of [file('t'), 'link', '.jwz/topics/new.jsonl']) {
      expect(jwz(['blob', 'get', hash, '-o', target])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('-o names a place outside the store'),
      })
    }
    expect(jwz(['latest', 't', '-q'])).toEqual(ok(`${id}\n`))
    expect(jwz(['blob', 'get', hash, '-o', '/dev/null'])).toEqual(ok('/dev/null\n'))
  })

  it('refuses what names no blob, or several', () => {
    const { jwz, put, blob, cwd } = blobBus()
    put('hello\n')
    const sibling = `${hello.slice(0, 10)}${'0'.repeat(54)}`
    writeFileSync(blob(sibling), 'x')
    const none = 'jwz show lists the files of a message, jwz blob put prints the hash of a new one'
    expect(jwz(['blob', 'get', 'abcdef'])).toEqual(failed(3, `no blob abcdef in ${cwd}/.jwz; ${none}`))
    for (const bad of [hello.slice(0, 5), 'xyzxyz', `${hello}0`, '../../..'])
      expect(jwz(['blob', 'get', bad])).toEqual(
        failed(2, `a blob is named by its SHA-256 or at least 6 characters of its beginning; got "${bad}"`),
      )
    expect(jwz(['blob', 'get', hello.slice(0, 6)])).toEqual(
      failed(4, `${hello.slice(0, 6)} names 2 blobs: ${[hello, sibling].sort().join(' ')}; give more of the hash`),
    )
  })
})

describe('jwz blob gc', () => {
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
    const dry = jwz(['blob', 'gc', '--dry-run', '--json'])
    expect(collectedSchema.strict().parse(JSON.parse(dry.stdout))).toEqual({ dry_run: true, ...report })
    expect(jwz(['blob', 'gc', '--older-than', '2d'])).toEqual(ok('removed 0 blobs of 0 bytes; 5 kept\n'))
    expect(files()).toHaveLength(6)
    expect(jwz(['blob', 'gc', '--dry-run'])).toEqual(ok('would remove 1 blob of 6 bytes, 1 left-over draft; 4 kept\n'))
    expect(jwz(['blob', 'gc', '-q'])).toEqual(ok(`${unused}\n`))
    expect(jwz(['blob', 'gc', '-q'])).toEqual(ok(''))
    expect(files()).toHaveLength(4)
    expect(jwz(['check'])).toMatchObject({ code: 0 })
  })

  it('looks into sealed segments, and refuses to touch what is young', () => {
    const { cwd, jwz, post, file, age, files } = blobBus()
    post('t', 'x'.repeat(40_000))
    const sealed = join(cwd, '.jwz/topics/t.01KAH5T5A9Q3VX0W8ZK4M2N7PB.jsonl')
    writeFileSync(sealed, readFileSync(file('t')))
    writeFileSync(file('t'), '')
    age(48)
    expect(jwz(['blob', 'gc'])).toEqual(ok('removed 0 blobs of 0 bytes; 1 kept\n'))
    expect(files()).toHaveLength(1)
    const refused = '--older-than takes at least 1h, got 60 s'
    expect(jwz(['blob', 'gc', '--older-than', '1m'])).toEqual(
      failed(2, `${refused}; younger files may belong to messages that are just being posted`),
    )
  })

  itWith('permissions that stop this user', 'says in a line that it may not', () => {
    const { cwd, put } = blobBus()
    put('hello\n')
    for (const folder of ['.', '.jwz']) chmodSync(join(cwd, folder), 0o555)
    const { code, stderr } = run('jwz', ['blob', 'gc'], { cwd, unprivileged: true })
    for (const folder of ['.', '.jwz']) chmodSync(join(cwd, folder), 0o755)
    expect([code, stderr]).toEqual([
      1,
      `jwz: unused files were to be removed from ${cwd}/.jwz, the disk answered EACCES\n`,
    ])
  })

  it('makes no store', () => {
    const { cwd, jwz } = blobBus()
    expect(jwz(['blob', 'gc'])).toEqual(ok('removed 0 blobs of 0 bytes; 0 kept\n'))
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it('takes nothing that is posted again while it is stopped before any of its calls', async () => {
    const { cwd, jwz, age, files } = blobBus()
    const body = 'x'.repeat(40_000)
    let step = 0
    for (let wasStopped = true; wasStopped; ) {
      step += 1
      const unused = jwz(['blob', 'put', '-'], { input: body }).stdout.trim()
      age(48)
      const env = faultEnv({ call: '*', nth: step, action: 'stop', match: unused })
      const gc = start('jwz', ['blob', 'gc'], { cwd, env, input: '' })
      wasStopped = await Promise.race([gc.done.then(() => false), stopped(gc.child.pid).then(() => true)])
      if (wasStopped) expect(jwz(['post', `t${step}`, '-'], { input: body })).toMatchObject({ code: 0 })
      gc.child.kill('SIGCONT')
      expect(await gc.done).toMatchObject({ code: 0 })
      expect(jwz(['check'])).toMatchObject({ code: 0 })
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
      code = jwz(['blob', 'gc'], { env: faultEnv({ call: '*', nth, action: 'kill', match: 'blobs' }) }).code
      expect(jwz(['check'])).toMatchObject({ code: 0 })
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
    expect(jwz(['blob', 'gc'])).toEqual(ok('removed 1 blob of 40000 bytes; 0 kept\n'))
    expect(files()).toEqual([])
    slow.child.kill('SIGCONT')
    expect(await slow.done).toMatchObject({ code: 0 })
    expect(jwz(['latest', 't'])).toEqual(ok(`${body}\n`))
    expect(jwz(['check'])).toMatchObject({ code: 0 })
  })
})

describe('jwz schema', () => {
  it('prints what blob verbs say', () => {
    const { jwz } = freshBus()
    expect(JSON.parse(jwz(['schema', 'blob']).stdout)).toEqual(z.toJSONSchema(blobSchema))
    expect(JSON.parse(jwz(['schema', 'collected']).stdout)).toEqual(z.toJSONSchema(collectedSchema))
  })
})
