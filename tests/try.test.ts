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
