import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, createReadStream, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { itWith, scaled } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { Desk } from './desk.ts'

let desk: Desk
beforeAll(() => {
  desk = new Desk()
})

describe('stdout', () => {
  it.each(['once', 'each', 'callback'])('ends quietly with 0 when its reader goes (written %s)', (at) => {
    const line = `set -o pipefail; desk flood 200000 --at ${at} | head -1`
    expect(desk.bash(line)).toEqual({ code: 0, stdout: 'line 0\n', stderr: '' })
  })

  it('arrives whole through a non-blocking pipe with a slow reader', async () => {
    const fifo = join(desk.cwd, 'slow')
    spawnSync('mkfifo', [fifo])
    const nonBlocking = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const reader = createReadStream(fifo, { highWaterMark: 512 * 1024 })
    await once(reader, 'open')
    // As descriptor 3, because spawn makes the first three block again.
    const child = spawn('sh', ['-c', 'exec desk flood 500000 --at once >&3'], {
      cwd: desk.cwd,
      env: desk.env(),
      stdio: ['ignore', 'inherit', 'inherit', nonBlocking],
    })
    closeSync(nonBlocking)
    let received = ''
    for await (const chunk of reader) {
      received += chunk
      if (received.length < 2_000_000) await sleep(5)
    }
    const expected = Array.from({ length: 500_000 }, (_, number) => `line ${number}\n`).join('')
    expect(received.length).toBe(expected.length)
    expect(received === expected).toBe(true)
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0)
  })

  it('exits 1 when what it prints cannot be stored', () => {
    expect(desk.bash('desk note add > /dev/full')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'desk: expected to write to stdout, got ENOSPC\n',
    })
  })

  it('carries data only; remarks go to stderr, and with --quiet nowhere', () => {
    expect(desk.run(['note', 'list', 'a', 'b'])).toEqual({ code: 0, stdout: 'note a\nnote b\n', stderr: '2 notes\n' })
    expect(desk.run(['note', 'list', 'a', 'b', '--quiet'])).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' })
    expect(desk.run(['note', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'no notes\n0 notes\n' })
  })

  it('holds one document with --json and one object a line with --jsonl', () => {
    expect(desk.run(['note', 'list', 'a', 'b', '--json']).stdout).toBe('[{"id":"a"},{"id":"b"}]\n')
    expect(desk.run(['note', 'list', 'a', 'b', '--jsonl']).stdout).toBe('{"id":"a"}\n{"id":"b"}\n')
    expect(desk.run(['note', 'list', '--json']).stdout).toBe('[]\n')
    expect(desk.run(['note', 'list', '--jsonl']).stdout).toBe('')
    expect(desk.run(['note', 'add', 'a', '--json']).stdout).toBe('{"id":"a"}\n')
  })

  it('passes control characters on to a pipe', () => {
    expect(desk.run(['note', 'add', '\u001b[31mred\u0007']).stdout).toBe('\u001b[31mred\u0007\n')
  })

  itWith('script of util-linux', 'keeps control characters from a terminal, in data and in errors', () => {
    // `script` runs the line in $SHELL, which may be unset or a shell without $'…'; bytes, because what \u means depends
    // on the locale.
    const onTerminal = (line: string) => desk.bash(`SHELL="$BASH" script -qec "${line}" typescript < /dev/null`).stdout
    expect(onTerminal("desk note add $'a\\e[2Jb\\a\\xe2\\x80\\xaec'")).toBe('abc\r\n')
    expect(onTerminal("desk note add --json $'a\\xc2\\x9bc'")).toBe('{"id":"a\\u009bc"}\r\n')
    expect(onTerminal("desk $'e\\e[2Jcko'")).toBe('desk: expected a verb, got "e\\u001b[2Jcko"; see desk help\r\n')
  })
})

describe('stdin', () => {
  it('of no bytes is read as nothing', () => {
    expect(desk.run(['stdin'], { input: '' })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(desk.bash('desk stdin < /dev/null')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(desk.bash('desk stdin <&-')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('that cannot be read is exit 1 and no bug', () => {
    const stderr = 'desk: expected to read stdin, got EBADF\n'
    expect(desk.bash('desk stdin 0> written')).toEqual({ code: 1, stdout: '', stderr })
  })

  it('that is no UTF-8 is passed on byte for byte', () => {
    const { code } = desk.bash("printf 'a\\xff\\xfe\\x00\\r\\n\\xed\\xa0\\x80' > in; desk stdin < in > out; cmp in out")
    expect(code).toBe(0)
  })

  it('of 20 MB arrives whole, through a file and through a pipe', () => {
    const bytes = scaled(20) * 1_000_000
    const line = `head -c ${bytes} /dev/urandom > big; desk stdin < big | cmp - big && cat big | desk stdin | cmp - big`
    expect(desk.bash(`set -o pipefail; ${line}`)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('is waited for when the writer is slow and the descriptor does not block', async () => {
    const fifo = join(desk.cwd, 'trickle')
    spawnSync('mkfifo', [fifo])
    writeFileSync(join(desk.cwd, 'trickled'), '')
    const writer = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const child = spawn('sh', ['-c', 'exec desk stdin --lines 9 <&3 >trickled'], {
      cwd: desk.cwd,
      env: desk.env(),
      stdio: ['ignore', 'inherit', 'inherit', reader],
    })
    closeSync(reader)
    const trickled = () => readFileSync(join(desk.cwd, 'trickled'), 'utf8')
    for (const line of ['one', 'two', 'three']) {
      writeSync(writer, `${line}\n`)
      while (child.exitCode === null && !trickled().includes(line)) await sleep(10)
    }
    closeSync(writer)
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0)
    expect(trickled()).toBe('[one][two][three]')
  })

  it('comes as lines without their LF; a last line without LF counts, a CR stays', () => {
    const lines = (input: string) => desk.run(['stdin', '--lines', '6'], { input }).stdout
    expect(lines('a\n\nb\r\nc')).toBe('[a][][b\r][c]')
    expect(lines('a\n')).toBe('[a]')
    expect(lines('')).toBe('')
    expect(lines('123456\n')).toBe('[123456]')
  })

  it('is refused where a line is too long, by its number, after the lines before it', () => {
    expect(desk.run(['stdin', '--lines', '6'], { input: 'a\n1234567\n' })).toEqual({
      code: 2,
      stdout: '[a]',
      stderr: 'desk: expected lines of at most 6 bytes on stdin, got more in line 2\n',
    })
  })

  it('frames lines that cross the chunks in which they are read', () => {
    const line = 'x'.repeat(99_999)
    const { stdout } = desk.run(['stdin', '--lines', '100000'], { input: `${line}\n${line}\n${line}` })
    expect(stdout === `[${line}]`.repeat(3)).toBe(true)
  })

  it('is refused when it is a folder', () => {
    expect(desk.bash('desk stdin < .')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'desk: expected a file or a pipe on stdin, got a folder\n',
    })
  })
})
