import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@switchyard/ground/failure'
import { script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type ExecuteOptions, execute } from '../src/index.ts'

const env = { PATH: process.env['PATH'] ?? '' }

function options(more: Partial<ExecuteOptions> = {}): ExecuteOptions {
  return { cwd: tempFolder('exec'), env, timeoutMs: 60_000, outputBytesMax: 64_000, graceMs: 300, ...more }
}

describe('a command that ends by itself', () => {
  it('gives back its exit code and both streams', async () => {
    const result = await execute({ shell: 'echo out; echo err >&2; exit 3' }, options())
    expect(result).toMatchObject({ exitCode: 3, signal: null, timedOut: false, aborted: false, truncated: false })
    expect(result.stdout).toBe('out\n')
    expect(result.stderr).toBe('err\n')
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out'])
  })

  it('passes arguments as they are, without a shell', async () => {
    const result = await execute(['printf', '%s|', '$HOME', 'a b', '--', '"'], options())
    expect(result.stdout).toBe('$HOME|a b|--|"|')
  })

  it('gets its input byte for byte and the environment it was given only', async () => {
    const result = await execute(
      { shell: 'cat; echo "$SWITCHYARD_TEST:$HOME"' },
      options({ input: 'ünï\u2028\n', env: { ...env, SWITCHYARD_TEST: 'x' } }),
    )
    expect(result.stdout).toBe('ünï\u2028\nx:\n')
  })

  it('is told its own folder, whatever the environment says', async () => {
    const cwd = tempFolder('exec')
    const result = await execute(['printenv', 'PWD'], options({ cwd, env: { ...env, PWD: '/' } }))
    expect(result.stdout).toBe(`${cwd}\n`)
  })

  it('may leave a large input unread', async () => {
    const result = await execute(['true'], options({ input: 'x'.repeat(4_000_000) }))
    expect(result.exitCode).toBe(0)
  })

  it('names the signal that ended it', async () => {
    expect(await execute({ shell: 'kill -9 $$' }, options())).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  })

  it('is not waited for through a child that holds its pipes open', async () => {
    const cwd = tempFolder('exec')
    const result = await execute({ shell: 'sleep 600 & echo $! > pid; echo started' }, options({ cwd }))
    expect(result).toMatchObject({ exitCode: 0, stdout: 'started\n' })
    expect(isGone(readPid(join(cwd, 'pid')))).toBe(true)
  })
})

describe('output that is too long', () => {
  it('keeps its head and its tail and says what is missing', async () => {
    const result = await execute({ shell: 'seq 1 100000' }, options({ outputBytesMax: 100 }))
    expect(result.truncated).toBe(true)
    expect(result.stdout).toMatch(/^1\n2\n3\n/)
    expect(result.stdout).toMatch(/99999\n100000\n$/)
    expect(result.stdout).toContain('\n[… 588795 bytes left out …]\n')
    expect(result.output).toMatch(/99999\n100000\n$/)
    expect(result.output.length).toBeLessThanOrEqual(100)
  })
})

describe('a command that does not exist', () => {
  it('is a failure of the outside world that names the program', async () => {
    const failure = await execute(['no-such-program-here'], options()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({ kind: 'outside', message: 'cannot run no-such-program-here: no such program' })
  })

  it('is told from a folder that does not exist', async () => {
    const failure = await execute(['true'], options({ cwd: '/no/such/folder' })).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'outside', message: 'cannot run true: there is no folder /no/such/folder' })
  })

  it.each([['a word that is too long', ['true', 'x'.repeat(200_000)], /^cannot run true: .*E2BIG/]])(
    'is told from a line that the system does not take: %s',
    async (_, command, message) => {
      const failure = await execute(command, options()).catch((error: unknown) => error)
      expect(failure).toMatchObject({ kind: 'outside', message: expect.stringMatching(message) })
    },
  )

  it('is told from a file that the system cannot start', async () => {
    const cwd = tempFolder('exec')
    script(join(cwd, 'broken'), '#!/no/such/interpreter\n')
    const failure = await execute(['./broken'], options({ cwd })).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'outside' })
  })
})

