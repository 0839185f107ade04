import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { tempFolder } from './folder.ts'
import { heeding } from './heeding.ts'

const succeeds = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** What a test may need of the machine that `npm test` cannot unpack for it. */
const needs = {
  root: () => process.getuid?.() === 0,
  'user namespaces': () => succeeds('unshare', '--user', '--map-root-user', 'true'),
  'a sandbox that the kernel allows': () =>
    succeeds('bwrap', '--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', 'true'),
  'permissions that stop this user': () => {
    const shut = join(tempFolder('shut'), 'shut')
    writeFileSync(shut, '', { mode: 0 })
    const [program = '', ...args] = heeding(['sh', '-c', '! test -r "$0"', shut])
    return succeeds(program, ...args)
  },
  'script of util-linux': () => succeeds('script', '--version'),
} as const

export type Need = keyof typeof needs

const known = new Map<Need, boolean>()

/**
 * Declares a test where the machine has what it needs. Elsewhere there is no such test, not even a skipped one: its
 * name is printed. A file or a group wants a test that needs nothing, as vitest refuses empty ones.
 */
export function itWith(need: Need, title: string, body: () => void | Promise<void>, timeoutMs?: number): void {
  const has = known.get(need) ?? needs[need]()
  known.set(need, has)
  if (has) it(title, body, timeoutMs)
  else process.stderr.write(`no test here, as this machine lacks ${need}: ${title}\n`)
}
