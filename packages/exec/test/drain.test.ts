// What a command has written is read, however long this process stood still when the command ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scaled, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { execute } from '../src/index.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const options = (cwd: string) => ({ cwd, env, timeoutMs: 60_000, outputBytesMax: 4_000_000 })

/** Longer than whoever holds the pipes is waited for. */
const standstillMs = 300

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Waits without giving the event loop a turn. */
function standStillUntil(isSo: () => boolean): void {
  while (!isSo()) standStill(1)
}

/** Whether a child of ours has ended and waits to be asked how. */
function isZombie(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
}

/**
 * The event loop learns of all children that have ended when it hears that one has. So one that writes and ends while
 * the loop works off what it has heard before ends, for the loop, before it has written.
 */
async function endWhileOthersAreHeard(command: string): Promise<string> {
  const cwd = tempFolder('exec')
  const [pidPath, goPath] = [join(cwd, 'pid'), join(cwd, 'go')]
  await once(spawn('mkfifo', [goPath]), 'exit')
  const told = execute({ shell: `echo $$ >draft; mv draft pid; read -r _ <go; ${command}` }, options(cwd))
  while (!existsSync(pidPath)) await new Promise((resolve) => setImmediate(resolve))
  const pid = Number(readFileSync(pidPath, 'utf8'))
  const other = spawn('sh', ['-c', 'read -r _; echo heard'], { stdio: 'pipe' })
  const heard = new Promise<void>((resolve) => {
    other.stdout.once('data', () => {
      writeFileSync(goPath, '\n')
      standStillUntil(() => isZombie(pid))
      resolve()
    })
    other.once('exit', () => standStill(standstillMs))
  })
  await once(other, 'spawn')
  other.stdin.end('\n')
  // It has spoken and ended before the loop looks again, which so hears of both at once.
  standStillUntil(() => isZombie(other.pid ?? 0))
  await heard
  const { exitCode, stdout } = await told
  expect(exitCode).toBe(0)
  return stdout
}

describe('a command that ends while this process stands still', () => {
  it('is read whole, also when another ended just before it', async () => {
    for (let attempt = 0; attempt < scaled(200, 20); attempt++)
      expect(await endWhileOthersAreHeard('seq 1 10000')).toHaveLength(48_894)
  })

  it('is read whole when it has written more than a pipe holds', async () => {
    const cwd = tempFolder('exec')
    let isFirst = true
    const onOutput = () => {
      if (isFirst) standStill(1000)
      isFirst = false
    }
    const { stdout } = await execute(
      { shell: 'head -c 1000000 /dev/zero | tr "\\0" x; echo end' },
      { ...options(cwd), onOutput },
    )
    expect(stdout).toBe(`${'x'.repeat(1_000_000)}end\n`)
  })
})
