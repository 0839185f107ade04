import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, type Finished, git, itWith, run, scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

const guide = readFileSync(fileURLToPath(new URL('../../../docs/jwz.md', import.meta.url)), 'utf8')

type Bus = ReturnType<typeof freshBus>
type Row = {
  /** The first column of the guide's table. */
  what: string
  act: (bus: Bus) => Finished
  code: number
  stderr?: RegExp
  /** What must hold of the bus afterwards. */
  afterwards?: (bus: Bus) => void
}

const topicRule = /^jwz: a topic is words joined by ":", such as issue:auth-123; got /
const read = (bus: Bus, topic: string): { id: string; body: string }[] =>
  JSON.parse(bus.jwz(['read', topic, '--limit', '100', '--json']).stdout)
const bodies = (bus: Bus, topic: string) => read(bus, topic).map(({ body }) => body)
const inBash = (bus: Bus, line: string): Finished => {
  const env = cleanEnv({ JWZ_AGENT: 'ann' })
  const { status, signal, stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: bus.cwd, env, encoding: 'utf8' })
  return { code: status, signal, stdout, stderr }
}
/** A record as another program might write it. */
const line = (id: string, body: string, at = 1) => JSON.stringify({ v: 1, id, at, topic: 't', from: 'eve', body })
const nothingPosted = (bus: Bus) => expect(bus.jwz(['topic', 'list', '-q']).stdout).toBe('')

