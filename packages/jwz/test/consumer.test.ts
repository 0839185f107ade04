import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { bin, cleanEnv, faultEnv, full, itWith, run, start, stopped } from '@switchyard/testkit'
import { locateStore } from '@switchyard/topic'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { consumersOfSegment } from '../src/consumer/of-segment.ts'
import { cursorFileSchema, cursorSchema } from '../src/consumer/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'
import { busWith, cursorFile, lines, next, nothing } from './consumer-bus.ts'

describe('jwz read --consumer', () => {
  it('gives what was not committed, oldest first; the place stays until --commit', () => {
    const bus = busWith(4)
    expect(next(bus, '--limit', '2')).toEqual(lines(bus.ids.slice(0, 2)))
    expect(existsSync(join(bus.cwd, '.jwz/cursors'))).toBe(false)
    expect(next(bus, '--limit', '2', '--commit')).toEqual(lines(bus.ids.slice(0, 2)))
    expect(next(bus, '--commit')).toEqual(lines(bus.ids.slice(2)))
    const before = readFileSync(cursorFile(bus, 'ci'), 'utf8')
    expect(next(bus, '--commit')).toEqual(nothing)
    expect(readFileSync(cursorFile(bus, 'ci'), 'utf8')).toBe(before)
    expect(cursorFileSchema.parse(JSON.parse(before))).toMatchObject({ consumer: 'ci', topic: 't', id: bus.ids[3] })
    expect(bus.jwz(['read', 't', '--consumer', 'other', '-q'])).toEqual(lines(bus.ids))
  })

  it('exits 3 with an empty list when there is nothing new, and says so', () => {
    const bus = busWith(1)
    next(bus, '--commit')
    expect(bus.jwz(['read', 't', '--consumer', 'ci', '--json'])).toEqual({ ...nothing, stdout: '[]\n' })
    expect(bus.jwz(['read', 't', '--consumer', 'ci'])).toEqual({ ...nothing, stderr: 'nothing new in t for ci\n' })
  })

  it('passes over what a filter leaves out', () => {
    const bus = busWith(1)
    const id = bus.post('t', 'from bob', '--as', 'bob')
    bus.post('t', 'from ann')
    expect(next(bus, '--from', 'bob', '--commit')).toEqual(lines([id]))
    expect(next(bus)).toEqual(nothing)
  })

  it('gives nothing twice after a seal, a drop or a replacement, and misses no late line', () => {
    const bus = busWith(3)
    next(bus, '--commit')
    const sealed = bus.file('t').replace(/jsonl$/, '01KAH5T5A9Q3VX0W8ZK4M2N000.jsonl')
    renameSync(bus.file('t'), sealed)
    expect(next(bus, '--commit')).toEqual(nothing)
    const later = bus.post('t', 'later')
    expect(next(bus, '--commit')).toEqual(lines([later]))
    appendFileSync(sealed, '{"v":1,"id":"late-line","at":1,"topic":"t","from":"x","body":"late"}\n')
    expect(next(bus, '--commit')).toEqual(lines(['late-line']))
    writeFileSync(`${bus.file('t')}.new`, `${readFileSync(sealed, 'utf8')}${readFileSync(bus.file('t'), 'utf8')}`)
    rmSync(sealed)
    renameSync(`${bus.file('t')}.new`, bus.file('t'))
    expect(next(bus, '--commit')).toEqual(nothing)
    const last = bus.post('t', 'last')
    expect(next(bus, '--commit')).toEqual(lines([last]))
  })

  it('commits nothing when its reader has gone', () => {
    const bus = freshBus()
    for (let count = 0; count < 4; count++) bus.post('t', 'x'.repeat(30_000))
    const command = `node ${bin('jwz')} read t --consumer ci --commit | head -c 5; echo "\${PIPESTATUS[0]}"`
    const { stdout } = spawnSync('bash', ['-c', command], { cwd: bus.cwd, env: cleanEnv(), encoding: 'utf8' })
    expect(stdout).toMatch(/^.{5}0\n$/)
    expect(next(bus).stdout.trim().split('\n')).toHaveLength(4)
  })

  it.each([
    [['--commit'], '--commit takes --consumer NAME beside it, got none; say who reads'],
    [
      ['--consumer', 'ci', '--after', 'abcd'],
      '--consumer begins where NAME stopped; got --after beside it; --reset ID moves that place',
    ],
    [['--consumer', ''], 'a name has 1 to 80 characters and no control characters; got ""'],
    [['--consumer', '\u{1F600}'.repeat(20)], 'a name has at most 200 bytes when encoded; got 240; use a shorter name'],
  ])('refuses %j', (flags, message) => {
    const { jwz } = busWith(1)
    expect(jwz(['read', 't', ...flags])).toEqual(failed(2, message))
  })

  it('keeps consumers of any name apart, below its own folder', () => {
    const bus = busWith(1)
    for (const name of ['..', 'a:b', 'a/b', 'A', 'a', 'x.lock']) {
      expect(bus.jwz(['read', 't', '--consumer', name, '-q', '--commit'])).toEqual(lines(bus.ids))
    }
    const listed = JSON.parse(bus.jwz(['read', '--status', '--json']).stdout)
    expect(listed.map(({ consumer }: { consumer: string }) => consumer)).toEqual([
      '..',
      'A',
      'a',
      'a/b',
      'a:b',
      'x.lock',
    ])
  })

  itWith('permissions that stop this user', 'says in one line that a place may not be kept', () => {
    const bus = busWith(1)
    next(bus, '--commit')
    bus.jwz(['inbox', '--as', 'ci', '--commit'])
    mkdirSync(join(bus.cwd, '.jwz/inboxes'), { recursive: true })
    for (const folder of ['cursors/ci', 'inboxes']) chmodSync(join(bus.cwd, '.jwz', folder), 0o555)
    const verbs = [
      ['read', 't', '--consumer', 'ci', '--commit'],
      ['read', 't', '--consumer', 'ci', '--reset', 'none'],
      ['inbox', '--as', 'ci', '--commit'],
    ]
    for (const verb of verbs) {
      const { code, stderr } = run('jwz', verb, { cwd: bus.cwd, unprivileged: true })
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^jwz: \/.*\.json was to be kept, the disk answered EACCES\n$/),
      ])
    }
  })

  it('says which cursor file is damaged, with exit 7', () => {
    const bus = busWith(1)
    next(bus, '--commit')
    const before = readFileSync(cursorFile(bus, 'ci'), 'utf8')
    const damages = [
      () => writeFileSync(cursorFile(bus, 'ci'), '{"v":1}\n'),
      () => writeFileSync(cursorFile(bus, 'ci'), before.replace(/"offset":\d+/, '"offset":-5')),
      () => writeFileSync(cursorFile(bus, 'ci'), before.replace('"consumer":"ci"', '"consumer":""')),
      () => spawnSync('sh', ['-c', 'rm "$0"; mkfifo "$0"', cursorFile(bus, 'ci')]),
    ]
    for (const damage of damages) {
      damage()
      const { code, stderr } = next(bus)
      expect([code, stderr]).toEqual([7, expect.stringMatching(/ci\/t\.jsonl\.json was to be a consumer's place/)])
    }
  })
})

describe('a commit', () => {
  it('that is killed before any of its file calls loses no message, and the next one works', () => {
    const bus = busWith(1)
    const seen = new Set<string>()
    let step = full ? 0 : -1
    for (let code: number | null = null; code !== 0; ) {
      step += full ? 1 : 2
      bus.ids.push(bus.post('t', `step ${step}`))
      const env = faultEnv({ call: '*', nth: step, action: 'kill', match: '.jwz' })
      const killed = bus.jwz(['read', 't', '--consumer', 'ci', '-q', '--commit', '--limit', '500'], { env })
      code = killed.code
      // One killed before it had signed its lock makes the next wait, which would be killed while it waits, and so on.
      for (const left of ['.lock', '.lock.owner'])
        rmSync(`${cursorFile(bus, 'ci')}${left}`, { recursive: true, force: true })
      const kept = next(bus, '--limit', '500')
      const given = [...killed.stdout.trim().split('\n'), ...kept.stdout.trim().split('\n')]
      for (const id of given) seen.add(id)
      expect(bus.ids.filter((id) => !seen.has(id))).toEqual([])
      if (code === 0) expect(kept).toEqual(nothing)
      expect(step).toBeLessThan(200)
    }
    expect(step).toBeGreaterThan(15)
  })

  it('that is stopped while it holds the place makes others wait, and none reads what it reads', async () => {
    const bus = busWith(3)
    const env = faultEnv({ call: 'renameSync', nth: 1, action: 'stop', match: 'cursors' })
    const slow = start('jwz', ['read', 't', '--consumer', 'ci', '-q', '--commit', '--limit', '2'], {
      cwd: bus.cwd,
      env,
      input: '',
    })
    await stopped(slow.child.pid)
    const other = start('jwz', ['read', 't', '--consumer', 'ci', '-q', '--commit'], { cwd: bus.cwd, input: '' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    slow.child.kill('SIGCONT')
    expect(await slow.done).toEqual(lines(bus.ids.slice(0, 2)))
    expect(await other.done).toEqual(lines(bus.ids.slice(2)))
  })

  it('exits 5 and leaves the place when somebody moved it from outside meanwhile', async () => {
    const bus = busWith(2)
    next(bus, '--commit', '--limit', '1')
    copyFileSync(cursorFile(bus, 'ci'), `${cursorFile(bus, 'ci')}.saved`)
    const env = faultEnv({ call: 'openSync', nth: 3, action: 'stop', match: 'cursors/ci/t.jsonl.json' })
    const slow = start('jwz', ['read', 't', '--consumer', 'ci', '-q', '--commit'], { cwd: bus.cwd, env, input: '' })
    await stopped(slow.child.pid)
    rmSync(cursorFile(bus, 'ci'))
    slow.child.kill('SIGCONT')
    expect(await slow.done).toMatchObject({ code: 5, stderr: expect.stringMatching(/was expected to stay/) })
    expect(existsSync(cursorFile(bus, 'ci'))).toBe(false)
  })
})

describe('consumersOfSegment', () => {
  it('names those that have not committed all of a sealed segment, a late line included', () => {
    const bus = busWith(2)
    const store = locateStore({ cwd: bus.cwd, env: {}, name: '.jwz', variable: 'JWZ_STORE' })
    next(bus, '--commit')
    bus.jwz(['read', 't', '--consumer', 'slow', '--commit', '--limit', '1'])
    const sealed = bus.file('t').replace(/jsonl$/, '01KAH5T5A9Q3VX0W8ZK4M2N000.jsonl')
    renameSync(bus.file('t'), sealed)
    bus.post('t', 'active')
    expect(consumersOfSegment(store, 't', sealed)).toEqual(['slow'])
    bus.jwz(['read', 't', '--consumer', 'slow', '--commit', '--limit', '1'])
    expect(consumersOfSegment(store, 't', sealed)).toEqual([])
    appendFileSync(sealed, '{"v":1,"id":"late-line","at":1,"topic":"t","from":"x","body":"late"}\n')
    expect(consumersOfSegment(store, 't', sealed)).toEqual(['ci', 'slow'])
    expect(consumersOfSegment(store, 'other', sealed)).toEqual([])
  })
})

describe('docs/formats/cursor.md', () => {
  const formats = new URL('../../../docs/formats/', import.meta.url)
  const page = readFileSync(new URL('cursor.md', formats), 'utf8')

  it('names every field of the schema, and its fixture is a place in the example of the topic page', () => {
    for (const field of Object.keys(cursorFileSchema.shape)) expect(page).toContain(`| \`${field}\``)
    const bus = freshBus()
    const topic = 'issue:auth-123'
    const [, example = ''] = /```jsonl\n([^`]+)```/.exec(readFileSync(new URL('topic.md', formats), 'utf8')) ?? []
    const place = join(bus.cwd, '.jwz/cursors/deploy/issue/auth-123.jsonl.json')
    for (const file of [bus.file(topic), place]) mkdirSync(dirname(file), { recursive: true })
    writeFileSync(bus.file(topic), example)
    const fixture = cursorFileSchema.parse(JSON.parse(readFileSync(new URL('fixtures/cursor.json', formats), 'utf8')))
    const { ino } = statSync(bus.file(topic))
    const files = fixture.files.map((cursor) => ({ ...cursor, inode: ino }))
    writeFileSync(place, JSON.stringify({ ...fixture, files, recent: [] }))
    expect(bus.jwz(['read', topic, '--consumer', 'deploy', '-q'])).toEqual(ok('01KAH5T8M1D6YF2R9S0C3E5GJK\n'))
    expect(JSON.parse(bus.jwz(['schema', 'cursor-file']).stdout)).toEqual(z.toJSONSchema(cursorFileSchema))
    expect(JSON.parse(bus.jwz(['schema', 'cursor']).stdout)).toEqual(z.toJSONSchema(cursorSchema))
  })
})
