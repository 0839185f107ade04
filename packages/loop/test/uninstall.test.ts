import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

it('settings that were changed since keep that, and no copy stays when our hooks are out', () => {
  const folder = tempFolder('home')
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: folder }
  const file = join(folder, 'settings.json')
  writeFileSync(file, '{"a": 1}\n')
  expect(run('loop', ['install', 'claude'], { cwd: folder, env })).toMatchObject({ code: 0 })
  writeFileSync(file, readFileSync(file, 'utf8').replace('"a": 1', '"a": 2'))
  const done = run('loop', ['uninstall', 'claude'], { cwd: folder, env })
  expect(done).toMatchObject({ code: 0, stdout: expect.not.stringContaining('before:') })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: 2 })
  expect(readdirSync(folder)).toEqual(['settings.json'])
})