const rows: Row[] = [
  {
    what: 'an empty topic name',
    act: ({ jwz }) => jwz(['post', '', '-m', 'x']),
    code: 2,
    stderr: topicRule,
    afterwards: nothingPosted,
  },
  {
    what: 'a topic word of 300 characters',
    act: ({ jwz }) => jwz(['post', 'a'.repeat(300), '-m', 'x']),
    code: 2,
    stderr: /^jwz: a part of a topic has at most 200 bytes when encoded; got 300; /,
    afterwards: nothingPosted,
  },
  {
    what: 'a topic of 300 characters in many words',
    act: ({ jwz }) => jwz(['post', 'ab:'.repeat(99).concat('cde'), '-m', 'x']),
    code: 0,
    afterwards: (bus) => expect(bodies(bus, 'ab:'.repeat(99).concat('cde'))).toEqual(['x']),
  },
  {
    what: 'a topic longer than the disk takes',
    act: ({ jwz }) => jwz(['post', 'ab:'.repeat(3000).concat('c'), '-m', 'x']),
    code: 1,
    stderr: /the disk answered ENAMETOOLONG\n$/,
    afterwards: nothingPosted,
  },
  { what: 'the topic `..`', act: ({ jwz }) => jwz(['post', '..', '-m', 'x']), code: 2, stderr: topicRule },
  {
    what: 'a topic in upper case',
    act: ({ jwz }) => jwz(['post', 'Issue:A', '-m', 'x']),
    code: 0,
    afterwards: (bus) => {
      bus.post('issue:a', 'y')
      expect(bus.jwz(['topic', 'list', '-q']).stdout).toBe('Issue:A\nissue:a\n')
    },
  },
  {
    what: 'bytes that are not UTF-8',
    act: ({ jwz }) => jwz(['post', 't', '-'], { input: Uint8Array.of(0x61, 0xff, 0xfe) }),
    code: 2,
    stderr: /^jwz: a message is UTF-8 text, but this has other bytes; /,
    afterwards: nothingPosted,
  },
  {
    what: 'an empty body',
    act: ({ jwz }) => jwz(['post', 't', '-'], { input: '' }),
    code: 2,
    stderr: /^jwz: a message has some text; got an empty one\n$/,
    afterwards: nothingPosted,
  },
  {
    what: 'a body of 20 MB',
    act: ({ jwz }) => jwz(['post', 't', '-'], { input: 'x'.repeat(scaled(20) * 1_000_000) }),
    code: 0,
    afterwards: ({ jwz }) => expect(jwz(['latest', 't']).stdout.length).toBe(scaled(20) * 1_000_000 + 1),
  },
  {
    what: 'output onto a full disk',
    act: (bus) => {
      bus.post('t', 'x')
      return inBash(bus, 'jwz read t > /dev/full')
    },
    code: 1,
    stderr: /^jwz: expected to write to stdout, got ENOSPC\n$/,
  },
  {
    what: 'a file size limit, or a full disk under the store',
    act: (bus) => inBash(bus, 'ulimit -f 1; while jwz post t -m "message of some length" >> ids; do :; done; exit 1'),
    code: 1,
    stderr: /^jwz: \d+ bytes were to be appended to .*t\.jsonl, the disk (took \d+|answered EFBIG)/,
    afterwards: (bus) => {
      const acknowledged = readFileSync(join(bus.cwd, 'ids'), 'utf8').trim().split('\n')
      const next = bus.post('t', 'room again')
      expect(read(bus, 't').map(({ id }) => id)).toEqual([...acknowledged, next])
      expect(bus.jwz(['doctor', '--log']).code).toBe(0)
    },
  },
  {
    what: 'a link in a store, or in its place, that nobody named',
    act: (bus) => {
      writeFileSync(join(bus.cwd, 'mine'), 'mine\n')
      bus.post('t:b', 'x')
      symlinkSync(join(bus.cwd, 'mine'), bus.file('t:a'))
      return bus.jwz(['post', 't:a', '-m', 'y'])
    },
    code: 5,
    stderr: /a\.jsonl is a link, and no store is read or written through one; /,
    afterwards: (bus) => expect(readFileSync(join(bus.cwd, 'mine'), 'utf8')).toBe('mine\n'),
  },
  {
    what: 'a store that may only be read',
    act: (bus) => {
      bus.post('t', 'x')
      chmodSync(bus.file('t'), 0o444)
      for (const folder of ['.jwz/topics', '.jwz']) chmodSync(join(bus.cwd, folder), 0o555)
      const reader = { cwd: bus.cwd, unprivileged: true, env: { JWZ_AGENT: 'ann' } }
      expect(run('jwz', ['latest', 't', '--store', '.jwz'], reader)).toMatchObject({ code: 0, stdout: 'x\n' })
      return run('jwz', ['post', 't', '-m', 'y', '--store', '.jwz'], reader)
    },
    code: 1,
    stderr: /the disk answered EACCES\n$/,
    afterwards: (bus) => {
      for (const folder of ['.jwz', '.jwz/topics']) chmodSync(join(bus.cwd, folder), 0o755)
      expect(bodies(bus, 't')).toEqual(['x'])
    },
  },
  {
    what: 'a damaged line in the middle',
    act: (bus) => {
      bus.post('t', 'before')
      writeFileSync(bus.file('t'), 'not JSON at all\n', { flag: 'a' })
      bus.post('t', 'after')
      const found = bus.jwz(['read', 't'])
      expect(found).toMatchObject({ code: 0, stdout: expect.stringMatching(/before\n[\s\S]*after\n$/) })
      expect(found.stderr).toBe('skipped 1 damaged or unknown line; see jwz doctor\n')
      return bus.jwz(['doctor', '--log'])
    },
    code: 7,
    afterwards: (bus) => expect(bus.jwz(['doctor', '--log']).stdout).toContain(`${bus.file('t')}:2: `),
  },
  {
    what: 'conflict markers in a topic',
    act: (bus) => {
      const id = bus.post('t', 'ours')
      const text = readFileSync(bus.file('t'), 'utf8')
      writeFileSync(bus.file('t'), `<<<<<<< HEAD\n${text}=======\n${line('theirs', 'theirs')}\n>>>>>>> side\n`)
      expect(read(bus, 't').map((message) => message.id)).toEqual([id, 'theirs'])
      return bus.jwz(['doctor', '--log'])
    },
    code: 7,
    afterwards: (bus) => expect(bus.jwz(['doctor', '--log']).stdout.match(/conflict marker/g)).toHaveLength(3),
  },
  {
    what: 'a clock that runs backwards',
    act: (bus) => {
      bus.post('t', 'first')
      writeFileSync(bus.file('t'), `${line('later', 'from the future', Date.now() + 3_600_000)}\n`, { flag: 'a' })
      bus.post('t', 'last')
      return bus.jwz(['latest', 't'])
    },
    code: 0,
    afterwards: (bus) => expect(bodies(bus, 't')).toEqual(['first', 'from the future', 'last']),
  },
  {
    what: 'a store inside the folder of another',
    act: (bus) => {
      bus.post('t', 'outer')
      const inner = join(bus.cwd, 'inner')
      mkdirSync(inner)
      git(inner, 'init', '-q')
      bus.jwz(['post', 't', '-m', 'inner'], { cwd: inner })
      mkdirSync(join(bus.cwd, 'plain/.jwz/topics'), { recursive: true })
      expect(bus.jwz(['latest', 't'], { cwd: inner }).stdout).toBe('inner\n')
      return bus.jwz(['latest', 't'], { cwd: join(bus.cwd, 'plain') })
    },
    code: 0,
    afterwards: (bus) => {
      expect(bodies(bus, 't')).toEqual(['outer'])
      expect(bus.jwz(['doctor'], { cwd: join(bus.cwd, 'plain') }).stdout).toContain('is not the one that is used here')
    },
  },
]

describe('the guide’s table of bad input and bad disks', () => {
  const holds = ({ what, act, code, stderr = /^$/, afterwards }: Row) => {
    const row = guide.split('\n').find((text) => text.startsWith(`| ${what} |`))
    expect(row, 'a row of docs/jwz.md').toMatch(new RegExp(`\\| ${code} \\|$`))
    const bus = freshBus()
    const result = act(bus)
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(stderr)
    afterwards?.(bus)
  }
  for (const row of rows) {
    const title = `holds for ${row.what}`
    if (row.what === 'a store that may only be read') itWith('permissions that stop this user', title, () => holds(row))
    else it(title, () => holds(row))
  }

  it('has no row that is not tried', () => {
    const table = guide.split('## Bad input and bad disks')[1]?.split('\n## ')[0] ?? ''
    const told = [...table.matchAll(/^\| (.+?) \|.*\| \d+ \|$/gm)].map(([, what]) => what)
    expect(told.sort()).toEqual(rows.map(({ what }) => what).sort())
  })
})
