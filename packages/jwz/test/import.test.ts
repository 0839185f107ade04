import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, cleanEnv, faultEnv, scaled, start } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { importSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

function line(id: string, more: object = {}): string {
  return `${JSON.stringify({ v: 1, id, at: 5, topic: 't', from: 'x', body: id, ...more })}\n`
}

const empty = {
  v: 1,
  dry_run: false,
  topics: 0,
  messages: 0,
  acks: 0,
  files: 0,
  present: 0,
  differing: [],
  missing_files: 0,
}
const refusal = 'nothing was imported; jwz export writes such lines'

describe('jwz import', () => {
  it('takes in what is not there yet, with id, time and every field, and says how much', () => {
    const { jwz, records } = freshBus()
    const given =
      line('a', { at: 7, mood: { later: true }, tags: ['x'] }) + line('b', { topic: 'issue:1', reply_to: 'a' })
    expect(jwz(['import'], { input: given })).toEqual(ok('imported 2 messages into 2 topics\n'))
    expect(records('t')).toEqual([JSON.parse(line('a', { at: 7, mood: { later: true }, tags: ['x'] }))])
    expect(records('issue:1')).toMatchObject([{ id: 'b', reply_to: 'a' }])
    expect(jwz(['import', '-'], { input: given + line('c') })).toEqual(
      ok('imported 1 message into 1 topic; 2 already there\n'),
    )
    expect(jwz(['import', '-q'], { input: line('d') + line('c') + line('d') })).toEqual(ok('d\n'))
    const again = JSON.parse(jwz(['import', '--json'], { input: given }).stdout)
    expect(again).toEqual({ ...empty, present: 2 })
    expect(importSchema.safeParse(again).success).toBe(true)
    expect(jwz(['import'], { input: '' })).toEqual(ok('imported 0 messages into 0 topics\n'))
  })

  it('takes the example of docs/formats/export.md as it stands, and writes it again', () => {
    const page = readFileSync(new URL('../../../docs/formats/export.md', import.meta.url), 'utf8')
    const [, input = ''] = /```jsonl\n([^`]+)```/.exec(page) ?? []
    const { jwz } = freshBus()
    expect(jwz(['import'], { input })).toEqual(ok('imported 1 message, 1 ack, 1 file into 1 topic\n'))
    expect(jwz(['export']).stdout).toBe(input)
  })

  it('writes nothing with --dry-run', () => {
    const { jwz, cwd, post } = freshBus()
    const input = line('a') + line('a')
    expect(jwz(['import', '--dry-run'], { input })).toEqual(
      ok('would import 1 message into 1 topic; 1 already there\n'),
    )
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
    post('t', 'x')
    const report = JSON.parse(jwz(['import', '--dry-run', '--json'], { input: line('b') }).stdout)
    expect(report).toEqual({ ...empty, dry_run: true, topics: 1, messages: 1 })
    expect(jwz(['read', 't', '-q']).stdout.split('\n')).toHaveLength(2)
  })

  it('carries long bodies, acks and attached files from store to store', () => {
    const [one, other] = [freshBus(), freshBus()]
    const long = 'ä\0\r\n'.repeat(20_000)
    one.jwz(['post', 't', '-'], { input: long })
    const base64 = Buffer.from('hi').toString('base64')
    const sha256 = createHash('sha256').update('hi').digest('hex')
    const blob = `${JSON.stringify({ type: 'blob', v: 1, sha256, base64 })}\n`
    const attached = line('m', { attachments: [{ name: 'a.txt', sha256, bytes: 2 }] })
    const ack = `${JSON.stringify({ type: 'ack', v: 1, id: 'k', at: 6, topic: 't', from: 'y', message: 'm' })}\n`
    expect(one.jwz(['import'], { input: attached + ack })).toEqual({
      ...ok('imported 1 message, 1 ack into 1 topic\n'),
      stderr: '1 attached file neither here nor in the export\n',
    })
    expect(one.jwz(['import'], { input: attached + blob })).toEqual(
      ok('imported 0 messages, 1 file into 0 topics; 1 already there\n'),
    )
    const exported = one.jwz(['export']).stdout
    expect(other.jwz(['import', '-'], { input: exported })).toEqual(
      ok('imported 2 messages, 1 ack, 1 file into 1 topic\n'),
    )
    expect(other.jwz(['export']).stdout).toBe(exported)
    expect(JSON.parse(exported.split('\n')[0] ?? '').body).toBe(long)
    expect(other.jwz(['doctor', '--log']).code).toBe(0)
  })

  it('brings back long bodies that were lost or changed', () => {
    const { cwd, jwz, post } = freshBus()
    const ids = ['x', 'y'].map((letter) => post('t', letter.repeat(40_000)))
    const input = jwz(['export']).stdout
    const blobs = join(cwd, '.jwz/blobs')
    const [lost = '', changed = ''] = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.length > 64,
    )
    rmSync(join(blobs, lost))
    writeFileSync(join(blobs, changed), 'z'.repeat(40_000))
    expect(jwz(['doctor', '--log']).code).toBe(7)
    expect(jwz(['import'], { input })).toEqual(ok('imported 0 messages into 0 topics; 2 already there\n'))
    expect(jwz(['doctor', '--log']).code).toBe(0)
    expect(jwz(['read', 't', '-q']).stdout).toBe(`${ids.join('\n')}\n`)
  })

  it('keeps what is here when an id comes with other content, names it, and exits 1', () => {
    const { jwz, records } = freshBus()
    jwz(['import'], { input: line('a') })
    const { code, stdout, stderr } = jwz(['import'], { input: line('a', { body: 'other' }) + line('b') })
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: 'imported 1 message into 1 topic\n',
      stderr: '1 record here with other content, which stays: a\n',
    })
    expect(records('t').map(({ body }) => body)).toEqual(['a', 'b'])
  })

  it('bears CRLF, blank lines, a byte order mark and a last line without its end', () => {
    const { jwz } = freshBus()
    const input = `\ufeff${line('a').replace('\n', '\r\n')}\n  \n${line('b').trim()}`
    expect(jwz(['import'], { input })).toEqual(ok('imported 2 messages into 1 topic\n'))
  })

  it.each([
    ['what is not JSON', '{"v":1,', 'is no JSON object'],
    ['a raw NUL', '{"v":1,"id":"\0"}', 'is no JSON object'],
    ['a list', '[]', 'is no JSON object'],
    ['what is nested too deep', `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`, 'is no JSON object'],
    ['another record', '{"v":1,"id":"a"}', 'is neither a message, an ack nor a file'],
    ['an unknown type', line('a', { type: 'later' }), 'is neither a message, an ack nor a file'],
    [
      'a line of a log',
      line('a', { blob: { sha256: 'a'.repeat(64), bytes: 9 } }),
      /has only the beginning of its body/,
    ],
    ['a condition', line('a', { expect: null }), /has a condition that only its own log can judge/],
    [
      'a topic that is none',
      line('a', { topic: '../..' }).replace('../..', 'a:..'),
      /cannot be kept: a topic is words/,
    ],
    ['a long topic', line('a', { topic: 'x'.repeat(300) }), /cannot be kept: a part of a topic has at most 200 bytes/],
    [
      'too much data',
      line('a', { data: 'x'.repeat(40_000) }),
      /cannot be kept: the fields of a message beside its body/,
    ],
    ['a file with other bytes', '{"type":"blob","v":1,"sha256":"aa","base64":"aGk="}', /other bytes than its sha256/],
    ['what is not UTF-8', Uint8Array.of(0x22, 0xff), 'is not UTF-8'],
  ])('refuses %s, names its line, and writes nothing', (_, bad, reason) => {
    const { jwz, cwd } = freshBus()
    const input = Buffer.concat([Buffer.from(line('good')), Buffer.from(bad), Buffer.from(`\n${line('good2')}`)])
    const { code, stdout, stderr } = jwz(['import'], { input })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^jwz: expected the lines of an export, got others: line 2 /)
    expect(stderr).toMatch(reason)
    expect(stderr).toMatch(`; ${refusal}\n`)
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it('names the first five of many bad lines', () => {
    const { jwz } = freshBus()
    expect(jwz(['import'], { input: 'x\n'.repeat(7) }).stderr).toMatch(/line 5 is no JSON object; 2 more; /)
  })

  it.each(['<<<<<<< ours', '=======', '>>>>>>> theirs\r', '||||||| base'])(
    'stops at the conflict marker %s',
    (marker) => {
      const { jwz, cwd } = freshBus()
      expect(jwz(['import', '-'], { input: `${line('a')}${marker}\n${line('b')}` })).toEqual(
        failed(
          7,
          'line 2 is a conflict marker of version control; nothing was imported; keep the lines of both sides and ' +
            'remove the markers; merge=union in .gitattributes does so by itself',
        ),
      )
      expect(existsSync(join(cwd, '.jwz'))).toBe(false)
    },
  )

  it('takes a file, a pipe, and nothing else', () => {
    const { jwz, cwd } = freshBus()
    writeFileSync(join(cwd, 'bus.jsonl'), line('a'))
    expect(jwz(['import', 'bus.jsonl'])).toEqual(ok('imported 1 message into 1 topic\n'))
    const piped = spawnSync('bash', ['-c', `jwz import <(printf '%s' '${line('b').trim()}')`], {
      cwd,
      env: cleanEnv(),
      encoding: 'utf8',
    })
    expect([piped.status, piped.stdout, piped.stderr]).toEqual([0, 'imported 1 message into 1 topic\n', ''])
    expect(jwz(['import', 'none'])).toEqual(failed(3, `expected a file to import, got ${cwd}/none: ENOENT`))
    expect(jwz(['import', '.'])).toEqual(failed(2, 'expected a file to import, got the folder .'))
  })

  it('leaves no copy of what came in on stdin', () => {
    const { jwz, cwd } = freshBus()
    const env = { TMPDIR: cwd }
    jwz(['import'], { input: line('a'), env })
    jwz(['import'], { input: 'bad', env })
    jwz(['import'], {
      input: line('b'),
      env: { ...env, ...faultEnv({ call: 'fdatasyncSync', nth: 1, action: 'kill' }) },
    })
    expect(readdirSync(cwd).filter((name) => name.startsWith('jwz-import'))).toEqual([])
    expect(jwz(['import'], { input: line('c'), env: { TMPDIR: join(cwd, 'none') } })).toMatchObject({ code: 1 })
  })

  it('does the rest after a kill or a full disk at any step, each record once', () => {
    const input = line('a', { body: 'x'.repeat(40_000) }) + line('b') + line('c', { topic: 'u' })
    const whole = freshBus()
    const trace = join(whole.cwd, 'trace')
    whole.jwz(['import'], { input, env: faultEnv({ call: '*', nth: 1_000_000, action: 'kill', match: '.jwz', trace }) })
    const expected = whole.jwz(['export']).stdout
    const steps = readFileSync(trace, 'utf8').trim().split('\n').length
    expect(steps).toBeGreaterThan(20)
    const every = Math.max(1, Math.floor(steps / scaled(80)))
    for (let nth = 1; nth <= steps; nth += every) {
      for (const action of ['kill', 'ENOSPC'] as const) {
        const { jwz } = freshBus()
        jwz(['import'], { input, env: faultEnv({ call: '*', nth, action, match: '.jwz' }) })
        expect([nth, action, jwz(['import'], { input }).code]).toEqual([nth, action, 0])
        expect(jwz(['export']).stdout).toBe(expected)
        expect(jwz(['doctor', '--log']).code).toBe(0)
      }
    }
  })

  it('has each record once when several import the same while others post', async () => {
    const { cwd, post, file } = freshBus()
    const count = scaled(5000)
    writeFileSync(join(cwd, 'bus.jsonl'), Array.from({ length: count }, (_, at) => line(`id-${at}`)).join(''))
    post('t', 'mine')
    const posts = start('jwz', ['post', 't', '--stdin', '-q'], { cwd, input: 'p\n'.repeat(100) })
    const imports = Array.from({ length: 4 }, () => start('jwz', ['import', 'bus.jsonl'], { cwd }))
    for (const { done } of [posts, ...imports]) expect(await done).toMatchObject({ code: 0, stderr: '' })
    const ids = readFileSync(file('t'), 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).id)
    expect([ids.length, new Set(ids).size]).toEqual([count + 101, count + 101])
  })

  it('is seen by those who follow', async () => {
    const { jwz, cwd, post } = freshBus()
    post('t', 'here')
    const follower = start('jwz', ['follow', 't', '--limit', '1', '--count', '3', '--jsonl'], { cwd })
    await follower.waitFor(/here/)
    jwz(['import'], { input: line('a') + line('b') })
    expect((await follower.done).stdout).toMatch(/"id":"a"[\s\S]*"id":"b"/)
  })

  it('does not need the memory of what it carries', () => {
    const { jwz, cwd } = freshBus()
    const path = join(cwd, 'bus.jsonl')
    const count = scaled(40)
    for (let at = 0; at < count; at++) appendFileSync(path, line(`big-${at}`, { body: `${at}`.repeat(20_000_000) }))
    const env = { NODE_OPTIONS: '--max-old-space-size=200' }
    expect(jwz(['import', 'bus.jsonl'], { env })).toEqual(ok(`imported ${count} messages into 1 topic\n`))
    const out = spawnSync(process.execPath, [bin('jwz'), 'export', '--out', 'again.jsonl'], { cwd, env: cleanEnv(env) })
    expect(out.status).toBe(0)
    expect(readFileSync(join(cwd, 'again.jsonl')).equals(readFileSync(path))).toBe(true)
  })
})
