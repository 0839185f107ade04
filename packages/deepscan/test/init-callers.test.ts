import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAlone, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { committedPlace } from './init-place.ts'
import { plant } from './scans-place.ts'

test('--diff takes in who calls what has changed, with the lines of the callers, and nobody else', () => {
  const { root, home, init, deepscan, manifestOf } = committedPlace({
    'price.ts':
      'export function total(a: number) {\n  return a\n}\nexport function untouched() {\n  return total(2)\n}\n',
    'cart.ts':
      "import { total } from './price'\nclass Cart {\n  sum() {\n    return total(1)\n  }\n  other() {}\n}\ntotal(3)\n",
    'tool.py': 'def run():\n    price.total(4)\n',
    'page.vue': '<script>\nconst a = () => total(5)\n</script>\n',
    'talk.ts': '// total(6) is only said\nexport const total1 = "total(7)"\nuntouched()\n',
    'total.md': 'total(8)\n',
    'vendor/x.ts': 'total(9)\n',
    'out/y.ts': 'total(9)\n',
    '.gitignore': 'out/\n',
  })
  plant(root, {
    'price.ts':
      'export function total(a: number) {\n  return a + 1\n}\nexport function untouched() {\n  return total(2)\n}\n',
  })
  const taken = (id: string) =>
    manifestOf(id).flatMap(({ path, skip, hunks, callers }) => (skip === null ? [{ path, hunks, callers }] : []))
  expect(taken(init('--diff', 'HEAD'))).toEqual([
    {
      path: 'cart.ts',
      callers: [
        [3, 5],
        [8, 8],
      ],
    },
    { path: 'page.vue', callers: [[2, 2]] },
    { path: 'price.ts', hunks: [[2, 2]], callers: [[4, 6]] },
    { path: 'tool.py', callers: [[1, 2]] },
  ])
  expect(deepscan(['init', '--diff', 'HEAD', '--force']).stdout).toContain(
    '\n  changed: 1 place in 1 file, called at 5 places\n',
  )
  const preload = join(tempFolder(), 'abort.cjs')
  const abort =
    "if (process.argv[2] === 'parse') process.stdin.on('data', (data) => { if (data.includes('Cart')) process.kill(process.pid, 'SIGABRT') })\n"
  writeFileSync(preload, abort)
  const env = { DEEPSCAN_HOME: home, NODE_OPTIONS: `--require=${preload}` }
  const { code, stdout } = runAlone('deepscan', ['init', '--diff', 'HEAD', '--force', '-q'], { cwd: root, env })
  expect([code, taken(stdout.trim()).map(({ path }) => path)]).toEqual([0, ['page.vue', 'price.ts', 'tool.py']])
})
