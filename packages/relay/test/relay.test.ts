import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { type NatsServer, natsServer, serverOfTest } from './nats-server.ts'
import { type Side, side } from './side.ts'
import { countIn, deleteStream, makeForgetfulStream, messagesIn, publish } from './stream.ts'

/** Writes a line as another program would. */
function append(one: Side, topic: string, record: unknown): void {
  mkdirSync(dirname(one.file(topic)), { recursive: true })
  appendFileSync(one.file(topic), `${JSON.stringify(record)}\n`)
}

function message(id: string, topic: string, more: Record<string, unknown> = {}) {
  return { v: 1, id, at: 1, topic, from: 'eve', body: `body of ${id}`, ...more }
}

describe('jwz-relay', () => {
  let server: NatsServer
  let pairs = 0
  beforeAll(async () => {
    server = await natsServer()
    return server.kill
  })

  /** Two machines and a stream of their own. */
  function pair() {
    const stream = `s${pairs++}`
    const [ann, bob] = [side('ann', server.url), side('bob', server.url)]
    const sync = (...order: Side[]) => order.map((one) => one.sync('--stream', stream))
    return { stream, ann, bob, sync }
  }

  it('mirrors messages, acknowledgements, long bodies and unknown fields, and keeps them as they are', () => {
    const { ann, bob, sync } = pair()
    ann.post('issue:a', 'short')
    ann.post('issue:a', 'ü'.repeat(700_000))
    append(ann, 'issue:a', message('own', 'issue:a', { later: { z: [1] } }))
    append(ann, 'issue:a', { type: 'ack', v: 1, id: 'k1', at: 2, topic: 'issue:a', from: 'ann', message: 'own' })
    bob.post('news', 'from bob')
    expect(sync(ann, bob, ann)).toEqual([
      'level: sent 4, received 0, skipped 0',
      'level: sent 1, received 4, skipped 0',
      'level: sent 0, received 1, skipped 0',
    ])
    expect(bob.records('issue:a')).toEqual(ann.records('issue:a'))
    expect(ann.records('news')).toEqual(bob.records('news'))
    expect(bob.jwz(['read', 'issue:a', '--json']).stdout).toBe(ann.jwz(['read', 'issue:a', '--json']).stdout)
    expect(bob.jwz(['doctor', '--log']).code).toBe(0)
  })

  it('carries attached files, and each only once', async () => {
    const { stream, ann, bob, sync } = pair()
    const content = Buffer.from('x'.repeat(1_200_000))
    const sha256 = createHash('sha256').update(content).digest('hex')
    const blob = (one: Side) => join(one.cwd, '.jwz/blobs', sha256.slice(0, 2), sha256)
    mkdirSync(dirname(blob(ann)), { recursive: true })
    writeFileSync(blob(ann), content)
    const attachments = [{ name: 'a.txt', sha256, bytes: content.length }]
    append(ann, 't', message('m1', 't', { attachments }))
    append(ann, 't', message('m2', 't', { attachments }))
    append(ann, 't', message('m3', 't', { attachments: [{ name: 'b', sha256: sha256.replace(/./g, '0'), bytes: 3 }] }))
    expect(sync(ann, bob)).toEqual(['level: sent 2, received 0, skipped 1', 'level: sent 0, received 2, skipped 0'])
    expect(readFileSync(blob(bob)).equals(content)).toBe(true)
    expect(await countIn(server.url, stream, `${stream}.blob.>`)).toBe(3)
  })

  it('leaves out what has expired, what is void and what is damaged; what counted travels without its condition', () => {
    const { ann, bob, sync } = pair()
    append(ann, 't', message('first', 't', { expect: null }))
    append(ann, 't', message('late', 't', { expect: null }))
    append(ann, 't', message('gone', 't', { expires: 5 }))
    append(ann, 't', message('kept', 't', { expires: 9_000_000_000_000 }))
    append(ann, 't', { type: 'other', v: 1, id: 'x' })
    appendFileSync(ann.file('t'), '{"v":1,"id":"torn\n')
    expect(sync(ann, bob)).toEqual(['level: sent 2, received 0, skipped 0', 'level: sent 0, received 2, skipped 0'])
    expect(bob.records('t')).toEqual([message('first', 't'), message('kept', 't', { expires: 9_000_000_000_000 })])
  })

  it('mirrors only the topics asked for, both ways', () => {
    const { stream, ann, bob } = pair()
    ann.post('issue:a', '1')
    ann.post('news', '2')
    expect(ann.sync('--stream', stream, '--topics', 'issue:*', '--topics', 'loop:*')).toContain('sent 1')
    expect(ann.sync('--stream', stream)).toContain('sent 1')
    expect(bob.sync('--stream', stream, '--topics', 'new?')).toContain('received 1')
    expect([existsSync(bob.file('issue:a')), existsSync(bob.file('news'))]).toEqual([false, true])
  })

  it('publishes nothing twice, and appends nothing twice, without its state too', async () => {
    const { stream, ann, bob, sync } = pair()
    await makeForgetfulStream(server.url, stream)
    for (let n = 0; n < 5; n++) ann.post('t', `${n}`)
    sync(ann, bob)
    for (const text of [undefined, '', '{"v":1}', 'junk']) {
      for (const one of [ann, bob]) {
        const path = join(one.cwd, '.jwz/relay', `${stream}.json`)
        text === undefined ? rmSync(path) : writeFileSync(path, text)
      }
      sync(ann, bob)
    }
    const ids = ann.ids('t')
    expect(bob.ids('t')).toEqual(ids)
    expect(ids).toHaveLength(5)
    expect(await countIn(server.url, stream, `${stream}.topic.>`)).toBe(5)
  })

  it('is a consumer of what it publishes, so that retention waits for it', () => {
    const { stream, ann, sync } = pair()
    const id = ann.post('issue:a', 'x')
    sync(ann)
    const cursors = () => JSON.parse(ann.jwz(['read', '--status', '--json']).stdout)
    const cursor = { consumer: `relay:${stream}`, topic: 'issue:a', id }
    expect(cursors()).toEqual([expect.objectContaining({ ...cursor, unread: 0 })])
    ann.post('issue:a', 'y')
    expect(cursors()).toEqual([expect.objectContaining({ ...cursor, unread: 1 })])
  })

  it('offers everything again to a stream that was made anew', async () => {
    const { stream, ann, bob, sync } = pair()
    ann.post('t', 'seen by both')
    sync(ann, bob)
    ann.post('t', 'published, but not seen by bob')
    sync(ann)
    await deleteStream(server.url, stream)
    bob.post('t', 'bob was away')
    sync(bob, ann, bob)
    expect(bob.ids('t').sort()).toEqual(ann.ids('t').sort())
    expect(ann.ids('t')).toHaveLength(3)
    expect(await countIn(server.url, stream, `${stream}.topic.>`)).toBe(3)
  })

  it('takes nothing hostile in, and goes on behind it', async () => {
    const { stream, ann, bob, sync } = pair()
    sync(ann)
    const to = `${stream}.topic.t`
    const lacking = { blob: { sha256: 'a'.repeat(64), bytes: 9 } }
    const wide = { blob: { sha256: 'a'.repeat(64), bytes: 65 * 2 ** 20 } }
    const records: [subject: string, record: unknown][] = [
      [to, message('other', 'news')],
      [to, { ...message('bad', 't'), from: 5 }],
      [to, message('', 't')],
      [to, { ...message('kind', 't'), type: 'sealed' }],
      [to, { type: 'ack', v: 1, id: 'a', at: 1, topic: 't', from: 'eve' }],
      [to, message('long', 't', { body: 'x'.repeat(33_000) })],
      [to, message('lacks', 't', lacking)],
      [to, message('huge', 't', wide)],
      [to, message('file', 't', { attachments: [{ name: '../../x', ...lacking.blob }] })],
      [`${stream}.topic.%2E%2E`, message('up', '..')],
      [`${stream}.topic.a%2e`, message('case', 'a.')],
      [to, message('good', 't', { expect: 'nothing' })],
    ]
    const deep = `{"v":1,"id":"deep","at":1,"topic":"t","from":"e","body":"","data":${'['.repeat(5000)}${']'.repeat(5000)}}`
    const junk = ['not json', '[]', '', deep].map((text) => ({ subject: to, text }))
    await publish(server.url, [
      ...junk,
      ...records.map(([subject, record]) => ({ subject, text: JSON.stringify(record) })),
    ])
    const { stdout, stderr } = bob.relay(['--once', '--stream', stream])
    expect(stdout).toBe('level: sent 0, received 1, skipped 15\n')
    expect(stderr.match(/skipped one/g)).toHaveLength(15)
    expect(bob.records('t')).toEqual([message('good', 't')])
    expect(bob.jwz(['topic', 'list', '--quiet']).stdout).toBe('t\n')
    ann.post('t', 'after')
    expect(sync(ann, bob)[1]).toContain('received 1')
  })

  it('refuses bytes that are not those of their hash', async () => {
    const { stream, ann, bob, sync } = pair()
    sync(ann)
    const sha256 = createHash('sha256').update('right').digest('hex')
    const record = message('m', 't', { blob: { sha256, bytes: 5 } })
    await publish(server.url, [
      { subject: `${stream}.blob.${sha256}.1.0`, text: 'wrong' },
      { subject: `${stream}.topic.t`, text: JSON.stringify(record) },
    ])
    expect(sync(bob)).toEqual(['level: sent 0, received 0, skipped 1'])
    expect(existsSync(join(bob.cwd, '.jwz/blobs'))).toBe(false)
  })

  it('tells what happened as JSON lines', async () => {
    const { stream, ann } = pair()
    const id = ann.post('t', 'x')
    const { stdout, stderr } = ann.relay(['--once', '--stream', stream, '--json'])
    const at = expect.any(Number)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { event: 'connected', at, server: `127.0.0.1:${server.port}`, stream },
      { event: 'sent', at, topic: 't', ids: [id] },
      { event: 'level', at, sent: 1, received: 0, skipped: 0 },
    ])
    expect(stderr).toBe('')
    expect(await messagesIn(server.url, stream, `${stream}.topic.`)).toEqual([
      { subject: `${stream}.topic.t`, text: JSON.stringify(ann.records('t')[0]) },
    ])
  })

  it('mirrors as messages come, also of new topics, and ends with the signal', async () => {
    const { stream, ann, bob } = pair()
    const relays = [ann, bob].map(({ startRelay }) => startRelay('--stream', stream))
    await Promise.all(relays.map((relay) => relay.waitFor(/connected/)))
    ann.post('fresh:topic', 'hello')
    await relays[1]?.waitFor(/fresh:topic: received 1 message/)
    bob.post('fresh:topic', 'hello yourself')
    await relays[0]?.waitFor(/fresh:topic: received 1 message/)
    append(ann, 'fresh:topic', { type: 'ack', v: 1, id: 'k', at: 2, topic: 'fresh:topic', from: 'ann', message: 'x' })
    await relays[1]?.waitFor(/received 1 message\n.*\n?.*received 1 message/)
    const second = ann.relay(['--once', '--stream', stream])
    expect(second).toMatchObject({ code: 6, stdout: '' })
    expect(second.stderr).toContain(String(relays[0]?.child.pid))
    relays[0]?.child.kill('SIGTERM')
    relays[1]?.child.kill('SIGINT')
    expect((await Promise.all(relays.map(({ done }) => done))).map(({ code }) => code)).toEqual([143, 130])
    expect(bob.ids('fresh:topic').sort()).toEqual(ann.ids('fresh:topic').sort())
    expect(await countIn(server.url, stream, `${stream}.topic.>`)).toBe(3)
  })
})

