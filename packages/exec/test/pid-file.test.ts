import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bootId, parseStat } from '@switchyard/ground/process-name'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { endOrphan, parsePidFile, readPidFile, readProcess, waitForOrphan } from '../src/index.ts'
import { withPidFile } from '../src/pid-file.ts'

async function startOrphan(shell: string) {
  const cwd = tempFolder('orphan')
  const path = join(cwd, 'job.pid')
  const [file = '', ...args] = withPidFile(path, ['sh', '-c', shell])
  const child = spawn(file, args, { cwd, detached: true, stdio: 'ignore' })
  while (!existsSync(path)) await sleep(10)
  return { cwd, path, child, spawned: await readPidFile(path) }
}

describe('the pid file of a command whose parent died', () => {
  it('names the command by pid, start time and boot', async () => {
    const { child, spawned } = await startOrphan('sleep 600')
    expect(spawned).toEqual({ pid: child.pid, start: readProcess(child.pid ?? 0)?.start, boot: bootId() })
    if (spawned) await endOrphan(spawned, 300)
    expect(readProcess(child.pid ?? 0)?.isZombie ?? true).toBe(true)
  })

  it('leads to the rest of the group when the command itself has ended', async () => {
    const { cwd, child, spawned } = await startOrphan('sleep 600 & echo $! > left')
    while (child.exitCode === null) await sleep(10)
    const left = Number(readFileSync(join(cwd, 'left'), 'utf8'))
    expect(readProcess(left)).toBeDefined()
    if (spawned) await endOrphan(spawned, 300)
    expect(readProcess(left)?.isZombie ?? true).toBe(true)
  })

  it('never ends a stranger who has the same pid', async () => {
    const { child, spawned } = await startOrphan('sleep 600')
    if (!spawned) throw new Error('no pid file')
    await endOrphan({ ...spawned, start: '1' }, 300)
    await endOrphan({ ...spawned, boot: 'another boot' }, 300)
    expect(readProcess(child.pid ?? 0)?.isZombie).toBe(false)
    await endOrphan(spawned, 300)
  })

  it('lets one wait until the command has ended by itself', async () => {
    const { cwd, spawned } = await startOrphan('sleep 0.5; touch ended')
    if (spawned) await waitForOrphan(spawned, 60_000)
    expect(existsSync(join(cwd, 'ended'))).toBe(true)
  })

  it('gives up waiting at the deadline and names the process', async () => {
    const { spawned } = await startOrphan('sleep 600')
    if (!spawned) throw new Error('no pid file')
    await expect(waitForOrphan(spawned, 50)).rejects.toMatchObject({
      kind: 'lockTimeout',
      message: `process ${spawned.pid} of a dead run still works after 50 ms`,
    })
    await endOrphan(spawned, 300)
  })

  it('holds the printed start time where there is no /proc', () => {
    const spawned = parsePidFile('12\nSat Nov 21  22:00:00 2026 \n-\n')
    expect(spawned).toEqual({ pid: 12, start: 'Sat Nov 21 22:00:00 2026', boot: '' })
  })

  it('is no command when it is not whole', async () => {
    const path = join(tempFolder('orphan'), 'job.pid')
    writeFileSync(path, '123\n')
    expect(await readPidFile(path)).toBeUndefined()
    expect(parsePidFile('')).toBeUndefined()
  })
})

describe('a line of /proc/PID/stat', () => {
  it('is read behind the last parenthesis, whatever the name is', () => {
    const fields = Array.from({ length: 49 }, (_, index) => String(index + 4))
    expect(parseStat(`77 (a) b (c d) S ${fields.join(' ')}`)).toEqual({
      pid: 77,
      parent: 4,
      group: 5,
      start: '22',
      isZombie: false,
    })
  })

  it('is nothing when it is empty', () => {
    expect(parseStat('')).toBeUndefined()
  })
})

it('the shell wrapper survives a pid file name that a shell would expand', () => {
  const cwd = tempFolder('orphan')
  const [file = '', ...args] = withPidFile(join(cwd, '$(touch x) "b'), ['echo', 'ran'])
  expect(spawnSync(file, args, { cwd, encoding: 'utf8' }).stdout).toBe('ran\n')
  expect(existsSync(join(cwd, 'x'))).toBe(false)
})