/** Runs the command until it has written its file `pid`, however long that takes, and then stops it. */
async function endedOnceThere(shell: string, cwd: string, more: Partial<ExecuteOptions> = {}) {
  const abort = new AbortController()
  const running = execute({ shell }, options({ cwd, signal: abort.signal, ...more }))
  while (!existsSync(join(cwd, 'pid')) || readFileSync(join(cwd, 'pid'), 'utf8') === '') await sleep(20)
  abort.abort()
  return running
}

describe('a command that is stopped', () => {
  it('is ended at the timeout, and with its grandchildren, also those that ignore SIGTERM', async () => {
    const cwd = tempFolder('exec')
    const shell = `trap '' TERM; sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done' & wait; sleep 600`
    expect(await endedOnceThere(shell, cwd)).toMatchObject({ aborted: true, exitCode: null, signal: 'SIGKILL' })
    expect(isGone(readPid(join(cwd, 'pid')))).toBe(true)
    expect(await execute({ shell: 'sleep 600' }, options({ timeoutMs: 500 }))).toMatchObject({
      timedOut: true,
      exitCode: null,
      signal: 'SIGTERM',
    })
  })

  it('is ended with descendants that moved to a session of their own', async () => {
    const cwd = tempFolder('exec')
    const shell = 'setsid sh -c "echo \\$\\$ > pid; sleep 600" & wait; sleep 600'
    await endedOnceThere(shell, cwd)
    expect(isGone(readPid(join(cwd, 'pid')))).toBe(true)
  })

  it('is ended without what is spared, and what that has started', async () => {
    const cwd = tempFolder('exec')
    const spared = 'echo $$ > other; sleep 600 & echo $! > below; wait'
    const shell = `OTHER=yes setsid sh -c '${spared}' & until [ -s below ]; do sleep 0.01; done; echo $$ > pid; wait`
    await endedOnceThere(shell, cwd, { isSpared: (environment) => environment.get('OTHER') === 'yes' })
    const pids = ['pid', 'other', 'below'].map((name) => readPid(join(cwd, name)))
    expect(pids.map(isGone)).toEqual([true, false, false])
    for (const pid of pids.slice(1)) process.kill(pid, 'SIGKILL')
  })

  it('may clean up when it is asked to end', async () => {
    const cwd = tempFolder('exec')
    const abort = new AbortController()
    const running = execute(
      { shell: `trap 'echo bye > note; exit 7' TERM; touch ready; while :; do sleep 0.05; done` },
      options({ cwd, signal: abort.signal, graceMs: 5000 }),
    )
    while (!existsSync(join(cwd, 'ready'))) await sleep(20)
    abort.abort()
    expect(await running).toMatchObject({ aborted: true, exitCode: 7 })
    expect(readFileSync(join(cwd, 'note'), 'utf8')).toBe('bye\n')
  })

  it('is not started at all when it was aborted before', async () => {
    const cwd = tempFolder('exec')
    const result = await execute({ shell: 'touch ran' }, options({ cwd, signal: AbortSignal.abort() }))
    expect(result).toMatchObject({ aborted: true, exitCode: null })
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })
})

describe('a command with a pid file', () => {
  it('has noted its own pid before it starts, and the file is gone after it', async () => {
    const cwd = tempFolder('exec')
    const pidFile = join(cwd, 'job.pid')
    const result = await execute({ shell: 'head -1 job.pid; echo $$' }, options({ cwd, pidFile }))
    const [noted, own] = result.stdout.trim().split('\n')
    expect(noted).toBe(own)
    expect(existsSync(pidFile)).toBe(false)
  })

  it('never starts when its pid cannot be noted', async () => {
    const cwd = tempFolder('exec')
    const result = await execute({ shell: 'touch ran' }, options({ cwd, pidFile: join(cwd, 'gone', 'job.pid') }))
    expect(result.exitCode).toBe(125)
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  it('still gets its input and arguments', async () => {
    const cwd = tempFolder('exec')
    writeFileSync(join(cwd, 'a b'), '')
    const result = await execute(
      ['sh', '-c', 'cat; ls "$1"', 'x', 'a b'],
      options({ cwd, input: 'in\n', pidFile: join(cwd, 'p') }),
    )
    expect(result.stdout).toBe('in\na b\n')
  })
})

const readPid = (path: string) => Number(readFileSync(path, 'utf8'))

function isGone(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat === '' || / [ZX] /.test(stat)
}
