import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { faultEnv, meter, scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { blobSchema, compactionSchema } from '../src/schemas.ts'
import { blobBus, hello, sha256 } from './blob-bus.ts'
import { failed, freshBus, ok } from './bus.ts'

describe('an attached file', () => {
  it('is kept under its own hash, twice the same once', () => {
    const { attach, blob, files } = blobBus()
    for (const _ of [1, 2]) attach('hello\n')
    expect(readFileSync(blob(hello), 'utf8')).toBe('hello\n')
    expect(files()).toEqual([`${hello.slice(0, 2)}/${hello}`])
  })

  it('has any bytes of any length', () => {
    const { attach, blob } = blobBus()
    for (const bytes of [Buffer.alloc(scaled(30_000_000), Buffer.from([0, 255, 10, 128, 13])), Buffer.alloc(0)]) {
      attach(bytes)
      expect(readFileSync(blob(sha256(bytes))).equals(bytes)).toBe(true)
    }
  })

  it('is not held in memory, on its way in or out', () => {
    const { cwd, jwz } = blobBus()
    const size = scaled(2_000_000_000)
    writeFileSync(join(cwd, 'big'), '')
    truncateSync(join(cwd, 'big'), size)
    const { env, taken } = meter('big')
    const posted = jwz(['post', 't', '-m', 'see', '--attach', 'big'], { env })
    expect(posted).toMatchObject({ code: 0 })
    expect(taken().peakBytes).toBeLessThan(150_000_000)
    const copied = jwz(['show', posted.stdout.trim(), '--attachment', 'big', '-o', 'copy'], { env })
    expect(copied).toMatchObject({ code: 0 })
    expect(taken().peakBytes).toBeLessThan(150_000_000)
    expect(statSync(join(cwd, 'copy')).size).toBe(size)
  })

  it('leaves no draft when the disk is full', () => {
    const { cwd, jwz, files, post } = blobBus()
    post('t', 'x')
    writeFileSync(join(cwd, 'f'), 'hello\n')
    const full = faultEnv({ call: 'fsyncSync', nth: 1, action: 'ENOSPC', match: '.draft' })
    expect(jwz(['post', 't', '-m', 'see', '--attach', 'f'], { env: full })).toEqual(
      failed(1, `a file was to be kept in ${cwd}/.jwz, the disk answered ENOSPC`),
    )
    expect(files()).toEqual([])
  })
})

describe('jwz show --attachment', () => {
  it('prints the bytes, or writes them to a file, whole or not at all', () => {
    const { cwd, jwz, attach } = blobBus()
    const show = ['show', attach('hello\n'), '--attachment']
    for (const name of ['f', hello.slice(0, 6).toUpperCase()]) expect(jwz([...show, name])).toEqual(ok('hello\n'))
    expect(jwz([...show, 'f', '-o', 'out'])).toEqual(ok(`${cwd}/out\n`))
    expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe('hello\n')
    const { stdout } = jwz([...show, 'f', '--json', '-o', 'out'])
    expect(blobSchema.strict().parse(JSON.parse(stdout))).toEqual({ sha256: hello, bytes: 6, file: join(cwd, 'out') })
    expect(jwz([...show, 'f', '-q', '-o', 'out'])).toEqual(ok(`${hello}\n`))
    expect(jwz([...show, 'f', '--json'])).toMatchObject({ code: 2, stdout: '' })
    expect(jwz([...show, 'f', '-o', '/dev/full'])).toEqual(
      failed(1, '/dev/full was to be written, the disk answered ENOSPC; make room, or name a place on another disk'),
    )
  })

  it('gives nothing of a file that was damaged, and leaves the one it was to write as it was', () => {
    const { cwd, jwz, attach, blob } = blobBus()
    const id = attach('hello\n')
    writeFileSync(blob(hello), 'jello\n')
    writeFileSync(join(cwd, 'out'), 'before')
    const show = ['show', id, '--attachment', 'f']
    const advice = 'attach it again, or jwz import it from another clone’s export'
    const said = (fault: string) =>
      failed(7, `the file "f" of ${id} is not whole: its blob ${hello} ${fault}; ${advice}`)
    expect(jwz(show)).toEqual(said('has other bytes'))
    expect(jwz([...show, '-o', 'out'])).toEqual(said('has other bytes'))
    expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe('before')
    expect(jwz([...show, '-o', 'new'])).toMatchObject({ code: 7 })
    expect(readdirSync(cwd).sort()).toEqual(['.git', '.jwz', 'README.md', 'f', 'out'])
    rmSync(blob(hello))
    expect(jwz(show)).toEqual(said('is missing'))
  })

  it('does not wait for a pipe that lies in the place of a blob', () => {
    const { jwz, attach, blob } = blobBus()
    const id = attach('hello\n')
    rmSync(blob(hello))
    execFileSync('mkfifo', [blob(hello)])
    expect(jwz(['show', id, '--attachment', 'f'])).toMatchObject({ code: 7 })
    expect(jwz(['export'])).toMatchObject({ code: 0, stderr: expect.stringContaining('is not in the store') })
  })

  it('does not write over a log', () => {
    const { cwd, jwz, attach, file } = blobBus()
    const id = attach('hello\n')
    symlinkSync(file('t'), join(cwd, 'link'))
    const show = ['show', id, '--attachment', 'f', '-o']
    for (const target of [file('t'), 'link', '.jwz/topics/new.jsonl']) {
      expect(jwz([...show, target])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('-o names a place outside the store'),
      })
    }
    expect(jwz(['latest', 't', '-q'])).toEqual(ok(`${id}\n`))
    expect(jwz([...show, '/dev/null'])).toEqual(ok('/dev/null\n'))
  })

  it('refuses what names no file of the message, or several', () => {
    const { cwd, jwz, post, attach } = blobBus()
    const id = attach('hello\n')
    const without = post('t', 'x')
    for (const name of ['g', hello.slice(0, 5), `${hello}0`, '../../..'])
      expect(jwz(['show', id, '--attachment', name])).toEqual(failed(3, `${id} has no file "${name}"; it has "f"`))
    expect(jwz(['show', without, '--attachment', 'f'])).toEqual(
      failed(3, `${without} has no file "f"; nothing is attached to it`),
    )
    mkdirSync(join(cwd, 'deep'))
    writeFileSync(join(cwd, 'deep/f'), 'other')
    const both = post('t', 'two', '--attach', 'f', '--attach', 'deep/f')
    expect(jwz(['show', both, '--attachment', 'f'])).toEqual(
      failed(4, `"f" names 2 files of ${both}: ${hello} ${sha256('other')}; give the beginning of a hash instead`),
    )
    expect(jwz(['show', both, '--attachment', sha256('other').slice(0, 8)])).toEqual(ok('other'))
    expect(jwz(['show', id, '-o', 'out'])).toEqual(
      failed(2, '-o takes --attachment NAME beside it, got none; jwz show lists the files'),
    )
  })
})

describe('jwz schema', () => {
  it('prints what is said of files', () => {
    const { jwz } = freshBus()
    expect(JSON.parse(jwz(['schema', 'blob']).stdout)).toEqual(z.toJSONSchema(blobSchema))
    expect(JSON.parse(jwz(['schema', 'compaction']).stdout)).toEqual(z.toJSONSchema(compactionSchema))
  })
})
