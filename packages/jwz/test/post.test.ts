import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, git, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok, ulidPattern } from './bus.ts'

const lines = 'first\r\nsecond\n\n'
const bodies: [name: string, body: string][] = [
  ['line ends of both kinds and a trailing one', lines],
  ['a byte order mark, NUL and controls', '\ufeffa\0b\u0007\u001b[31m\t'],
  ['characters beyond the first plane and separators', '🚂👩‍👩‍👧 ä e\u0301 \u2028\u2029 \u{10ffff}'],
  ['only white space', ' \n'],
  ['what looks like JSON or an escape', '{"v":1}\\n\\u0041'],
]

describe('jwz post', () => {
  it('makes the store, prints the id, writes one line, and leaves git status clean', () => {
    const { cwd, jwz, records } = freshBus()
    const before = Date.now()
    const { code, stdout, stderr } = jwz(['post', 'issue:auth-123', '-m', 'Tests are green'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trim()).toMatch(ulidPattern)
    const oid = git(cwd, 'rev-parse', 'HEAD')
    const [record] = records('issue:auth-123')
    expect(record).toEqual({
      v: 1,
      id: stdout.trim(),
      at: expect.any(Number),
      topic: 'issue:auth-123',
      from: 'ann',
      body: 'Tests are green',
      git: { oid, branch: 'main', prefix: '' },
    })
    expect(Number(record?.['at'])).toBeGreaterThanOrEqual(before)
    expect(git(cwd, 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(cwd, '.jwz/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('keeps every field it is given', () => {
    const { jwz, records, post } = freshBus()
    const question = post('t', 'q')
    const flags = ['--as', 'bob b', '--role', 'reviewer', '--model', '-m1', '--to', 'x', '--to', 'y', '--tag', '--no-z']
    jwz([
      'post',
      't',
      '-m',
      '--help',
      ...flags,
      '-t',
      'w',
      '--data',
      '{"a":[1,null]}',
      '--reply-to',
      question.slice(-8),
    ])
    expect(records('t')[1]).toMatchObject({
      from: 'bob b',
      role: 'reviewer',
      model: '-m1',
      to: ['x', 'y'],
      tags: ['--no-z', 'w'],
      data: { a: [1, null] },
      reply_to: question,
      body: '--help',
    })
  })

  it.each(bodies)('keeps %s byte for byte, from stdin and from a file', (_, body) => {
    const { cwd, jwz, records } = freshBus()
    writeFileSync(join(cwd, 'body'), body)
    const codes = [
      jwz(['post', 't', '-'], { input: body }).code,
      jwz(['post', 't', '-F', '-'], { input: body }).code,
      jwz(['post', 't', '-F', 'body']).code,
    ]
    expect(codes).toEqual([0, 0, 0])
    expect(records('t').map((record) => record['body'])).toEqual([body, body, body])
    const last = jwz(['latest', 't', '--json'])
    expect(JSON.parse(last.stdout).body).toBe(body)
  })

  it('keeps 20 MB in a blob, a beginning in the line, and reads it back whole', () => {
    const { cwd, jwz, records, file } = freshBus()
    const body = `${'🚂 0123456789\n'.repeat(1_400_000)}end`
    const posted = jwz(['post', 'big', '-'], { input: body })
    expect(posted).toEqual(ok(posted.stdout))
    const [record] = records('big')
    expect(readFileSync(file('big')).length).toBeLessThan(32 * 1024)
    expect(body.startsWith(String(record?.['body']))).toBe(true)
    expect(record?.['blob']).toMatchObject({ bytes: Buffer.byteLength(body) })
    expect(JSON.parse(jwz(['read', 'big', '--json']).stdout)[0].body === body).toBe(true)
    expect(readdirSync(join(cwd, '.jwz/blobs'), { recursive: true })).toHaveLength(2)
  })

  it('says so when the rest of a long body is gone, and check exits 7', () => {
    const { jwz, post, records } = freshBus()
    const id = post('big', 'x'.repeat(40_000))
    expect(jwz(['doctor', '--log'])).toEqual(ok('big: 1 record, 0 torn, 0 repeated, 0 corrupt\n'))
    const { sha256 } = Object(records('big')[0]?.['blob'])
    const store = JSON.parse(jwz(['where', '--json']).stdout).store
    const blob = join(store, 'blobs', sha256.slice(0, 2), sha256)
    writeFileSync(blob, 'y'.repeat(40_000))
    expect(jwz(['doctor', '--log'])).toMatchObject({
      code: 7,
      stdout: expect.stringContaining(`${id}: its blob ${sha256} has other`),
    })
    git(store, 'clean', '-qfx', 'blobs')
    const seen = jwz(['latest', 'big'])
    expect(seen.stdout).toBe(`${'x'.repeat(500)}\n`)
    expect(seen.stderr).toBe(`jwz: the body of ${id} is not in ${store}: only its beginning is shown\n`.slice(5))
    expect(jwz(['doctor', '--log'])).toMatchObject({
      code: 7,
      stdout: expect.stringContaining(`${id}: its blob ${sha256} is missing`),
    })
  })

  it('posts each line of stdin with --stdin, and an unended last one', () => {
    const { jwz, records } = freshBus()
    const { code, stdout } = jwz(['post', 'log', '--stdin', '--as', 'ci'], { input: 'one\n\n  two\r\nthree 🚂' })
    expect(code).toBe(0)
    expect(records('log').map(({ id, body, from }) => ({ id, body, from }))).toEqual([
      { id: stdout.split('\n')[0], body: 'one', from: 'ci' },
      { id: stdout.split('\n')[1], body: '  two\r', from: 'ci' },
      { id: stdout.split('\n')[2], body: 'three 🚂', from: 'ci' },
    ])
    expect(jwz(['post', 'log', '--stdin'], { input: '' })).toEqual(ok(''))
  })

  it('posts the lines before one that is not UTF-8, however they came', () => {
    const { jwz } = freshBus()
    const input = Buffer.concat([Buffer.from('good\n'), Buffer.of(0xff), Buffer.from('\nlate\n')])
    const { code, stdout } = jwz(['post', 'log', '--stdin'], { input })
    expect({ code, lines: stdout.split('\n').length - 1 }).toEqual({ code: 2, lines: 1 })
    expect(jwz(['latest', 'log']).stdout).toBe('good\n')
  })

  it('posts with one write what one read of stdin brought', () => {
    const { cwd, jwz, records } = freshBus()
    const trace = join(cwd, '.git/trace')
    const env = faultEnv({ call: 'writeSync', nth: 9999, action: 'kill', match: 'log.jsonl', trace })
    const { code, stdout } = jwz(['post', 'log', '--stdin'], { input: 'line\n'.repeat(1000), env })
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toEqual(records('log').map(({ id }) => id))
    expect(readFileSync(trace, 'utf8').trim().split('\n').length).toBeLessThan(5)
    expect(records('log')).toHaveLength(1000)
  })

  it('prints the message with --json and --jsonl, its id with --quiet', () => {
    const { jwz } = freshBus()
    for (const mode of ['--json', '--jsonl']) {
      expect(JSON.parse(jwz(['post', 't', '-m', 'x', mode]).stdout)).toMatchObject({ v: 1, topic: 't', body: 'x' })
    }
    expect(jwz(['post', 't', '-m', 'x', '-q']).stdout.trim()).toMatch(ulidPattern)
  })

  it.each<[string, string[], string | Uint8Array, string]>([
    ['an empty message', ['-m', ''], '', 'a message has some text; got an empty one'],
    ['an empty stdin', ['-'], '', 'a message has some text; got an empty one'],
    ['no message', [], '', 'a message comes from one of -m TEXT, -F FILE or - (stdin); got none'],
    ['two messages', ['-m', 'a', '-'], 'b', 'a message comes from one of -m TEXT, -F FILE or - (stdin); got 2'],
    ['a bare message', ['hello'], '', 'a message comes from -m, -F or - (stdin); got "hello"; put it behind -m'],
    [
      'bytes that are not UTF-8',
      ['-'],
      Uint8Array.of(0x61, 0xc3, 0x28),
      'a message is UTF-8 text, but this has other bytes; post the path of a binary file instead',
    ],
    [
      '--stdin beside -m',
      ['--stdin', '-m', 'x'],
      '',
      '--stdin takes every message from stdin; got another source beside it',
    ],
    [
      'data that is not JSON',
      ['-m', 'x', '--data', '{a}'],
      '',
      `--data takes one JSON value; got "{a}"; quote it for the shell: --data '{"iteration":3}'`,
    ],
    ['an empty role', ['-m', 'x', '--role', ''], '', '--role takes text without control characters; got ""'],
    [
      'a tag with a line feed',
      ['-m', 'x', '-t', 'a\nb'],
      '',
      String.raw`--tag takes text without control characters; got "a\nb"`,
    ],
    ['an empty name', ['-m', 'x', '--as', ''], '', 'a name has 1 to 80 characters and no control characters; got ""'],
    ['an empty store', ['-m', 'x', '--store', ''], '', '--store names no folder; give a path'],
    [
      'a short id',
      ['-m', 'x', '--reply-to', 'ab'],
      '',
      'expected a message id, or at least 4 characters of its beginning or end, got "ab"',
    ],
  ])('refuses %s with exit 2 and writes nothing', (_, args, input, message) => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['post', 't', ...args], { input })).toEqual(failed(2, message))
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it.each(['', 'a::b', ':', '..', 'a:..:b'])('refuses the topic %j with exit 2', (topic) => {
    const { cwd, jwz } = freshBus()
    const message = `a topic is words joined by ":", such as issue:auth-123; got ${JSON.stringify(topic)}`
    expect(jwz(['post', topic, '-m', 'x'])).toEqual(failed(2, message))
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it('refuses a file that is not there and fields that no line holds', () => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['post', 't', '-F', 'none'])).toEqual(
      failed(2, `cannot read the message from ${join(cwd, 'none')}: ENOENT`),
    )
    const huge = jwz(['post', 't', '-m', 'x', '--data', JSON.stringify('x'.repeat(40_000))])
    expect(huge).toMatchObject({ code: 2, stderr: expect.stringContaining('beside its body have at most 32768 bytes') })
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(jwz(['post', 't', '-m', 'x', '--data', nested(1000)])).toEqual(
      failed(2, '--data takes a value of less than 1000 levels; got more'),
    )
    expect(jwz(['post', 't', '-m', 'x', '--data', nested(999), '-q']).code).toBe(0)
    expect(jwz(['latest', 't', '--json']).stdout).toContain(nested(999))
  })

  it('answers only a message of the same topic', () => {
    const { jwz, post } = freshBus()
    const id = post('here', 'q')
    expect(jwz(['post', 'there', '-m', 'x', '--reply-to', id])).toEqual(
      failed(3, `no message ${id} in there; jwz search or jwz read shows ids`),
    )
  })

  it('takes the store that --store or JWZ_STORE names', () => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['post', 't', '-m', 'x'], { env: { JWZ_STORE: 'elsewhere' } }).code).toBe(0)
    expect(jwz(['post', 't', '-m', 'y', '--store', 'elsewhere'], { env: { JWZ_STORE: '/nowhere' } }).code).toBe(0)
    expect(
      jwz(['read', 't', '--store', join(cwd, 'elsewhere'), '-q'])
        .stdout.trim()
        .split('\n'),
    ).toHaveLength(2)
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it('never makes a store in the home folder for a project below it', () => {
    const home = tempFolder('home')
    git(home, 'init', '-q')
    const project = join(home, 'project')
    writeFileSync(join(home, 'README'), '')
    const made = run('jwz', ['init', '--store', join(project, '.jwz')], { cwd: home, env: { HOME: home } })
    expect(made.code).toBe(0)
    expect(run('jwz', ['post', 't', '-m', 'x'], { cwd: project, env: { HOME: home } }).code).toBe(0)
    expect(existsSync(join(home, '.jwz'))).toBe(false)
    expect(existsSync(join(project, '.jwz/topics/t.jsonl'))).toBe(true)
  })
})
