import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, scaled } from '@switchyard/testkit'
import { messageSchema } from '@switchyard/topic/schema'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { migrationSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

/** Ids as the original made them: 26 characters, here told apart by their end. */
const idOf = (end: string) => `01KAH5T5A9Q3VX0W8ZK4${end.padStart(6, '0')}`
const git = { oid: 'a'.repeat(40), head: 'main', dirty: true, prefix: 'src/' }

function topic(end: string, name: unknown, description: unknown = '') {
  return JSON.stringify({ type: 'topic', id: idOf(end), name, description, created_at: 1000 })
}

function message(end: string, topicEnd: string, body: unknown, more: Record<string, unknown> = {}) {
  const fields = { parent_id: null, body, created_at: 2000, sender: null, git: null, ...more }
  return JSON.stringify({ type: 'message', id: idOf(end), topic_id: idOf(topicEnd), ...fields })
}

/** A bus, and beside it a store of the original with these lines. */
function busWith(lines: readonly string[], folder = 'old/.jwz') {
  const bus = freshBus()
  mkdirSync(join(bus.cwd, folder), { recursive: true })
  const source = join(bus.cwd, folder, 'messages.jsonl')
  writeFileSync(source, lines.map((line) => `${line}\n`).join(''))
  return { ...bus, source, migrate: (...flags: string[]) => bus.jwz(['migrate', folder, ...flags]) }
}

describe('jwz migrate', () => {
  it('takes over messages with their ids, times, senders and places in git', () => {
    const sender = { id: idOf('Z'), name: 'Quick Red Fox', model: 'm-1', role: 'reviewer' }
    const { jwz, migrate, records } = busWith([
      topic('T', 'issue:auth-123'),
      message('1', 'T', 'question', { sender, git }),
      message('2', 'T', 'answer', { parent_id: idOf('1'), git: { ...git, head: '(detached)', oid: '(initial)' } }),
    ])
    const said = 'issue:auth-123: 2 added, 0 there before\ntopics: 1, messages: 2 added, 0 there before\n'
    expect(migrate()).toEqual(ok(said))
    const its = { topic: { id: idOf('T'), created_at: 1000 } }
    expect(records('issue:auth-123')).toEqual([
      {
        v: 1,
        id: idOf('1'),
        at: 2000,
        topic: 'issue:auth-123',
        from: 'Quick Red Fox',
        role: 'reviewer',
        model: 'm-1',
        body: 'question',
        git: { oid: 'a'.repeat(40), branch: 'main', prefix: 'src' },
        data: { migrated: { ...its, sender: { id: idOf('Z') }, git: { dirty: true } } },
      },
      {
        v: 1,
        id: idOf('2'),
        at: 2000,
        topic: 'issue:auth-123',
        from: 'unknown',
        body: 'answer',
        reply_to: idOf('1'),
        git: { oid: null, branch: null, prefix: 'src' },
        data: { migrated: { ...its, git: { dirty: true } } },
      },
    ])
    for (const record of records('issue:auth-123')) messageSchema.parse(record)
    expect(JSON.parse(jwz(['thread', idOf('2'), '--json']).stdout)).toHaveLength(2)
    expect(jwz(['reply', idOf('2'), '-m', 'goes on'])).toMatchObject({ code: 0 })
  })

  it('adds nothing a second time, and what is new a third time', () => {
    const { migrate, records, source } = busWith([topic('T', 't', 'What it is for'), message('1', 'T', 'one')])
    expect(migrate('--dry-run')).toEqual(
      ok('t: 2 to add, 0 there before\ntopics: 1, messages: 2 to add, 0 there before\n'),
    )
    expect(records('t')).toEqual([])
    expect(migrate('-q')).toEqual(ok('t\n'))
    expect(migrate()).toEqual(ok('t: 0 added, 2 there before\ntopics: 1, messages: 0 added, 2 there before\n'))
    expect(migrate('--dry-run')).toMatchObject({ stdout: expect.stringContaining('t: 0 to add, 2 there before') })
    appendFileSync(source, `${message('2', 'T', 'two')}\n`)
    expect(migrate()).toMatchObject({ code: 0, stdout: expect.stringContaining('t: 1 added, 2 there before') })
    expect(records('t').map(({ body, tags }) => [body, tags])).toEqual([
      ['What it is for', ['description']],
      ['one', undefined],
      ['two', undefined],
    ])
  })

  it('merges topics of one name, finds topics that come later, and names those that nobody named', () => {
    const { jwz, migrate } = busWith([
      message('1', 'A', 'first'),
      topic('A', 'same'),
      topic('B', 'same'),
      message('2', 'B', 'second'),
      message('3', 'A', 'third', { parent_id: idOf('GONE') }),
      message('4', 'X', 'lost'),
      topic('E', 'empty'),
    ])
    const unnamed = `migrated:${idOf('X')}`
    expect(migrate()).toEqual(
      ok(
        [
          'same: 3 added, 0 there before',
          'empty: 0 added, 0 there before',
          `${unnamed}: 1 added, 0 there before (the source does not say its name)`,
          'answers to messages that are not in the source: 1',
          'topics: 3, messages: 4 added, 0 there before\n',
        ].join('\n'),
      ),
    )
    expect(jwz(['read', 'same', '--json']).stdout).toMatch(/first.*second.*third/)
    expect(JSON.parse(jwz(['topic', 'list', '--json']).stdout).map((each: { topic: string }) => each.topic)).toEqual([
      'empty',
      unnamed,
      'same',
    ])
    expect(jwz(['thread', idOf('3'), '-q'])).toEqual(ok(`${idOf('3')}\n`))
  })

  it('gives illegal names legal ones, always the same and never those of others', () => {
    const names = ['a::b', 'a:b', ':a:b:', '..', 'x:.:y', '', 'long'.repeat(80), 'Über:Größe']
    const lines = names.flatMap((name, place) => [
      topic(`T${place}`, name),
      message(`${place}`, `T${place}`, name || '-'),
    ])
    const { jwz, migrate } = busWith(lines)
    const { topics } = migrationSchema.strict().parse(JSON.parse(migrate('--json').stdout))
    expect(new Set(topics.map((each) => each.topic)).size).toBe(names.length)
    expect(topics.map((each) => each.names)).toEqual(names.map((name) => [name]))
    const shape = [
      /^a:b-[0-9a-f]{6}$/,
      /^a:b$/,
      /^a:b-[0-9a-f]{6}$/,
      /^__-/,
      /^x:_:y-/,
      /^topic-/,
      /^long.*-/,
      /^Über:Größe$/,
    ]
    for (const [place, pattern] of shape.entries()) {
      expect(topics[place]?.topic).toMatch(pattern)
      const [read] = JSON.parse(jwz(['read', topics[place]?.topic ?? '', '--json']).stdout)
      expect(read.body).toBe(names[place] || '-')
      const { name } = read.data.migrated.topic
      expect(name).toBe(topics[place]?.topic === names[place] ? undefined : names[place])
    }
    expect(migrate().stdout).toContain('a:b: 0 added, 1 there before\n')
    expect(migrate().stdout).toMatch(/^a:b-[0-9a-f]{6}: 0 added, 1 there before \(was "a::b"\)\n/)
  })

  it('keeps bodies that came as bytes, those that are no text as files', () => {
    const bytes = Buffer.from([0xff, 0x41, 0x0a, 0x80])
    const { jwz, cwd, migrate } = busWith([
      topic('T', [...Buffer.from('bytes')], [...Buffer.from('grün')]),
      message('1', 'T', [...Buffer.from('größer')]),
      message('2', 'T', [...bytes]),
      message('3', 'T', 'x'.repeat(100_000)),
    ])
    expect(migrate()).toMatchObject({ code: 0 })
    const [about, text, binary, long] = JSON.parse(jwz(['read', 'bytes', '--json']).stdout)
    expect([about.body, text.body, text.attachments]).toEqual(['grün', 'größer', undefined])
    expect(long.body.length).toBe(100_000)
    expect(binary).toMatchObject({ body: '\ufffdA\n\ufffd', attachments: [{ name: 'body', bytes: 4 }] })
    expect(jwz(['show', binary.id, '--attachment', 'body', '-o', 'body'])).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'body'))).toEqual(bytes)
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
    expect(migrate()).toMatchObject({ code: 0, stdout: expect.stringContaining('bytes: 0 added, 4 there before') })
  })

  it('keeps every field that has no place here', () => {
    const data = (text: string) => JSON.parse(text)[0].data.migrated
    const wide = { note: 'x'.repeat(20_000) }
    const { jwz, migrate } = busWith([
      topic('T', 't'),
      message('1', 'T', 'x', { later: { a: [1] }, created_at: 'soon', sender: { id: 'alice', name: 'Unknown Agent' } }),
      message('2', 'T', 'y', { wide, sender: { id: idOf('S'), role: 'dev', name: null, model: null } }),
      '{"type":"message","id":"short","topic_id":"none","body":"removed fields"}',
    ])
    expect(migrate()).toMatchObject({ code: 0 })
    const [first, second] = JSON.parse(jwz(['read', 't', '--json']).stdout)
    expect(first).toMatchObject({ from: 'alice', at: 1763660600649 })
    expect(first.data.migrated).toMatchObject({
      later: { a: [1] },
      created_at: 'soon',
      sender: { name: 'Unknown Agent' },
    })
    expect(second).toMatchObject({ from: 'dev', role: 'dev', attachments: [{ name: 'migrated.json' }] })
    const kept = JSON.parse(jwz(['show', second.id, '--attachment', 'migrated.json']).stdout)
    expect(kept).toMatchObject({ wide, sender: { id: idOf('S') } })
    const [bare] = JSON.parse(jwz(['read', 'migrated:none', '--json']).stdout)
    expect(bare).toMatchObject({ id: 'short', at: 0, from: 'unknown', body: 'removed fields' })
    expect(data(jwz(['read', 'migrated:none', '--json']).stdout)).toEqual({ topic: { id: 'none' } })
  })

  it('names every damaged line after the rest has come, and saves a record glued to a torn one', () => {
    const { cwd, jwz, migrate, source } = busWith([
      topic('T', 't'),
      '<<<<<<< HEAD',
      message('1', 'T', 'one'),
      '=======',
      'not json',
      `${message('9', 'T', 'torn').slice(0, 60)}${message('2', 'T', 'two')}`,
      '[1]',
      '{"type":"reaction","id":"r"}',
      message('3', 'T', 'x').replace('"body":"x"', '"body":null'),
      '{"type":"topic","id":"t"}',
      '',
      message('1', 'T', 'another with this id'),
      message('4', 'T', 'four'),
    ])
    appendFileSync(source, Buffer.from('{"type":"message","id":"\xff"}\n', 'latin1'))
    appendFileSync(source, '{"type":"message","id":"01K')
    const at = (line: number) => `${cwd}/old/.jwz/messages.jsonl:${line}`
    const lines = [
      't: 3 added, 0 there before',
      `  ${idOf('1')}: there is another message with this id, which was kept`,
      `${at(2)}: a conflict marker of version control`,
      `${at(4)}: a conflict marker of version control`,
      `${at(5)}: not JSON`,
      `${at(6)}: cut off; the record glued to it was taken over`,
      `${at(7)}: a JSON object was expected, got another JSON value`,
      `${at(8)}: neither a topic nor a message`,
      `${at(9)}: a message without a body`,
      `${at(10)}: a topic without a name`,
      `${at(14)}: not UTF-8`,
      `${at(15)}: cut off`,
      'topics: 1, messages: 3 added, 0 there before',
    ]
    expect(migrate()).toEqual({ ...ok(`${lines.join('\n')}\n`), code: 7 })
    expect(JSON.parse(jwz(['read', 't', '--json']).stdout).map(({ body }: { body: string }) => body)).toEqual([
      'one',
      'two',
      'four',
    ])
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
  })

  it('finds the log in a folder, in its .jwz or .zawinski, or by its own name', () => {
    const { cwd, jwz } = busWith([topic('T', 't'), message('1', 'T', 'x')], 'old/.zawinski')
    for (const source of ['old', 'old/.zawinski', 'old/.zawinski/messages.jsonl'])
      expect(jwz(['migrate', source])).toMatchObject({ code: 0 })
    const none = 'name the store of the original, or its messages.jsonl'
    expect(jwz(['migrate', 'nowhere'])).toEqual(failed(3, `no messages.jsonl in ${cwd}/nowhere; ${none}`))
    const ours = 'it is a store of this jwz; jwz export and jwz import carry its topics over'
    expect(jwz(['migrate', '.jwz'])).toEqual(failed(3, `no messages.jsonl in ${cwd}/.jwz; ${ours}`))
  })

  it('works within the store of the original, and says that git sees it', () => {
    const { cwd, jwz } = busWith([topic('T', 't'), message('1', 'T', 'x')], '.jwz')
    writeFileSync(join(cwd, '.jwz/.gitignore'), 'messages.db\nlock\n')
    const { code, stderr } = jwz(['migrate', '.jwz'])
    const hint = `${cwd}/.jwz/.gitignore does not hide the store from git: put a line with * into it\n`
    expect([code, stderr]).toEqual([0, hint])
    expect(readFileSync(join(cwd, '.jwz/.gitignore'), 'utf8')).toBe('messages.db\nlock\n')
    expect(jwz(['latest', 't'])).toEqual(ok('x\n'))
  })

  it('takes over a large log, each message once', () => {
    const count = scaled(10_000)
    const lines = Array.from({ length: count }, (_, n) =>
      message(`${n}`, `T${n % 7}`, `${n} ${'x'.repeat(500)}`, n > 7 ? { parent_id: idOf(`${n - 7}`) } : {}),
    )
    const topics = Array.from({ length: 7 }, (_, n) => topic(`T${n}`, `topic:${n % 5}`))
    const { jwz, migrate } = busWith([...lines, ...topics])
    const report = migrationSchema.parse(JSON.parse(migrate('--json').stdout))
    expect(report.topics.reduce((sum, { added }) => sum + added, 0)).toBe(count)
    expect(report).toMatchObject({ damaged: [], missing_parents: 0 })
    const again = migrationSchema.parse(JSON.parse(migrate('--json').stdout))
    expect(again.topics.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0])
    const stats = JSON.parse(jwz(['topic', 'list', '--json']).stdout)
    expect(stats.reduce((sum: number, { messages }: { messages: number }) => sum + messages, 0)).toBe(count)
  })

  it('killed before any of its calls, is finished by the next one without doubles', () => {
    const lines = [topic('A', 'a:deep', 'about'), topic('B', 'b')]
    const messages = [message('1', 'A', [0xff, 0x00]), message('2', 'B', 'x'.repeat(40_000)), message('3', 'A', 'y')]
    const { cwd, jwz, source } = busWith([...lines, ...messages])
    let code: number | null = null
    for (let nth = 1; code === null; nth += full ? 1 : 19) {
      const store = join(cwd, `store-${nth}`)
      const env = faultEnv({ call: '*', nth, action: 'kill', match: store })
      code = jwz(['migrate', source, '--store', store], { env }).code
      expect(jwz(['migrate', source, '--store', store])).toMatchObject({ code: 0 })
      const { stdout } = jwz(['doctor', '--log', '--store', store])
      expect(stdout).toBe(
        'a:deep: 3 records, 0 torn, 0 repeated, 0 corrupt\nb: 1 record, 0 torn, 0 repeated, 0 corrupt\n',
      )
    }
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  it('prints what its schema says', () => {
    const { jwz } = freshBus()
    expect(JSON.parse(jwz(['schema', 'migration']).stdout)).toEqual(z.toJSONSchema(migrationSchema))
  })
})
