import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bin, cleanEnv, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'

const nan = 'if (x === NaN) f()\n'
const load = 'import yaml\nx = yaml.load(f)\n'

test('without the native parser a scan says what to install, and needs none where nothing is to be parsed', () => {
  // By this variable the parser finds its native part elsewhere, or not at all.
  const env = { NAPI_RS_NATIVE_LIBRARY_PATH: '/no/such/part.node' }
  const root = tempRepo({ 'a.ts': nan, 'notes/a.md': '' })
  const finding = run('deepscan', ['run', '--jsonl'], { cwd: root }).stdout
  const missing = {
    code: 8,
    stdout: '',
    stderr:
      'deepscan: the native part of @ast-grep/napi cannot be loaded: Cannot find native binding; install it where deepscan is: npm install --include=optional @ast-grep/napi\n',
  }
  expect(run('deepscan', ['run'], { cwd: root, env })).toMatchObject(missing)
  expect(run('deepscan', ['fix'], { cwd: root, env, input: finding })).toMatchObject(missing)
  expect(run('deepscan', ['run', 'notes'], { cwd: root, env })).toMatchObject({ code: 0, stdout: '' })
})

test('without the parser of Python, or with a damaged one, all else is scanned, and Python files say what to install', () => {
  const home = join(tempFolder('installed'), 'deepscan')
  const [from, modules] = [dirname(dirname(bin('deepscan'))), join(home, 'node_modules/@ast-grep')]
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(from, part), join(home, part), { recursive: true })
  const installed = realpathSync(fileURLToPath(new URL('../../../node_modules/@ast-grep', import.meta.url)))
  mkdirSync(modules, { recursive: true })
  for (const name of readdirSync(installed).filter((each) => !['lang-python', 'setup-lang'].includes(each)))
    symlinkSync(join(installed, name), join(modules, name))
  for (const name of ['lang-python', 'setup-lang'])
    cpSync(join(installed, name), join(modules, name), { recursive: true })
  const cwd = tempRepo({ 'a.ts': nan, 'b.py': load })
  const scan = (path: string) => {
    const args = [join(home, 'bin/deepscan.cjs'), 'run', path, '--quiet']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env: cleanEnv(), encoding: 'utf8' })
    return [status, stdout, stderr]
  }
  const refusal = (why: string) =>
    `deepscan: the native part of @ast-grep/lang-python cannot be loaded: ${why}; install it where deepscan is: npm install --include=optional @ast-grep/lang-python\n`
  const prebuilds = join(modules, 'lang-python/prebuilds')
  for (const folder of readdirSync(prebuilds)) writeFileSync(join(prebuilds, folder, 'parser.so'), 'not a library\n')
  expect(scan('a.ts')).toEqual([0, expect.stringMatching(/^\w{20}\n$/), ''])
  expect(scan('b.py')).toEqual([8, '', expect.stringContaining('@ast-grep/lang-python cannot be loaded: ')])
  rmSync(prebuilds, { recursive: true })
  expect(scan('a.ts')).toEqual([0, expect.stringMatching(/^\w{20}\n$/), ''])
  expect(scan('b.py')).toEqual([8, '', refusal('No parser found')])
})
