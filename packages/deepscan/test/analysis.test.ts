import { run, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'

const block = Array.from({ length: 14 }, (_, i) => `  total = total + weigh(item${i}, ${i})`).join('\n')

function analysed(files: Readonly<Record<string, string>>) {
  const { code, stdout } = run('deepscan', ['run', '--analysis', '--jsonl'], { cwd: tempRepo(files) })
  const found = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return { code, found }
}

test('circles of imports are told once, the shortest way round; types and lazy imports make none', () => {
  const { code, found } = analysed({
    'a.ts': "import { b } from './b.js'\nimport { c } from './c.ts'\n",
    'b.ts': "import type { A } from './a.ts'\nexport const b = () => import('./a.ts')\n",
    'c.ts': "import './d'\n",
    'd/index.ts': "import {\n  a,\n} from '../a.ts'\n",
    'p/__init__.py': '',
    'p/x.py': 'from .y import z\n',
    'p/y.py': 'from p import x\nz = 1\n',
  })
  expect([code, found.map(({ rule, path, line, category }) => [rule, path, line, category])]).toEqual([
    0,
    [
      ['arch/import-cycle', 'a.ts', 2, 'architecture'],
      ['arch/import-cycle', 'p/x.py', 1, 'architecture'],
    ],
  ])
  expect(found[0].message).toContain('a.ts imports c.ts imports d/index.ts imports a.ts.')
})

test('a block that stands twice is told with both places, in one file or two, and a short one is not', () => {
  const { found } = analysed({
    'a.py': `def f(items):\n${block}\n`,
    'b.py': `import os\n\n\ndef g(items):\n${block.replaceAll('  ', '    ')}\n    return 1\n`,
    'c.py': `def h():\n${block.split('\n').slice(0, 6).join('\n')}\n`,
  })
  expect(found.map(({ rule, path, line, occurrences }) => [rule, path, line, occurrences])).toEqual([
    [
      'arch/duplicate-block',
      'b.py',
      5,
      [
        { path: 'b.py', line: 5, column: 1 },
        { path: 'a.py', line: 2, column: 1 },
      ],
    ],
  ])
})
