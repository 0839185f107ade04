import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../src/needs.ts', import.meta.url))
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))

it('a test that needs what is not there is no test, and its name is printed', () => {
  const root = tempFolder('needs')
  writeFileSync(
    join(root, 'a.test.ts'),
    `import { it } from ${JSON.stringify(join(dirname(vitest), 'dist/index.js'))}
import { itWith } from ${JSON.stringify(source)}
it('needs nothing', () => undefined)
itWith('script of util-linux', 'wants a terminal', () => undefined)
`,
  )
  // No program is on this PATH but the one that runs the tests.
  symlinkSync(process.execPath, join(root, 'node'))
  const args = [vitest, 'run', '--root', root, '--reporter=verbose']
  const ran = spawnSync(process.execPath, args, {
    cwd: root,
    env: cleanEnv({ PATH: root, NO_COLOR: '1' }),
    encoding: 'utf8',
  })
  expect([ran.status, ran.stderr]).toEqual([
    0,
    expect.stringContaining('no test here, as this machine lacks script of util-linux: wants a terminal\n'),
  ])
  expect(ran.stdout).toMatch(/^ +Tests +1 passed \(1\)$/m)
})