describe('a server', () => {
  it('that goes and comes back is waited for', async () => {
    const server = await serverOfTest()
    const [ann, bob] = [side('ann', server.url), side('bob', server.url)]
    const relay = ann.startRelay()
    await relay.waitFor(/connected/)
    await server.kill()
    ann.post('t', 'posted while it was away')
    await relay.waitFor(/trying again in/)
    await server.start()
    await relay.waitFor(/t: sent 1 message/)
    relay.child.kill('SIGTERM')
    await relay.done
    expect(bob.sync()).toBe('level: sent 0, received 1, skipped 0')
  })

  it('that is not there ends --once with 8 after its time', () => {
    const { relay } = side('ann', 'nats://127.0.0.1:1')
    const finished = relay(['--once', '--timeout', '1s'])
    expect(finished).toMatchObject({ code: 8, stdout: '' })
    expect(finished.stderr).toContain('jwz-relay: a NATS server was expected at 127.0.0.1:1, it answered:')
  })

  it('that wants a password gets it from the environment or the URL, which is warned of; without one: 8', async () => {
    const server = await serverOfTest('--user', 'me', '--pass', 'pass word')
    const { relay } = side('ann', server.url)
    const refused = relay(['--once'])
    expect([refused.code, refused.stderr]).toEqual([8, expect.stringContaining('Authorization Violation')])
    const env = { NATS_USER: 'me', NATS_PASSWORD: 'pass word' }
    expect(relay(['--once'], { env })).toMatchObject({ code: 0, stderr: expect.not.stringContaining('secret') })
    const url = server.url.replace('//', '//me:pass%20word@')
    expect(relay(['--once'], { env: { NATS_URL: url } })).toMatchObject({ code: 0 })
    const warned = relay(['--once', '--nats', url])
    expect(warned).toMatchObject({ code: 0 })
    expect(warned.stderr).toMatch(/^others on this machine can read the secret in --nats/)
    expect(warned.stderr).not.toContain('pass')
  })

  it('that takes only small messages gets long bodies in small parts', async () => {
    const folder = tempFolder('conf')
    writeFileSync(join(folder, 'nats.conf'), 'max_payload: 65536\n')
    const server = await serverOfTest('--config', join(folder, 'nats.conf'))
    const [ann, bob] = [side('ann', server.url), side('bob', server.url)]
    const body = 'long '.repeat(60_000)
    ann.post('t', body)
    ann.sync()
    bob.sync()
    expect(bob.jwz(['latest', 't', '--json']).stdout).toBe(ann.jwz(['latest', 't', '--json']).stdout)
    expect(await countIn(server.url, 'jwz', 'jwz.blob.>')).toBe(Math.ceil(body.length / (65_536 - 4096)))
  })
})
