import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv } from '@switchyard/testkit'
import { ackSchema, messageSchema } from '@switchyard/topic/schema'
import { describe, expect, it } from 'vitest'
import { exportedFileSchema, writtenSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

function lines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function bodies(text: string): unknown[] {
  return lines(text).map(({ body }) => body)
}

const sha256OfHi = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4'

describe('jwz export', () => {
  it('writes every topic by name, each in the order of its log, bodies whole, void and expired messages left out', () => {
    const { jwz, post, file } = freshBus()
    const long = 'ä'.repeat(40_000)
    const first = post('b', 'one')
    post('a', long)
    post('b', 'two', '--tag', 'x')
    const record = (id: string, more: object) =>
      `${JSON.stringify({ v: 1, id, at: 5, topic: 'b', from: 'x', body: id, ...more })}\n`
    appendFileSync(file('b'), record('void', { expect: first }) + record('gone', { expires: 6 }))
    appendFileSync(file('b'), record('kept', { expires: 9e15, mood: { later: true } }))
    const { code, stdout, stderr } = jwz(['export'])
    expect([code, stderr, bodies(stdout)]).toEqual([0, '', [long, 'one', 'two', 'kept']])
    for (const message of lines(stdout)) {
      expect(Object.keys(message)).not.toEqual(expect.arrayContaining(['blob']))
      expect(Object.keys(message)).not.toEqual(expect.arrayContaining(['expect']))
      expect(messageSchema.safeParse(message).success).toBe(true)
    }
    expect(lines(stdout)[3]).toMatchObject({ mood: { later: true } })
  })

  it('takes topics and patterns, and --since', () => {
    const { jwz, post, file } = freshBus()
    for (const topic of ['issue:1', 'issue:2', 'news']) post(topic, topic)
    appendFileSync(file('news'), '{"v":1,"id":"old","at":5,"topic":"news","from":"x","body":"old"}\n')
    expect(bodies(jwz(['export', 'issue:*', 'news', 'issue:1']).stdout)).toEqual(['issue:1', 'issue:2', 'news', 'old'])
    expect(bodies(jwz(['export', '--since', '1h']).stdout)).toEqual(['issue:1', 'issue:2', 'news'])
    expect(jwz(['export', 'nope'])).toMatchObject({ code: 3, stdout: '' })
  })

  it('is empty for an empty store, which it does not make', () => {
    const { jwz, cwd } = freshBus()
    expect(jwz(['export'])).toEqual(ok(''))
    expect(jwz(['export', '--json'])).toEqual(ok('[]\n'))
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it('prints an array with --json, lines with --jsonl, ids with --quiet', () => {
    const { jwz, post } = freshBus()
    const id = post('t', 'x')
    expect(JSON.parse(jwz(['export', '--json']).stdout)).toMatchObject([{ id, body: 'x' }])
    expect(jwz(['export', '--jsonl']).stdout).toBe(jwz(['export']).stdout)
    expect(jwz(['export', '-q'])).toEqual(ok(`${id}\n`))
  })

  it('carries acks, and attached files before the message they were posted with', () => {
    const { jwz, file, cwd } = freshBus()
    mkdirSync(join(cwd, '.jwz/blobs/8f'), { recursive: true })
    mkdirSync(join(cwd, '.jwz/topics'))
    writeFileSync(join(cwd, '.jwz/blobs/8f', sha256OfHi), 'hi')
    const files = [
      { name: 'a.txt', sha256: sha256OfHi, bytes: 2 },
      { name: 'b.txt', sha256: 'b'.repeat(64), bytes: 2 },
    ]
    const message = { v: 1, id: 'm', at: 5, topic: 't', from: 'x', body: 'see', attachments: files }
    const ack = { type: 'ack', v: 1, id: 'k', at: 6, topic: 't', from: 'y', message: 'm' }
    writeFileSync(file('t'), `${JSON.stringify(message)}\n${JSON.stringify(ack)}\n`)
    const { code, stdout, stderr } = jwz(['export'])
    const blob = { type: 'blob', v: 1, sha256: sha256OfHi, base64: 'aGk=' }
    expect([code, stderr, lines(stdout)]).toEqual([
      0,
      'b.txt of m is not in the store: it is not exported\n',
      [blob, message, ack],
    ])
    expect(exportedFileSchema.safeParse(blob).success && ackSchema.safeParse(ack).success).toBe(true)
  })

  it('leaves out a message whose body is lost, says so, and exits 7', () => {
    const { jwz, post, cwd } = freshBus()
    const id = post('t', 'x'.repeat(40_000))
    post('t', 'whole')
    rmSync(join(cwd, '.jwz/blobs'), { recursive: true })
    const { code, stdout, stderr } = jwz(['export'])
    expect([code, bodies(stdout)]).toEqual([7, ['whole']])
    expect(stderr).toBe(`${id} is not whole: its body is not in ${cwd}/.jwz; see jwz doctor\n`)
  })

  it('takes no changed bytes for a body or a file, so that what it writes can be imported', () => {
    const { jwz, post, cwd } = freshBus()
    writeFileSync(join(cwd, 'a.txt'), 'file')
    const long = post('t', 'x'.repeat(40_000))
    post('t', 'see', '--attach', 'a.txt')
    for (const folder of readdirSync(join(cwd, '.jwz/blobs'))) {
      for (const name of readdirSync(join(cwd, '.jwz/blobs', folder))) {
        const path = join(cwd, '.jwz/blobs', folder, name)
        writeFileSync(path, 'y'.repeat(readFileSync(path).length))
      }
    }
    const { code, stdout, stderr } = jwz(['export'])
    expect([code, bodies(stdout)]).toEqual([7, ['see']])
    expect(stderr).toContain(`${long} is not whole`)
    expect(stderr).toContain('a.txt of ')
    expect(jwz(['import', '-', '--store', join(cwd, 'other')], { input: stdout })).toMatchObject({ code: 0 })
  })

  it('writes --out whole, in place of what was there, and reports it', () => {
    const { jwz, post, cwd } = freshBus()
    post('t', 'x')
    writeFileSync(join(cwd, 'bus.jsonl'), 'old')
    expect(jwz(['export', '--out', 'bus.jsonl'])).toEqual(ok(`${cwd}/bus.jsonl\n`))
    expect(readFileSync(join(cwd, 'bus.jsonl'), 'utf8')).toBe(jwz(['export']).stdout)
    const report = JSON.parse(jwz(['export', '--out', 'sub/bus.jsonl', '--json']).stdout)
    expect(report).toEqual({ path: `${cwd}/sub/bus.jsonl`, topic: null, messages: 1 })
    expect(writtenSchema.safeParse(report).success).toBe(true)
    expect(readdirSync(join(cwd, 'sub'))).toEqual(['bus.jsonl'])
  })

  it('leaves the old file when it is killed or the disk is full', () => {
    const { jwz, post, cwd } = freshBus()
    post('t', 'x')
    const out = join(cwd, 'bus.jsonl')
    writeFileSync(out, 'old')
    for (const action of ['kill', 'ENOSPC'] as const) {
      for (const call of ['writeSync', 'fsyncSync', 'renameSync']) {
        const env = faultEnv({ call, nth: 1, action, match: 'bus.jsonl' })
        expect(jwz(['export', '--out', 'bus.jsonl'], { env }).code).toBe(action === 'kill' ? null : 1)
        expect(readFileSync(out, 'utf8')).toBe('old')
      }
    }
  })

  it('refuses to write over a folder, a device or the store', () => {
    const { jwz, post, cwd } = freshBus()
    post('t', 'x')
    const usage = (out: string, ...more: string[]) => jwz(['export', '--out', out, ...more])
    const hint = 'add the name of a file'
    expect(usage('.')).toEqual(failed(2, `--out names a file for one document; got a folder, .; ${hint}`))
    expect(usage('/dev/null')).toEqual(
      failed(2, `--out names a file for one document; got no file, /dev/null; ${hint}`),
    )
    for (const more of [[], ['--format', 'html']]) {
      expect(usage('.jwz/topics/t.jsonl', ...more)).toEqual(
        failed(
          2,
          `--out names a place outside the store; got ${cwd}/.jwz/topics/t.jsonl; a log is only ever appended to`,
        ),
      )
    }
    expect(usage('README.md', '--format', 'html')).toEqual(
      failed(2, '--out names a folder for several documents; got a file, README.md'),
    )
  })
})

describe('jwz export --format', () => {
  it('prints one topic as one document, and several into a folder with an index', () => {
    const { jwz, post, cwd } = freshBus()
    const id = post('issue:1', 'Ship it?')
    post('index', 'x')
    jwz(['reply', id, '-m', 'Yes', '--as', 'bob'])
    for (const [format, extension] of [
      ['markdown', 'md'],
      ['html', 'html'],
    ]) {
      const { code, stdout, stderr } = jwz(['export', 'issue:1', '--format', `${format}`])
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/Ship it\?[\s\S]*Yes/)
      const paths = ['index', 'topics/index', 'topics/issue/1'].map((path) => `${cwd}/out/${path}.${extension}`)
      expect(jwz(['export', '--format', `${format}`, '--out', 'out', '-q'])).toEqual(ok(`${paths.join('\n')}\n`))
      expect(readFileSync(paths[0] ?? '', 'utf8')).toContain(`topics/issue/1.${extension}`)
      expect(readFileSync(paths[2] ?? '', 'utf8').slice(0, 3000)).toBe(stdout.slice(0, 3000))
    }
    expect(jwz(['export', '--format', 'html'])).toEqual(
      failed(
        2,
        'expected one topic for one document, or --out FOLDER; got 2 topics; name a topic, or: jwz export --format html --out report',
      ),
    )
    expect(jwz(['export', 'index', '--format', 'html', '-q'])).toEqual(
      failed(2, 'expected --out beside --quiet, because a page on stdout is no JSON'),
    )
  })

  it('keeps hostile bodies, names and tags in their places', () => {
    const { jwz } = freshBus()
    const hostile =
      '</code></pre><script>alert(1)</script>\n```\n````\r# no heading\n[x](javascript:alert(1)) \u001b[2J\0'
    const flags = ['--as', '<b>"eve"', '--tag', '"><img src=x>', '--role', '*x*']
    const id = jwz(['post', 't', '-', ...flags], { input: hostile }).stdout.trim()
    jwz(['reply', id, '-'], { input: hostile })
    const html = jwz(['export', 't', '--format', 'html']).stdout
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toMatch(/<img|<b>|href="javascript|\u001b|\0/)
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
    expect(policy).toMatch(/^default-src 'none'; img-src data:; style-src 'sha256-[^ ;]+'; script-src 'sha256-/)
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)

    const markdown = jwz(['export', 't', '--format', 'markdown']).stdout
    expect(markdown).toContain('`````text\n</code></pre><script>alert(1)</script>\n```\n````\n# no heading\n')
    expect(markdown).toContain('\n> `````text\n> </code></pre>')
    expect(markdown).toContain('\n> # no heading\n')
    expect(markdown).toContain('**\\<b\\>"eve"**')
  })
})
