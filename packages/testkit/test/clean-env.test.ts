import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, tempFolder } from '@switchyard/testkit'
import { expect, it, vi } from 'vitest'

it("a shell under test, whose stdin is a socket, reads no start file of this machine's user", () => {
  // The runner of all packages hands it to none of them.
  vi.stubEnv('SHLVL', undefined)
  const home = tempFolder('home')
  writeFileSync(join(home, '.bashrc'), 'echo "read the start file"\n')
  const { status, stdout } = spawnSync('bash', ['-c', 'echo ran'], {
    env: cleanEnv({ HOME: home }),
    input: '',
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'ran\n' })
})
