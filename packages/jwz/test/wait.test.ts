import { type Finished, type Started, start } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok } from './bus.ts'

/** Posts again and again until the waiting process has ended: it may not have begun to look at the first. */
async function postUntilEnded(waiting: Started, post: () => unknown): Promise<Finished> {
  let finished: Finished | undefined
  const ended = waiting.done.then((result) => {
    finished = result
    return result
  })
  while (finished === undefined) {
    post()
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))])
  }
  return finished
}

describe('jwz wait', () => {
  it('finds an answer that came before it asked, at once', () => {
    const { jwz, post } = freshBus()
    const question = post('ask', 'Ship it?')
    post('ask', 'not an answer')
    const answer = post('ask', 'Yes', '--reply-to', question, '--as', 'bob')
    expect(jwz(['wait', 'ask', '--reply-to', question.slice(-8), '-q', '--timeout', '1h'])).toEqual(ok(`${answer}\n`))
    expect(JSON.parse(jwz(['wait', 'ask', '--reply-to', question, '--json']).stdout).body).toBe('Yes')
    expect(jwz(['wait', 'ask', '--reply-to', question]).stdout).toMatch(
      new RegExp(`^${answer} bob \\S+Z to ann\\nYes\\n$`),
    )
  })

  it('ends with the answer that comes later', async () => {
    const { cwd, jwz, post } = freshBus()
    const question = post('ask', 'Ship it?')
    const waiting = start('jwz', ['wait', 'ask', '--reply-to', question, '-q'], { cwd })
    post('ask', 'noise')
    const answer = jwz(['reply', question, '-m', 'Yes']).stdout
    expect(await waiting.done).toEqual(ok(answer))
  })

  it('waits behind --after for --count messages that match, of one sender', () => {
    const { jwz, post } = freshBus()
    const start = post('t', 'READY 0')
    const first = post('t', 'READY 1')
    post('t', 'READY, but of bob', '--as', 'bob')
    post('t', 'not so')
    const second = post('t', 'READY 2')
    const flags = ['--after', start, '--match', 'READY', '--from', 'ann', '--count', '2', '-q']
    expect(jwz(['wait', 't', ...flags])).toEqual(ok(`${first}\n${second}\n`))
  })

  it('takes a topic that is not there yet, and leaves what is there alone', async () => {
    const { cwd, jwz, post } = freshBus()
    post('there', 'old')
    const waiting = start('jwz', ['wait', 'later:on', '--timeout', '1h', '--json'], { cwd })
    const { stdout } = await postUntilEnded(waiting, () => [post('there', 'new'), post('later:on', 'hello')])
    expect(JSON.parse(stdout).body).toBe('hello')
    expect(jwz(['wait', 'there', '--timeout', '200ms'])).toMatchObject({ code: 124, stdout: '' })
  })

  it('exits 124 when nothing came in time, with the object for programs', () => {
    const { jwz } = freshBus()
    const message = 'waited 0.1 s on t for 2 messages, got 0'
    expect(jwz(['wait', 't', '--count', '2', '--timeout', '100ms'])).toEqual(
      failed(124, `${message}; wait longer with --timeout`),
    )
    const { stderr } = jwz(['wait', 't', '--count', '2', '--timeout', '100ms', '--json'])
    expect(JSON.parse(stderr.split('\n')[1] ?? '')).toEqual({
      error: { code: 'wait-timeout', message, hint: 'wait longer with --timeout', retryable: true },
    })
  })

  it('takes a deadline that no timer holds', async () => {
    const { cwd, post } = freshBus()
    const waiting = start('jwz', ['wait', 't', '--timeout', '60d', '-q'], { cwd })
    expect(await postUntilEnded(waiting, () => post('t', 'x'))).toMatchObject({ code: 0, stderr: '' })
  })

  it('exits 130 when interrupted', async () => {
    const { cwd, post } = freshBus()
    const first = post('t', 'x')
    const waiting = start('jwz', ['wait', 't', '--after', first, '--count', '2'], { cwd })
    post('t', 'y')
    await waiting.waitFor(/y\n/)
    waiting.child.kill('SIGINT')
    expect(await waiting.done).toMatchObject({ code: 130, stderr: '' })
  })

  it('exits 3 for a message that is not there, 2 for a topic that is none', () => {
    const { jwz, post } = freshBus()
    post('t', 'x')
    expect(jwz(['wait', 't', '--after', 'ZZZZ'])).toEqual(
      failed(3, 'no message ZZZZ in t; jwz search or jwz read shows ids'),
    )
    expect(jwz(['wait', 't', '--reply-to', 'ZZZZ'])).toMatchObject({ code: 3 })
    expect(jwz(['wait', 'a::b'])).toMatchObject({ code: 2 })
  })
})
