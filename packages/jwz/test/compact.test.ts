import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { itWith, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { compactionSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

type Bus = ReturnType<typeof freshBus>

const day = 86_400_000
const nothing = { ...ok(''), stderr: 'nothing is old or large enough to be sealed or dropped\n' }

/** A message that was sent so many days ago, appended with a clock of its own. */
function sent(bus: Bus, topic: string, id: string, daysAgo: number, more: object = {}): void {
  mkdirSync(dirname(bus.file(topic)), { recursive: true })
  const at = Date.now() - daysAgo * day
  appendFileSync(bus.file(topic), `${JSON.stringify({ v: 1, id, at, topic, from: 'ann', body: id, ...more })}\n`)
}

const seal = (bus: Bus, topic: string) => bus.jwz(['compact', topic, '--seal-above', '1'])
const bodies = (bus: Bus, topic: string) =>
  JSON.parse(bus.jwz(['read', topic, '--json']).stdout).map(({ body }: { body: string }) => body)
const filesBeside = (bus: Bus, topic: string) => readdirSync(dirname(bus.file(topic))).sort()
const recorded = (bus: Bus, topic: string) => JSON.parse(readFileSync(`${bus.file(topic)}.dropped`, 'utf8'))

describe('jwz compact', () => {
  it('drops the segments in which every message is older, and says how much that was', () => {
    const bus = freshBus()
    for (const id of ['old-1', 'old-2']) sent(bus, 'build:log', id, 3)
    seal(bus, 'build:log')
    sent(bus, 'build:log', 'mixed', 3)
    bus.post('build:log', 'young')
    sent(bus, 'other', 'young too', 0)
    const bytes = 2 * (readFileSync(bus.file('build:log'), 'utf8').indexOf('\n') + 1) + 58
    const { code, stdout, stderr } = bus.jwz(['compact', '--older-than', '2d'])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `build:log: dropped 1 segment of 2 messages (${bytes} bytes)\n`,
      stderr: '',
    })
    expect(bodies(bus, 'build:log')).toEqual(['mixed', 'young'])
    expect(filesBeside(bus, 'build:log')).toEqual(['log.jsonl', 'log.jsonl.dropped'])
    expect(recorded(bus, 'build:log')).toMatchObject({
      v: 1,
      segments: 1,
      messages: 2,
      bytes,
      head: 'old-2',
      last: 'old-2',
    })
    expect(bus.jwz(['doctor', '--log']).code).toBe(0)
    expect(bus.jwz(['compact', '--older-than', '2d'])).toEqual(nothing)
  })

  it('seals what is larger than --seal-above, or old, and leaves the rest', () => {
    const bus = freshBus()
    for (const topic of ['large', 'small']) bus.post(topic, 'x'.repeat(topic === 'large' ? 3000 : 1))
    sent(bus, 'old', 'a', 3)
    const { stdout } = bus.jwz(['compact', '--older-than', '1d', '--seal-above', '2000'])
    expect(stdout).toMatch(
      /^large: sealed 1 message \(\d+ bytes\)\nold: sealed 1 message .*; dropped 1 segment of 1 .*\n$/,
    )
    expect([bus.file('large'), bus.file('small'), bus.file('old')].map(existsSync)).toEqual([false, true, false])
    expect(bodies(bus, 'large')).toEqual(['x'.repeat(3000)])
  })

  it('without --older-than drops only what has expired', () => {
    const bus = freshBus()
    sent(bus, 't', 'expired', 0, { expires: 5 })
    expect(bus.jwz(['compact']).stdout).toMatch(/sealed 1 message .*; dropped 1 segment of 1 message/)
    sent(bus, 't', 'old', 3)
    sent(bus, 't', 'expired', 0, { expires: 5 })
    expect(bus.jwz(['compact', '--seal-above', '1']).stdout).toMatch(/^t: sealed 2 messages \(\d+ bytes\)\n$/)
    expect(bodies(bus, 't')[0]).toBe('old')
  })

  it('copies what it drops to --archive first, laid out like a store', () => {
    const bus = freshBus()
    sent(bus, 'build:log', 'a', 3)
    const before = readFileSync(bus.file('build:log'), 'utf8')
    expect(bus.jwz(['compact', '--older-than', '1d', '--archive', 'old', '-q'])).toEqual(ok('build:log\n'))
    const archive = join(bus.cwd, 'old/topics/build')
    const [name = ''] = readdirSync(archive)
    expect(name).toMatch(/^log\.[0-9A-Z]{26}\.jsonl$/)
    const ulid = name.slice(4, 30)
    expect(readFileSync(join(archive, name), 'utf8')).toBe(`${before}{"type":"sealed","v":1,"id":"${ulid}"}\n`)
    expect(recorded(bus, 'build:log')).toMatchObject({ archive, upTo: ulid })
  })

  it('archives long bodies and attached files, too: the archive is read as a store, and brought back from there', () => {
    const bus = freshBus()
    const long = 'long '.repeat(20_000)
    writeFileSync(join(bus.cwd, 'notes.txt'), 'attached')
    bus.post('t', long)
    bus.jwz(['post', 't', '-m', 'with a file', '--attach', 'notes.txt'])
    bus.jwz(['compact', '--older-than', '0s', '--archive', 'old'])
    rmSync(join(bus.cwd, '.jwz'), { recursive: true })
    expect(bus.jwz(['doctor', '--log', '--store', 'old'])).toEqual(ok('t: 2 records, 0 torn, 0 repeated, 0 corrupt\n'))
    const exported = bus.jwz(['export', '--store', 'old', '--out', 'back.jsonl'])
    expect([exported.code, exported.stderr]).toEqual([0, ''])
    expect(bus.jwz(['import', 'back.jsonl']).stdout).toBe('imported 2 messages, 1 file into 1 topic\n')
    expect(bodies(bus, 't')).toEqual([long, 'with a file'])
    expect(bus.jwz(['doctor', '--log']).code).toBe(0)
  })

  it('archives conditional messages that count, also when what they expect was dropped before', () => {
    const bus = freshBus()
    const first = bus.post('t', 'first')
    bus.jwz(['compact', '--older-than', '0s'])
    bus.post('t', 'second', '--expect', first)
    bus.jwz(['compact', '--older-than', '0s', '--archive', 'old'])
    expect(bus.jwz(['latest', 't', '--store', 'old'])).toEqual(ok('second\n'))
  })

  it('with --dry-run says the same and changes nothing', () => {
    const bus = freshBus()
    sent(bus, 't', 'a', 3)
    const dry = bus.jwz(['compact', '--older-than', '1d', '--dry-run', '--archive', 'old', '--json'])
    expect(filesBeside(bus, 't')).toEqual(['t.jsonl'])
    expect(existsSync(join(bus.cwd, 'old'))).toBe(false)
    const [report] = JSON.parse(dry.stdout)
    expect(report).toMatchObject({
      topic: 't',
      sealed: { messages: 1 },
      dropped: { segments: 1, messages: 1 },
      unread_by: [],
    })
    const real = JSON.parse(bus.jwz(['compact', '--older-than', '1d', '--json']).stdout)
    for (const compaction of [report, ...real]) compactionSchema.parse(compaction)
    expect(real[0]).toMatchObject({ sealed: report.sealed, dropped: { segments: 1, messages: 1 } })
    const lines = bus.jwz(['compact', '--older-than', '1d', '--jsonl'])
    expect(lines).toEqual(ok(''))
  })

  it('leaves a topic of which nothing is left to the next post', () => {
    const bus = freshBus()
    sent(bus, 't', 'a', 3)
    bus.jwz(['compact', '--older-than', '1d'])
    expect(bus.jwz(['topic', 'list']).stdout).toBe('')
    expect(bus.jwz(['read', 't']).code).toBe(3)
    bus.post('t', 'again')
    expect(bodies(bus, 't')).toEqual(['again'])
  })

  it('does not keep a segment for a torn line, but for a young record of another kind', () => {
    const bus = freshBus()
    sent(bus, 't', 'a', 3)
    appendFileSync(bus.file('t'), `{"type":"ack","v":1,"id":"k","at":${Date.now()}}\n`)
    expect(bus.jwz(['compact', '--older-than', '1d'])).toEqual(nothing)
    sent(bus, 'u', 'a', 3)
    appendFileSync(bus.file('u'), '{"v":1,"id":"to')
    expect(bus.jwz(['compact', 'u', '--older-than', '1d']).stdout).toMatch(/dropped 1 segment of 1 message/)
  })

  it('keeps what a consumer has not read, and says so', () => {
    const bus = freshBus()
    for (const id of ['a', 'b']) sent(bus, 't', id, 3)
    expect(bus.jwz(['read', 't', '--consumer', 'ci', '--commit', '--limit', '1', '-q'])).toEqual(ok('a\n'))
    expect(bus.jwz(['compact', '--older-than', '1d']).stdout).toMatch(
      /^t: sealed 2 messages \(\d+ bytes\); kept, because not read by ci\n$/,
    )
    expect(JSON.parse(bus.jwz(['compact', '--older-than', '1d', '--json']).stdout)).toEqual([
      { topic: 't', sealed: null, dropped: null, unread_by: ['ci'] },
    ])
    expect(bus.jwz(['read', 't', '--consumer', 'ci', '--commit', '-q'])).toEqual(ok('b\n'))
    expect(bus.jwz(['compact', '--older-than', '1d']).stdout).toMatch(/^t: dropped 1 segment of 2 messages/)
    bus.post('t', 'next')
    expect(bus.jwz(['read', 't', '--consumer', 'ci', '--commit', '--json'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('with --force drops that too, and the consumer is told once', () => {
    const bus = freshBus()
    sent(bus, 't', 'a', 3)
    bus.jwz(['read', 't', '--consumer', 'ci', '--commit'])
    for (const id of ['b', 'c']) sent(bus, 't', id, 3)
    expect(bus.jwz(['compact', '--older-than', '1d', '--force']).stdout).toMatch(/dropped .*; not read by ci\n$/)
    expect(recorded(bus, 't')).toMatchObject({ messages: 3, unread_by: ['ci'] })
    const next = bus.post('t', 'next')
    const note = 'some of 3 messages of t were dropped before ci had read them\n'
    const read = () => bus.jwz(['read', 't', '--consumer', 'ci', '--commit', '--json'])
    expect(read()).toMatchObject({ code: 0, stdout: expect.stringContaining(next), stderr: note })
    bus.post('t', 'more')
    expect(read()).toMatchObject({ code: 0, stderr: '' })
  })

  it('refuses what makes no sense, and a topic that is not there', () => {
    const bus = freshBus()
    expect(bus.jwz(['compact', '--archive', ''])).toEqual(failed(2, '--archive names no folder; give a path'))
    expect(bus.jwz(['compact', '--older-than', 'soon']).code).toBe(2)
    expect(bus.jwz(['compact', 'typo'])).toEqual(
      failed(3, `no topic typo in ${bus.cwd}/.jwz; jwz topic list shows them`),
    )
    expect(bus.jwz(['compact'])).toEqual(nothing)
  })

  it('goes on to the other topics when one fails, and drops nothing that could not be archived', () => {
    const bus = freshBus()
    for (const topic of ['a:x', 'b']) sent(bus, topic, topic, 3)
    const archive = tempFolder('archive')
    mkdirSync(join(archive, 'topics'))
    writeFileSync(join(archive, 'topics/a'), 'in the way')
    const { code, stdout, stderr } = bus.jwz(['compact', '--older-than', '1d', '--archive', archive])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^b: sealed .* dropped 1 segment/)])
    expect(stderr).toBe(
      `jwz: the archive ${archive}/topics/a was to be made, the disk answered EEXIST; a file has the place of a folder; name another place\n`,
    )
    expect(bodies(bus, 'a:x')).toEqual(['a:x'])
  })

  it('refuses an archive that is the store itself, or that cannot be made, and drops nothing', () => {
    const bus = freshBus()
    sent(bus, 't', 'a', 3)
    symlinkSync('.jwz', join(bus.cwd, 'link'))
    const refused = (archive: string) => bus.jwz(['compact', '--older-than', '1d', '--archive', archive])
    const hint = 'got the store itself; give another folder'
    for (const archive of ['.jwz', 'link'])
      expect(refused(archive)).toEqual(failed(2, `expected an archive outside of ${bus.cwd}/.jwz, ${hint}`))
    expect(refused('/proc/no/folder').stderr).toBe(
      'jwz: the archive /proc/no/folder/topics was to be made, the disk answered ENOENT; name another place\n',
    )
    expect(bodies(bus, 't')).toEqual(['a'])
  })

  itWith('permissions that stop this user', 'says in one line that a store may not be written', () => {
    const bus = freshBus()
    sent(bus, 't', 'a', 3)
    chmodSync(join(bus.cwd, '.jwz/topics'), 0o555)
    const refused = run('jwz', ['compact', '--older-than', '1d'], { cwd: bus.cwd, unprivileged: true })
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^jwz: t was to be compacted, the disk answered EACCES.*\n$/),
    })
    expect(bodies(bus, 't')).toEqual(['a'])
  })
})
