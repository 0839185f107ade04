// The gates that CONTRIBUTING.md lists: each file is there, and each tool of several verbs is held to the parser's; and
// the threats of docs/security.md: each has its test.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

it('each gate has the files that the list names', () => {
  const [, list = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('| what must hold')
  const [table = ''] = list.split('\n\n')
  const files = [...table.matchAll(/`([^`]+\.(?:test\.ts|mjs))`/g)].map(([, file]) => file ?? '')
  expect(files.length).toBeGreaterThan(15)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

it('each threat has the test that the page names', () => {
  const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8')
  const rows = (page.split('## Threats')[1] ?? '').split('\n').filter((line) => /^\| (?!threat |---)/.test(line))
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.filter((row) => !isTried(row))).toEqual([])
})

/** The last column of a row: one test or more, each as its file and the beginning of its title. */
function isTried(row: string): boolean {
  const tests = [...row.matchAll(/`([^`]+\.test\.ts)`: (.+?)(?=; `| \|$)/g)]
  return (
    tests.length > 0 &&
    tests.every(([, file = '', title = '']) => {
      const path = join(root, file)
      return (
        existsSync(path) &&
        new RegExp(`['"\`]${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`).test(readFileSync(path, 'utf8'))
      )
    })
  )
}

it('every tool has its declarations of verbs looked through', () => {
  const tools = readdirSync(join(root, 'packages')).filter((name) => existsSync(join(root, 'packages', name, 'bin')))
  const without = tools.filter((name) => {
    const folder = join(root, 'packages', name, 'test')
    return readdirSync(folder).every((file) => !looksThrough(join(folder, file)))
  })
  expect(without).toEqual([])
})

function looksThrough(file: string): boolean {
  return file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('@switchyard/cli-kit/verb-faults')
}
