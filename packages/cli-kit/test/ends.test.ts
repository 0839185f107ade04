import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { Desk } from './desk.ts'

let desk: Desk
beforeAll(() => {
  desk = new Desk()
})

describe('a verb that fails', () => {
  it.each([
    ['failed', 1, 'failed', false],
    ['usage', 2, 'usage', false],
    ['notFound', 3, 'not-found', false],
    ['ambiguous', 4, 'ambiguous', false],
    ['conflict', 5, 'conflict', true],
    ['lockTimeout', 6, 'lock-timeout', true],
    ['corrupt', 7, 'corrupt', false],
    ['outside', 8, 'outside', true],
    ['limit', 9, 'limit', false],
    ['waitTimeout', 124, 'wait-timeout', true],
    ['interrupted', 130, 'interrupted', false],
    ['terminated', 143, 'terminated', false],
  ])('ends %s with %i and the error code %s', (kind, code, word, retryable) => {
    const line = 'desk: expected a day without failure; try again\n'
    const message = 'expected a day\n  without failure'
    const object = JSON.stringify({ error: { code: word, message, hint: 'try again', retryable } })
    expect(desk.run(['fail', kind])).toEqual({ code, stdout: '', stderr: line })
    expect(desk.run(['fail', kind, '--json'])).toEqual({ code, stdout: '', stderr: `${line}${object}\n` })
  })

  it('prints the error object with --jsonl too, and when the command line itself does not parse', () => {
    expect(desk.run(['fail', 'conflict', '--jsonl']).stderr.split('\n')[1]).toContain('"code":"conflict"')
    expect(desk.run(['fail', '--json', '--quite']).stderr.split('\n')[1]).toBe(
      '{"error":{"code":"usage","message":"expected a flag that exists, got \\"--quite\\"",' +
        '"hint":"did you mean --quiet?","retryable":false}}',
    )
    expect(desk.run(['fial', '--json']).stderr).toContain('{"error":{"code":"usage"')
    expect(desk.run(['echo', '--', '--json', 'x']).stderr).not.toContain('{')
  })

  it('returns 1 for a true negative without a word', () => {
    expect(desk.run(['fail', 'negative'])).toEqual({ code: 1, stdout: '', stderr: '' })
  })

  it.each([
    ['bug', 'TypeError: boom'],
    ['later', 'Error: thrown later'],
    ['rejected', 'Error: rejected later'],
  ])('shows the stack of a %s and exits 70', (kind, line) => {
    const { code, stdout, stderr } = desk.run(['fail', kind])
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^desk: bug: ${line}\\n +at `))
  })

  it('counts anything else that is thrown as a bug', () => {
    expect(desk.run(['fail', 'text'])).toEqual({ code: 70, stdout: '', stderr: 'desk: bug: a bare text\n' })
    expect(desk.run(['fail', 'bug', '--json']).stderr.split('\n').at(-2)).toBe(
      '{"error":{"code":"bug","message":"boom","hint":null,"retryable":false}}',
    )
  })

  it('exits 70 when it waits for what nothing will bring', () => {
    const stderr = 'desk: bug: it ended before it was done\n'
    expect(desk.run(['fail', 'never'])).toEqual({ code: 70, stdout: '', stderr })
  })

  it('keeps its exit code when nobody can read stderr', () => {
    expect(desk.bash('desk fail conflict 2>/dev/full').code).toBe(5)
    expect(desk.bash('desk fail conflict 2>&-').code).toBe(5)
  })

  it('exits 3 in a folder that was removed', () => {
    const { code, stderr } = desk.bash('mkdir gone && cd gone && rmdir ../gone && desk note add')
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'desk: expected a working folder, got one that was removed; cd to another\n',
    })
  })
})

describe('a signal', () => {
  const hold = async (listen: string) => {
    const child = spawn(process.execPath, [desk.path, 'hold', '--listen', listen], { cwd: desk.cwd, env: desk.env() })
    await once(child.stdout, 'data')
    return child
  }
  const ended = async (child: ChildProcess) => {
    const [code, signal] = await once(child, 'close')
    return { code, signal }
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends a verb that does not listen, by the signal itself',
    async (signal) => {
      const child = await hold('no')
      child.kill(signal)
      expect(await ended(child)).toEqual({ code: null, signal })
    },
  )

  it('shows as 130 in a shell', () => {
    expect(
      desk.bash('desk hold --listen no > out & until [ -s out ]; do sleep 0.05; done; kill -INT $!; wait $!').code,
    ).toBe(130)
  })

  it('lets a verb that listens finish with 0', async () => {
    const child = await hold('finish')
    child.kill('SIGINT')
    expect(await ended(child)).toEqual({ code: 0, signal: null })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s gives a listening verb a reason that exits %i', async (signal, code) => {
    const child = await hold('throw')
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.kill(signal)
    expect(await ended(child)).toEqual({ code, signal: null })
    expect(stderr).toBe(`desk: stopped by ${signal}\n`)
  })

  it('ends a listening verb the second time, by the signal itself', async () => {
    const child = await hold('stubborn')
    child.kill('SIGINT')
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await ended(child)).toEqual({ code: null, signal: 'SIGTERM' })
  })
})
