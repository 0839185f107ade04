import { scaled, start } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

type Answer = { id: unknown; code?: number; result?: { id: string }; item?: { body: string } }

/** Opens a bridge; `ask` writes a request, `answers` is what has come so far. */
function openBridge(cwd: string) {
  const bridge = start('jwz', ['bridge'], { cwd, env: { JWZ_AGENT: 'ann' } })
  const ask = (id: unknown, ...argv: string[]) => bridge.child.stdin?.write(`${JSON.stringify({ id, argv })}\n`)
  const answers = (): Answer[] =>
    bridge
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const leave = async () => {
    bridge.child.stdin?.end()
    return bridge.done
  }
  return { ...bridge, ask, answers, leave }
}

describe('jwz bridge', () => {
  it('prints as its result what the verb prints with --json', () => {
    const { jwz, post } = freshBus()
    const id = post('news', 'hello', '--tag', 'a')
    post('news', 'answer', '--reply-to', id)
    const command = (argv: string[]) => `${JSON.stringify({ id: 1, argv })}\n`
    for (const argv of [
      ['read', 'news'],
      ['latest', 'news'],
      ['show', id],
      ['thread', id],
      ['topic', 'list'],
      ['where'],
    ]) {
      const alone = JSON.parse(jwz([...argv, '--json']).stdout)
      const { code, stdout } = jwz(['bridge'], { input: command(argv) })
      expect([code, JSON.parse(stdout)]).toEqual([0, { id: 1, code: 0, result: alone }])
    }
  })

  it('has posted what it has answered, each message once and in order', async () => {
    const { cwd, records } = freshBus()
    const count = scaled(5_000)
    const { ask, leave, answers } = openBridge(cwd)
    for (let n = 0; n < count; n++) ask(n, 'post', 'log', '-m', `message ${n}`)
    expect(await leave()).toMatchObject({ code: 0, stderr: '' })
    const bodies = Array.from({ length: count }, (_, n) => `message ${n}`)
    expect(records('log').map(({ body }) => body)).toEqual(bodies)
    expect(records('log').map(({ id }) => id)).toEqual(answers().map(({ result }) => result?.id))
  })

  it('loses nothing that it has answered when it is killed', async () => {
    const { cwd, records } = freshBus()
    const { ask, child, done, waitFor, answers } = openBridge(cwd)
    for (let n = 0; n < 2_000; n++) ask(n, 'post', 'log', '-m', `message ${n}`)
    await waitFor(/"id":40,/)
    child.kill('SIGKILL')
    await done
    const answered = answers().map(({ result }) => result?.id)
    const kept = new Set(records('log').map(({ id }) => id))
    expect(answered.filter((id) => !kept.has(id))).toEqual([])
    expect(answered.length).toBeGreaterThan(40)
  })

  it('follows and waits beside what is posted through it', async () => {
    const { cwd } = freshBus()
    const { ask, leave, waitFor, answers } = openBridge(cwd)
    ask('f', 'follow', 'a:*')
    ask('w', 'wait', 'a:two', '--timeout', '10m')
    ask(1, 'post', 'a:one', '-m', 'first')
    await waitFor(/"id":"f","item"/)
    ask(2, 'post', 'a:two', '-m', 'second')
    await waitFor(/"id":"w","code":0/)
    await waitFor(/"id":"f".*second/)
    expect(await leave()).toMatchObject({ code: 0, stderr: '' })
    const followed = answers().filter(({ id, item }) => id === 'f' && item !== undefined)
    expect(followed.map(({ item }) => item?.body)).toEqual(['first', 'second'])
    expect(answers().at(-1)).toEqual({ id: 'f', code: 130 })
  })
})
