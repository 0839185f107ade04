import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { Desk } from './desk.ts'

// The entry of the fixture, of which about 1,200 bytes are its own table.
const entryBytesMax = 12_000
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
  expect(required('cli.cjs').filter((name) => !name?.startsWith('./'))).toEqual(['node:fs'])
  expect(required('echo.cjs')).toEqual([])
})

it('opens no other file of the tool for a hot verb', () => {
  const preload = join(desk.cwd, 'loaded.cjs')
  const { stdout } = desk.bash(
    `echo "process.on('exit', () => console.error(Object.keys(require.cache).join(' ')))" > ${preload}
     NODE_OPTIONS='--require ${preload}' desk echo work -m hi 2>&1 >/dev/null`,
  )
  const loaded = stdout
    .trim()
    .split(' ')
    .filter((path) => path.includes('/dist/'))
  expect(loaded.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual(['cli.cjs', 'echo.cjs'])
})

it('keeps citty in the files that parse for other verbs and print help', () => {
  const marker = 'Missing required positional argument'
  const holding = readdirSync(join(desk.folder, 'dist')).filter((name) => text(name).includes(marker))
  expect(holding).toContain('citty.cjs')
  expect(holding).not.toContain('cli.cjs')
  expect(holding).not.toContain('echo.cjs')
})
