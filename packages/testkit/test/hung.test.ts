// Suites of their own, started as `npm test` starts them: their tests wait in a call that no limit of time ends.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const after = `it('is the next', () => expect(1).toBe(1))`

/** Ends at once, and leaves a process that holds its output. */
const leaves = `(setsid sh -c 'echo $$ >stray; sleep 1000' &)
until [ -s stray ]; do sleep 0.1; done
`

function suite(text: string) {
  const folder = tempFolder('hung')
  mkdirSync(join(folder, 'test'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(
    join(folder, 'test', 'a.test.ts'),
    `import { spawnSync } from 'node:child_process'\nimport { readFileSync } from 'node:fs'\nimport { expect, it } from 'vitest'\n${text}`,
  )
  writeFileSync(join(folder, 'leaves.sh'), leaves)
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const line = ['run', '--config', join(root, 'vitest.config.ts'), '--root', folder]
  const env = cleanEnv({
    SWITCHYARD_HANG_MS: '3000',
    NO_COLOR: '1',
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  })
  const done = spawnSync(vitest, line, { cwd: folder, env, encoding: 'utf8' })
  return { code: done.status, text: done.stdout + done.stderr }
}

it('kills the processes that a test waits for in one call, the one that has left its parent too, and goes on', () => {
  const { code, text } = suite(`
it('waits', () => {
  const { status, signal } = spawnSync('sh', ['leaves.sh'], { encoding: 'utf8' })
  expect([status, signal]).toEqual(['by', 'itself'])
})
${after}`)
  expect(text).toContain('hang: "test/a.test.ts > waits" is past its limit')
  expect(text).toMatch(/ {2}\d+ sleep 1000/)
  expect(text).toContain('1 failed | 1 passed')
  expect(code).toBe(1)
})

it('kills the worker of a test that waits for no process', () => {
  const { code, text } = suite(`
it('waits', () => {
  spawnSync('mkfifo', ['pipe'])
  readFileSync('pipe')
})`)
  expect(text).toContain('hang: "test/a.test.ts > waits" still waits: its worker is killed')
  expect(code).toBe(1)
})
