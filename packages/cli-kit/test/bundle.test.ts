import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempFolder } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { Desk } from './desk.ts'

// The entry of the fixture, of which about 1,200 bytes are its own table.
const entryBytesMax = 13_000
const verbBytesMax = 1_400

let desk: Desk
beforeAll(() => {
  desk = new Desk({ 'cli.cjs': entryBytesMax, 'echo.cjs': verbBytesMax })
})

const text = (name: string) => readFileSync(join(desk.folder, 'dist', name), 'utf8')
const required = (name: string) => [...text(name).matchAll(/require\("([^"]+)"\)/g)].map((match) => match[1])

it('keeps the entry and a hot verb small', () => {
  expect(statSync(join(desk.folder, 'dist', 'cli.cjs')).size).toBeLessThan(entryBytesMax)
  expect(statSync(join(desk.folder, 'dist', 'echo.cjs')).size).toBeLessThan(verbBytesMax)
})

it('loads nothing but node:fs with the entry, and nothing at all with a hot verb', () => {
  expect(new Set(required('cli.cjs').filter((name) => !name?.startsWith('./')))).toEqual(new Set(['node:fs']))
  expect(required('echo.cjs')).toEqual([])
})

/** The files of the tool that are loaded by a command line of it. */
function loadedBy(words: string): string[] {
  const preload = join(desk.cwd, 'loaded.cjs')
  const { stdout } = desk.bash(
    `echo "process.on('exit', () => console.error(Object.keys(require.cache).join(' ')))" > ${preload}
     NODE_OPTIONS='--require ${preload}' desk ${words} 2>&1 >/dev/null`,
  )
  const loaded = stdout
    .trim()
    .split(' ')
    .filter((path) => path.includes('/dist/'))
  return loaded.map((path) => path.slice(path.lastIndexOf('/') + 1))
}

it('opens no other file of the tool for a hot verb', () => {
  expect(loadedBy('echo work -m hi')).toEqual(['cli.cjs', 'echo.cjs'])
})

it('loads no verb for the page of all verbs, whose summaries the build has kept', () => {
  expect(loadedBy('help')).toEqual(['cli.cjs', 'builtins.cjs'])
  const kept = JSON.parse(text('summaries.json'))
  const page = desk.run(['help']).stdout
  rmSync(join(desk.folder, 'dist', 'summaries.json'))
  expect(desk.run(['help']).stdout).toBe(page)
  expect(loadedBy('help')).toContain('echo.cjs')
  writeFileSync(join(desk.folder, 'dist', 'summaries.json'), JSON.stringify(kept))
})

it('carries no second parser', () => {
  const marker = 'Missing required positional argument'
  expect(readdirSync(join(desk.folder, 'dist')).filter((name) => text(name).includes(marker))).toEqual([])
})

describe('a packed verb', () => {
  const packed = new Desk({}, ['echo warm -m hello'])
  const pack = () => readdirSync(join(packed.folder, 'dist')).filter((name) => name.endsWith('.pack'))
  const path = () => join(packed.folder, 'dist', pack()[0] ?? '')
  const echo = () => packed.run(['echo', 'work', '-m', 'hi'])
  const plain = () => desk.run(['echo', 'work', '-m', 'hi'])

  it('does what it does without', () => {
    expect(pack()).toEqual([expect.stringMatching(/^echo\.[0-9a-f]+\.v[0-9.]+-\w+\.pack$/)])
    expect(echo()).toEqual(plain())
    expect(packed.run(['--version'])).toEqual(desk.run(['--version']))
    expect(packed.run(['constructor'])).toEqual(desk.run(['constructor']))
  })

  it('is compiled again where V8 refuses its code', () => {
    const bytes = readFileSync(path())
    writeFileSync(path(), bytes.fill(7, 4 + bytes.readUInt32LE(0)))
    expect(echo()).toEqual(plain())
  })

  it('is loaded from the plain bundle by another version of Node, which finds no pack', () => {
    rmSync(path())
    expect(echo()).toEqual(plain())
  })
})

describe('a hot file', () => {
  const bundle = fileURLToPath(new URL('../../build/bundle.mjs', import.meta.url))

  function built(source: string) {
    const cwd = tempFolder('hot')
    mkdirSync(join(cwd, 'src'))
    writeFileSync(join(cwd, 'src', 'cli.ts'), source)
    writeFileSync(
      join(cwd, 'package.json'),
      JSON.stringify({ name: 'hot', version: '1.0.0', switchyard: { hot: { 'cli.cjs': 9000 } } }),
    )
    const { status, stderr } = spawnSync(process.execPath, [bundle], { cwd, encoding: 'utf8' })
    return { status, stderr }
  }

  it('that stays within the list is built', () => {
    expect(built("export const text = Buffer.from('process') + 'Intl.a' + [process.argv, process.cwd()]\n")).toEqual({
      status: 0,
      stderr: '',
    })
  })

  it.each([
    ["import { statSync } from 'node:fs'\nstatSync('.')\n", 'reaches node:fs by src/cli.ts'],
    ["import { tmpdir } from 'os'\ntmpdir()\n", 'reaches os by src/cli.ts'],
    ["fetch('http://localhost')\n", 'uses fetch'],
    ["new Intl.Collator('de')\n", 'uses Intl.Collator'],
    ['process.memoryUsage()\n', 'uses process.memoryUsage'],
    ["'a'.localeCompare('b')\n", 'uses localeCompare'],
    ["Buffer.poolSize = 'a'.length\n", 'uses Buffer.poolSize'],
  ])('is refused, with what it should not use: %j', (source, said) => {
    const { status, stderr } = built(source)
    expect(status).toBe(1)
    expect(stderr).toContain(said)
  })
})
