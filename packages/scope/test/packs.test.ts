import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { bin as binOf, cleanEnv, script, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

/** An installed copy of the tool; `plan` is how `scope spawn --dry-run` ends. */
function installed() {
  const home = tempFolder('installed')
  const from = dirname(dirname(binOf('scope')))
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(from, part), join(home, part), { recursive: true })
  const dist = join(home, 'dist')
  const cwd = tempRepo()
  const packOf = (name: string) =>
    join(dist, readdirSync(dist).find((file) => file.startsWith(`${name}.`) && file.endsWith('.pack')) ?? 'none')
  const settings = tempFolder('settings')
  const bin = tempFolder('bin')
  const scope = (...args: readonly string[]) => {
    const PATH = [bin, toolPath()].join(delimiter)
    const env = cleanEnv({ PATH, SCOPE_BACKEND: 'headless', XDG_CONFIG_HOME: settings })
    const line = [join(home, 'bin/scope.cjs'), ...args]
    const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd, env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  const plan = () => scope('spawn', '--dry-run', '--agent', 'claude', 'hello')
  return { packOf, plan, scope, dist, bin }
}

describe('a verb that starts less often', () => {
  it('is loaded from packs, as is its entry, and does without those that are damaged', () => {
    const tool = installed()
    expect(tool.scope('config', 'timeout', '1h')).toMatchObject({ status: 0 })
    const first = tool.plan()
    expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('hello'), stderr: '' })
    for (const name of ['cli.body', 'spawn', 'zod']) {
      const pack = tool.packOf(name)
      const good = readFileSync(pack)
      writeFileSync(pack, good.subarray(0, -1_000))
      expect(tool.plan()).toEqual(first)
      const made = readFileSync(pack)
      expect(made.subarray(0, made.length / 2).equals(made.subarray(made.length / 2))).toBe(true)
      // Source and code, twice: a pack that nobody reads would still be cut off.
      expect(made.length).toBeGreaterThan(good.length / 2)
    }
  })

  it('does without zod where nobody has settings, and says what it lacks where somebody has', () => {
    const tool = installed()
    for (const file of readdirSync(tool.dist).filter((name) => name.startsWith('zod.'))) rmSync(join(tool.dist, file))
    expect(tool.plan()).toMatchObject({ status: 0, stdout: expect.stringContaining('hello'), stderr: '' })
    script(join(tool.bin, 'aider'), '#!/bin/sh\ncat >/dev/null\necho Done.\n')
    expect(tool.scope('spawn', '--wait', '--agent', 'aider', 'x')).toEqual({ status: 0, stdout: 'Done.\n', stderr: '' })
    expect(tool.scope('run', '--', 'true')).toMatchObject({ status: 0, stderr: '' })
    expect(tool.scope('config', 'timeout', '1h')).toMatchObject({ status: 70 })
  })
})
