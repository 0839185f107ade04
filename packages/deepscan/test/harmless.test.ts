// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are source text
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'

/** Rewrites that changed what real programs do. The first is youtube-dl's reading of its options. */
const harmful: Readonly<Record<string, string>> = {
  'options.py':
    'def read(path, default=[]):\n    try:\n        return open(path).read().split()\n    except IOError:\n        return default\n\n' +
    "def options():\n    found = read('/etc/conf', None)\n    if found is None:\n        found = read('~/conf')\n    return found\n",
  'kept.py': 'class A:\n    def __init__(self, xs=[]):\n        self.xs = xs\n',
  'rollback.py':
    'async def work(db):\n    try:\n        await db.run()\n    except:\n        db.rollback()\n\n' +
    'def stop(db):\n    try:\n        db.run()\n    except:\n        db.rollback()\n',
  'passed.py': 'try:\n    f()\nexcept (KeyboardInterrupt, SystemExit):\n    raise\nexcept:\n    pass\n',
  'sentinel.js':
    "try {\n  list.forEach((x) => { if (f(x)) throw 'break' })\n} catch (error) {\n  if (error !== 'break') throw error\n}\n",
  'ring.js': "import { Buffer } from './ring.mjs'\nexport const ring = new Buffer(10)\n",
  'cursor.js':
    'export async function all(cursor) {\n  await cursor.forEach(async (x) => { await g(x) }).catch((e) => e)\n}\n',
  'side.ts': 'export async function all(xs: string[]) {\n  xs.forEach(async (x) => {\n    await g(x)\n  })\n}\n',
  'bound.py': 'if len(xs) >= 0:\n    f()\n',
}

test('S1: the rewrites that did harm are offers or gone: fix --all changes none of these files', () => {
  const root = tempRepo(harmful)
  const { code, stdout } = run('deepscan', ['run', '--all-rules', '--jsonl'], { cwd: root })
  const findings = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect([code, findings.filter(({ fixable }) => fixable)]).toEqual([0, []])
  // A message that would not be true is not given: the clause that lets Ctrl-C pass, the Buffer and the cursor that are no one's.
  const found = findings.map(({ path, rule, offer }) => [path, rule, offer])
  expect(found).toEqual([
    ['bound.py', 'py/length-bound', true],
    ['kept.py', 'py/mutable-default', true],
    ['rollback.py', 'py/bare-except', true],
    ['rollback.py', 'py/bare-except', true],
    ['sentinel.js', 'js/throw-literal', true],
    ['side.ts', 'js/async-foreach', true],
  ])
  const fixed = run('deepscan', ['fix', '--all'], { cwd: root, input: stdout })
  expect([fixed.code, fixed.stdout]).toEqual([1, ''])
  for (const [name, text] of Object.entries(harmful)) expect(readFileSync(join(root, name), 'utf8')).toBe(text)
})

test('S3: what stands below a condition, on constants or in a title is no finding', () => {
  const clean: Readonly<Record<string, string>> = {
    'a.ts':
      "import { exec } from 'node:child_process'\nexec(`vite ${isOpen ? '--open' : ''}`)\nexec(process.execPath + ' -v')\n",
    'b.ts': 'if (config.allowSelfSigned) connect({ rejectUnauthorized: false })\n',
    'c.ts': "import { exec } from 'node:child_process'\nconst parts = ['npm', 'i']\nexec(parts.join(' '), done)\n",
  }
  const root = tempRepo(clean)
  mkdirSync(join(root, 'test'))
  writeFileSync(join(root, 'test/d.test.ts'), "import { exec } from 'node:child_process'\nexec('ls ' + name)\n")
  const { stdout } = run('deepscan', ['run'], { cwd: root })
  expect(stdout).toBe('test/d.test.ts:2:1 medium js/shell-injection A shell command is put together from values\n')
})
