// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own variables look like ours
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { scaled } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { Desk } from './desk.ts'

let desk: Desk
beforeAll(() => {
  desk = new Desk()
})

/** Hands the requests over at once, ends stdin, and returns what came back, parsed. */
function answers(...requests: unknown[]): unknown[] {
  const input = requests
    .map((request) => `${typeof request === 'string' ? request : JSON.stringify(request)}\n`)
    .join('')
  const { code, stdout, stderr } = desk.run(['bridge'], { input })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** A bridge that stays open: `ask` writes a line, `next` is the next answer. */
function openBridge() {
  const child = spawn(process.execPath, [desk.path, 'bridge'], { cwd: desk.cwd, env: desk.env() })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = (request: unknown) => child.stdin.write(`${JSON.stringify(request)}\n`)
  const next = async () => JSON.parse((await lines.next()).value)
  return { child, ask, next }
}

const usage = (message: string, hint: string | null = null) => ({
  code: 2,
  error: { code: 'usage', message, hint, retryable: false },
})

describe('bridge', () => {
  it('answers each request with its result, in order, and ends with stdin', () => {
    expect(
      answers(
        { id: 1, argv: ['note', 'add', 'a'] },
        { id: 'two', argv: ['note', 'list', 'a', 'b'] },
        { id: 3, argv: ['--json', 'echo', 'work', '-m', '--no-verify', '--limit', '2'] },
        { id: 4, argv: ['fail', 'negative'] },
      ),
    ).toMatchObject([
      { id: 1, item: { id: 'a' } },
      { id: 1, code: 0 },
      { id: 'two', note: '2 notes' },
      { id: 'two', code: 0, result: [{ id: 'a' }, { id: 'b' }] },
      { id: 3, code: 0, result: { args: { topic: 'work' }, flags: { message: '--no-verify', limit: 2 } } },
      { id: 4, code: 1 },
    ])
  })

  it('gives a request its own stdin, and tells text from bytes', () => {
    expect(
      answers({ id: 1, argv: ['stdin'], stdin: 'a\u2028ñ\n' }, { id: 2, argv: ['stdin', '--lines', '9'] }),
    ).toEqual([
      { id: 1, text: 'a\u2028ñ\n' },
      { id: 1, code: 0 },
      { id: 2, code: 0 },
    ])
    expect(answers({ id: 1, argv: ['stdin', '--lines', '1'], stdin: 'a\nlong\n' })).toEqual([
      { id: 1, text: '[a]' },
      { id: 1, ...usage('expected lines of at most 1 bytes on stdin, got more in line 2') },
    ])
  })

  it('answers failures and bugs with the error object, and goes on', () => {
    expect(
      answers(
        { id: 1, argv: ['fail', 'conflict'] },
        { id: 2, argv: ['fail', 'bug'] },
        { id: 3, argv: ['ecko'] },
        { id: 4, argv: ['echo'] },
        { id: 5, argv: ['note', 'add', 'still here'] },
      ),
    ).toEqual([
      {
        id: 1,
        code: 5,
        error: { code: 'conflict', message: 'expected a day\n  without failure', hint: 'try again', retryable: true },
      },
      { id: 2, code: 70, error: { code: 'bug', message: 'boom', hint: null, retryable: false } },
      { id: 3, ...usage('expected a verb, got "ecko"', 'did you mean desk echo?') },
      { id: 4, ...usage('expected <topic>, got nothing', 'see desk echo --help') },
      { id: 5, item: { id: 'still here' } },
      { id: 5, code: 0 },
    ])
  })

  it.each(['garbage', '{"id":1}', '{"argv":["help"]}', '{"id":1,"argv":"help"}', '{"id":1,"argv":[1]}', '[]', 'null'])(
    'refuses the line %s by the id it has, and goes on',
    (line) => {
      const [refused, ...rest] = answers(line, '', { id: 2, argv: ['note', 'add', 'a'] })
      const shapes = 'a request {"id":1,"argv":["verb","argument"],"stdin":"text"} or {"cancel":1}'
      const id = line.startsWith('{"id":1') ? 1 : null
      expect(refused).toEqual({ id, ...usage(`expected ${shapes}, got ${JSON.stringify(line)}`) })
      expect(rest).toHaveLength(2)
    },
  )

  it('runs what waits beside what follows, until it is cancelled', async () => {
    const { child, ask, next } = openBridge()
    ask({ id: 'w', argv: ['hold', '--listen', 'throw'] })
    expect(await next()).toEqual({ id: 'w', text: 'ready\n' })
    ask({ id: 1, argv: ['note', 'list', 'a'] })
    expect([await next(), await next()]).toEqual([
      { id: 1, note: '1 notes' },
      { id: 1, code: 0, result: [{ id: 'a' }] },
    ])
    ask({ id: 'w', argv: ['help'] })
    expect(await next()).toEqual({ id: 'w', ...usage('expected an id of its own, got one that still runs') })
    ask({ cancel: 'nobody' })
    ask({ cancel: 'w' })
    expect([await next(), await next()]).toEqual([
      { id: 'w', text: 'stopping\n' },
      { id: 'w', code: 130, error: { code: 'interrupted', message: 'cancelled', hint: null, retryable: false } },
    ])
    child.stdin.end()
    expect((await once(child, 'close'))[0]).toBe(0)
  })

  it('cancels what still waits when stdin ends', () => {
    expect(answers({ id: 1, argv: ['hold', '--listen', 'finish'] })).toEqual([
      { id: 1, text: 'ready\n' },
      { id: 1, text: 'stopping\n' },
      { id: 1, code: 0 },
    ])
  })

  it('ends quietly with 0 when its reader goes', () => {
    const line = `yes '{"id":1,"argv":["note","add","a"]}' | head -20000 | desk bridge | head -1; echo "\${PIPESTATUS[2]}"`
    expect(desk.bash(line)).toEqual({ code: 0, stdout: '{"id":1,"item":{"id":"a"}}\n0\n', stderr: '' })
  })

  it('takes a request of many megabytes', () => {
    const text = 'ñ'.repeat(scaled(10) * 1_000_000)
    const [first] = answers({ id: 1, argv: ['stdin'], stdin: text })
    expect(JSON.stringify(first) === JSON.stringify({ id: 1, text })).toBe(true)
  })

  it('serves a coprocess of bash', () => {
    const line = [
      'coproc DESK { desk bridge; }',
      'for n in 1 2 3; do',
      '  echo "{\\"id\\":$n,\\"argv\\":[\\"echo\\",\\"t\\",\\"-m\\",\\"m$n\\"]}" >&"${DESK[1]}"',
      '  read -r answer <&"${DESK[0]}"; echo "${answer:0:15}"',
      'done',
      'pid=$DESK_PID; exec {DESK[1]}>&-; wait $pid; echo $?',
    ].join('\n')
    const stdout = '{"id":1,"code":\n{"id":2,"code":\n{"id":3,"code":\n0\n'
    expect(desk.bash(line)).toEqual({ code: 0, stdout, stderr: '' })
  })
})
