import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inboxFileSchema, inboxSchema } from '../src/consumer/schemas.ts'
import { mentions } from '../src/message/addressed.ts'
import { freshBus, ok } from './bus.ts'

const nothing = { code: 3, signal: null, stdout: '', stderr: '' }

function busOfBob() {
  const bus = freshBus()
  const inbox = (...flags: string[]) => bus.jwz(['inbox', '--as', 'bob', ...flags])
  const ids = (...flags: string[]) =>
    inbox('-q', ...flags)
      .stdout.split('\n')
      .slice(0, -1)
  /** Appends a record by hand, an hour old and older from call to call. */
  let age = 3_600_000
  const append = (id: string, fields: Record<string, unknown>) => {
    age += 1000
    const record = { v: 1, id, at: Date.now() - age, topic: 't', from: 'ann', body: 'x', ...fields }
    appendFileSync(bus.file('t'), `${JSON.stringify(record)}\n`)
  }
  return { ...bus, inbox, ids, append, file: bus.file, kept: join(bus.cwd, '.jwz/inboxes/bob.json') }
}

describe('jwz inbox', () => {
  it('has what is addressed to me or all or mentions me, of all topics, but not what I say', () => {
    const { inbox, ids, post } = busOfBob()
    const mine = [
      post('t', 'to bob', '--to', 'carol', '--to', 'bob'),
      post('issue:1', 'what does @bob say?'),
      post('u', 'to all', '--to', 'all'),
      post('t', '@all: lunch'),
      post('long', `${'x'.repeat(40_000)} @bob`),
    ]
    post('t', 'bob, but nobody is called')
    post('t', 'to carol', '--to', 'carol')
    post('t', 'my own for @bob', '--as', 'bob', '--to', 'all')
    expect(ids()).toEqual(mine)
    const [first, ...more] = JSON.parse(inbox('--json').stdout)
    expect(inboxSchema.parse(first)).toMatchObject({ id: mine[0], body: 'to bob', read: false })
    expect(more.at(-1).body).toHaveLength(40_005)
    expect(inbox('--limit', '1').stdout).toMatch(new RegExp(`^t ${mine[0]} ann .*Z to carol, bob\nto bob\n$`))
    expect(inbox('--limit', '1').stderr).toBe('1 of 5 shown; --limit shows more\n')
  })

  it('stays unread until --commit or ack; --all shows what is read, too', () => {
    const { inbox, ids, post, jwz, kept } = busOfBob()
    const [a, b, c] = [post('t', '@bob a'), post('t', '@bob b'), post('u', '@bob c')]
    expect(ids()).toEqual(ids())
    expect(existsSync(kept)).toBe(false)
    expect(ids('--commit', '--limit', '1')).toEqual([a])
    expect(ids()).toEqual([b, c])
    jwz(['ack', c, '--as', 'bob'])
    expect(ids()).toEqual([b])
    expect(JSON.parse(inbox('--all', '--json').stdout).map(({ read }: { read: boolean }) => read)).toEqual([
      true,
      false,
      true,
    ])
    expect(ids('--commit')).toEqual([b])
    expect(inbox()).toEqual({ ...nothing, stderr: 'nothing for bob\n' })
    expect(inbox('--json')).toEqual({ ...nothing, stdout: '[]\n' })
    expect(inboxFileSchema.parse(JSON.parse(readFileSync(kept, 'utf8')))).toMatchObject({ v: 1, agent: 'bob' })
    expect(jwz(['inbox', '--as', 'carol', '-q'])).toEqual(nothing)
    const d = post('u', '@bob d')
    expect(ids('--commit')).toEqual([d])
  })

  it('puts what is urgent first and leaves out what has expired; --urgent reads it and leaves the rest unread', () => {
    const { ids, post, append } = busOfBob()
    const plain = post('t', '@bob')
    append('older', { to: ['bob'] })
    append('urgent-1', { to: ['bob'], urgent: true })
    append('expired', { to: ['bob'], expires: 1 })
    expect(ids()).toEqual(['urgent-1', 'older', plain])
    expect(ids('--since', '10m')).toEqual([plain])
    expect(ids('--urgent', '--commit')).toEqual(['urgent-1'])
    expect(ids()).toEqual(['older', plain])
    append('urgent-2', { to: ['bob'], urgent: true })
    expect(ids('--commit')).toEqual(['urgent-2', 'older', plain])
    expect(ids()).toEqual([])
  })

  it('gives nothing twice when a topic is sealed, and misses no late line', () => {
    const { ids, post, file, append } = busOfBob()
    const first = post('t', '@bob')
    expect(ids('--commit')).toEqual([first])
    const sealed = file('t').replace(/jsonl$/, '01KAH5T5A9Q3VX0W8ZK4M2N000.jsonl')
    renameSync(file('t'), sealed)
    expect(ids()).toEqual([])
    append('new', { to: ['bob'] })
    expect(ids('--commit')).toEqual(['new'])
    appendFileSync(sealed, '{"v":1,"id":"late","at":1,"topic":"t","from":"x","body":"@bob"}\n')
    expect(ids('--commit')).toEqual(['late'])
    expect(ids()).toEqual([])
  })

  it('that is killed before any of its file calls loses no message', () => {
    const { jwz, post, ids, kept } = busOfBob()
    let step = 0
    for (let code: number | null = null; code !== 0; ) {
      step += 1
      const id = post('t', `@bob ${step}`)
      const env = faultEnv({ call: '*', nth: step, action: 'kill', match: '.jwz' })
      const killed = jwz(['inbox', '--as', 'bob', '-q', '--commit', '--limit', '500'], { env })
      code = killed.code
      // A lock that nobody has signed is waited for; how long is a matter of its own, and of how fast this machine is.
      for (const left of [`${kept}.lock`, `${kept}.lock.owner`]) rmSync(left, { recursive: true, force: true })
      expect([...killed.stdout.split('\n'), ...ids('--limit', '500')]).toContain(id)
      if (code === 0) expect(ids()).toEqual([])
      expect(step).toBeLessThan(200)
    }
    expect(step).toBeGreaterThan(15)
  })

  it('says which file is damaged, with exit 7', () => {
    const { ids, post, inbox, kept } = busOfBob()
    post('t', '@bob')
    ids('--commit')
    const before = readFileSync(kept, 'utf8')
    for (const damaged of ['{}', before.replace(/"topics":.*/, '"topics":[]}'), before.replace('"bob"', '""')]) {
      writeFileSync(kept, damaged)
      expect(inbox()).toMatchObject({ code: 7, stderr: expect.stringMatching(/was to be what an agent has read/) })
    }
  })

  it('is empty where there is no bus', () => {
    const { inbox } = busOfBob()
    expect(inbox('--commit', '-q')).toEqual(nothing)
    expect(inbox('--json')).toEqual({ ...ok('[]\n'), code: 3 })
  })
})

describe('a mention', () => {
  it.each(['@bob', 'hey @bob, look', '(@bob)', '@bob.', '@bob: x', "@bob's", 'ask @bob-', '**@bob**', '@bob\n'])(
    'is in %j',
    (body) => expect(mentions(body, 'bob')).toBe(true),
  )

  it.each(['bob', '@bobby', '@bob-2', '@bob.x', '@bob_', 'x@bob', '@@bob', '@bob/pkg', 'a/@bob', '@Bob', '@böb'])(
    'is not in %j',
    (body) => expect(mentions(body, 'bob')).toBe(false),
  )

  it('finds any name as it stands', () => {
    const names = fc.oneof(fc.constant('ann-marie'), fc.stringMatching(/^[^\p{Cc}]{1,80}$/u))
    fc.assert(fc.property(names, (name) => mentions(`to @${name} now`, name)))
  })
})
