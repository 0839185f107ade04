import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cleanEnv, runConsoleBlocks, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'

const guide = readFileSync(new URL('../../../docs/deepscan.md', import.meta.url), 'utf8')

test('the session in the guide runs as it is printed', () => {
  const session = /```console\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const cwd = tempRepo({
    'src/count.ts': 'if (count === NaN) stop()\n',
    'src/load.py': 'import yaml\nx = yaml.load(f)\n',
  })
  const commands = [...session.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
  const printed = commands.map((command) => {
    const { stdout } = spawnSync('bash', ['-o', 'pipefail', '-c', command], { cwd, env: cleanEnv(), encoding: 'utf8' })
    return `$ ${command}\n${stdout}`
  })
  expect(commands.length).toBe(5)
  expect(printed.join('')).toBe(session)
})

test.each(['deepscan-reference.md', 'deepscan-start.md'])('the sessions of %s print what it shows', (name) => {
  const page = fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url))
  expect(runConsoleBlocks(page, { cwd: tempFolder('guide') })).toEqual([])
})
