import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bin, cleanEnv, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

/** An installed copy of the tool; `plan` is how `scope spawn --dry-run` ends. */
function installed() {
  const home = tempFolder('installed')
  const from = dirname(dirname(bin('scope')))
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(from, part), join(home, part), { recursive: true })
  const dist = join(home, 'dist')
  const cwd = tempRepo()
  const packOf = (name: string) =>
    join(dist, readdirSync(dist).find((file) => file.startsWith(`${name}.`) && file.endsWith('.pack')) ?? 'none')
  const plan = () => {
    const line = [join(home, 'bin/scope.cjs'), 'spawn', '--dry-run', '--agent', 'claude', 'hello']
    const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd, env: cleanEnv(), encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  return { packOf, plan }
}

describe('a verb that starts less often', () => {
  it('is loaded from packs, as is its entry, and does without those that are damaged', () => {
    const tool = installed()
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
})
