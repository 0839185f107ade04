import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, it } from 'vitest'
import { endByEnvironment, isAlive, readProcess } from '../src/index.ts'

/** A process in a session of its own that says when it is there; it heeds SIGTERM or not. */
async function start(
  env: Record<string, string>,
  line = 'echo there; exec sleep 600',
): Promise<{ pid: number; start: string }> {
  const child = spawn('sh', ['-c', line], {
    env: { PATH: process.env['PATH'], ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  child.unref()
  return readProcess(child.pid ?? 0) ?? { pid: 0, start: '' }
}

it.runIf(process.platform === 'linux')('ends what carries it, stubborn ones too, and nothing else', async () => {
  const mark = `mark-${process.pid}-${Date.now()}`
  const mine = await start({ MARK: mark })
  const stubborn = await start({ MARK: mark }, "trap '' TERM; echo there; while :; do sleep 1; done")
  const other = await start({ MARK: `${mark}x`, NOTE: `MARK=${mark}`, XMARK: mark, AMARK: mark })
  const named = await start({ MARK: `${mark} ü` })
  try {
    expect(await endByEnvironment((environment) => environment.get('MARK') === `${mark} ü`, 300)).toBe(1)
    expect(isAlive(named)).toBe(false)
    expect(await endByEnvironment((environment) => environment.get('MARK') === mark, 300)).toBeGreaterThanOrEqual(2)
    expect([mine, stubborn, other].map(isAlive)).toEqual([false, false, true])
    expect(await endByEnvironment((environment) => environment.get('MARK') === mark, 300)).toBe(0)
  } finally {
    process.kill(other.pid, 'SIGKILL')
  }
})
