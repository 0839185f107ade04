import { expect, it } from 'vitest'
import { nearestTests } from './try/nearest.mjs'

const file = (path: string, ...lines: string[]) => ({ path, text: lines.join('\n') })
const files = [
  file('packages/jwz/src/commands/lease-acquire.ts', "import { decide } from '../lease/decide.ts'"),
  file('packages/jwz/src/commands/post.ts', "import { draft } from '../message/draft.ts'"),
  file('packages/jwz/src/lease/decide.ts', "import { overlap } from './overlap.ts'"),
  file('packages/jwz/src/lease/overlap.ts', ''),
  file('packages/jwz/src/message/draft.ts', ''),
  file('packages/jwz/test/overlap.test.ts', "import { overlap } from '../src/lease/overlap.ts'"),
  file('packages/jwz/test/decide.test.ts', "import { decide } from '../src/lease/decide.ts'"),
  file('packages/jwz/test/leases.test.ts', "jwz(['lease', 'acquire'])"),
  file('packages/jwz/test/post.test.ts', "jwz(['post'])"),
  file('packages/tissue/test/post.test.ts', "jwz(['lease', 'acquire'])"),
  file('packages/jwz/test/guide.test.ts', ''),
]

it('finds the tests that import a changed file, then those that run a verb made of it, and no others', () => {
  expect(nearestTests(files, ['packages/jwz/src/lease/overlap.ts'])).toEqual([
    'packages/jwz/test/overlap.test.ts',
    'packages/jwz/test/decide.test.ts',
    'packages/jwz/test/leases.test.ts',
  ])
})

it('finds a changed test first, and the guide of a changed page', () => {
  expect(nearestTests(files, ['packages/jwz/test/post.test.ts', 'docs/jwz.md'])).toEqual([
    'packages/jwz/test/post.test.ts',
    'packages/jwz/test/guide.test.ts',
  ])
})

it('finds the tests that read a changed table, page, or folder of fixtures, whoever they belong to', () => {
  const read = (path: string, specifier: string) => file(path, `readFileSync(new URL('${specifier}', import.meta.url))`)
  const readers = [
    ...files,
    read('packages/jwz/test/verb-table.test.ts', '../src/cli.ts'),
    read('packages/jwz/test/names.test.ts', '../src/commands/'),
    read('packages/loop/test/rules.test.ts', '../../../docs/jwz.md'),
    read('packages/loop/test/hook-fixture.ts', '../../jwz/test/fixtures/hooks'),
    file('packages/loop/test/hook.test.ts', "import { hook } from './hook-fixture.ts'"),
  ]
  expect(nearestTests(readers, ['packages/jwz/src/cli.ts'])).toEqual(['packages/jwz/test/verb-table.test.ts'])
  expect(nearestTests(readers, ['packages/jwz/src/commands/tail.ts'])).toEqual(['packages/jwz/test/names.test.ts'])
  expect(nearestTests(readers, ['docs/jwz.md'])).toContain('packages/loop/test/rules.test.ts')
  expect(nearestTests(readers, ['packages/jwz/test/fixtures/hooks/a.json'])).toEqual([
    'packages/loop/test/hook.test.ts',
  ])
})

it("finds another package's test that imports a changed file by its name", () => {
  const named = file('packages/loop/test/rules.test.ts', `import { rules } from '@switchyard/${'guard'}/rule-table'`)
  const table = file('packages/guard/src/verdict/rule-table.ts', '')
  expect(nearestTests([...files, named, table], [table.path])).toEqual([named.path])
})
