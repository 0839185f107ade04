import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { full, git } from '@switchyard/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openScan } from '../src/store/open-scan.ts'
import { readText } from '../src/store/read-text.ts'
import { parseHunks } from '../src/walk/hunks.ts'
import { committedPlace } from './init-place.ts'
import { plant } from './scans-place.ts'

test('--rev scans a commit without a checkout, and the scan outlives the commit', () => {
  const { root, home, init, deepscan, takenIn, manifestOf, commit } = committedPlace()
  symlinkSync('a.ts', join(root, 'link'))
  plant(root, {
    '.deepscanignore': 'd.md\n',
    'sub/.deepscanignore': 'x.ts\n',
    'sub/x.ts': '',
    'sub/"y\t.ts': 'y\n',
    'big.txt': 'x'.repeat(99),
  })
  const first = commit('more')
  rmSync(join(root, 'b'), { recursive: true })
  plant(root, { 'a.ts': 'changed\n', 'new.ts': 'new\n' })
  const id = init('--rev', 'HEAD', '--max-file-bytes', '50')
  expect(takenIn(id)).toEqual(['.deepscanignore', 'a.ts', 'b/c.ts', 'sub/"y\t.ts', 'sub/.deepscanignore'])
  const skipped = manifestOf(id).flatMap(({ path, skip }) => (skip === null ? [] : [[path, skip]]))
  expect(skipped).toEqual([
    ['big.txt', 'too large'],
    ['d.md', 'ignored'],
    ['link', 'symlink'],
    ['sub/x.ts', 'ignored'],
  ])
  const open = openScan({ DEEPSCAN_HOME: home }, root, id)
  expect(open.scan.rev).toBe(first)
  git(root, 'checkout', '--quiet', '--orphan', 'other')
  rmSync(join(root, '.git'), { recursive: true })
  expect(
    manifestOf(id)
      .filter(({ path }) => path === 'a.ts')
      .map((entry) => readText(open, entry)),
  ).toEqual(['one\ntwo\nthree\n'])
  expect(deepscan(['init', '--rev', 'HEAD', '--force'])).toMatchObject({ code: 2, stdout: '' })
})

test('--rev takes in the paths that are named, also one that is gone from the working tree', () => {
  const { root, init, deepscan, takenIn, manifestOf } = committedPlace({ 'vendor/x/src/a.ts': 'a\n', 'b.ts': 'b\n' })
  rmSync(join(root, 'vendor'), { recursive: true })
  const id = init('vendor/x', '--rev', 'main')
  expect(takenIn(id)).toEqual(['vendor/x/src/a.ts'])
  expect(manifestOf(id)[0]?.kind).toBe('source')
  for (const [rev, code] of [
    ['nope', 3],
    ['--help', 3],
    ['-x', 3],
    ['', 3],
  ] as const) {
    expect([rev, deepscan(['init', `--rev=${rev}`, '--force']).code]).toEqual([rev, code])
  }
  expect(deepscan(['init', '../', '--rev', 'main', '--force']).stderr).toMatch(/is not below .*\[DS-001\]\n$/)
})

test('--since takes in what has changed, in commits, in the working tree, and files that git does not know yet', () => {
  const { root, init, takenIn, manifestOf, commit } = committedPlace({
    'a.ts': 'a\n',
    'b.ts': 'b\n',
    'c.ts': 'c\n',
    'gone.ts': '',
  })
  plant(root, { 'b.ts': 'bb\n' })
  commit('b')
  plant(root, { 'c.ts': 'cc\n', 'naïve "d".ts': 'd\n', 'ignored/e.ts': '' })
  rmSync(join(root, 'gone.ts'))
  const id = init('--since', 'HEAD~1')
  expect(takenIn(id)).toEqual(['b.ts', 'c.ts', 'ignored/e.ts', 'naïve "d".ts'])
  expect(manifestOf(id).find(({ path }) => path === 'a.ts')?.skip).toBe('not changed')
  expect(takenIn(init('--since', 'HEAD~1', '--rev', 'HEAD', '--force'))).toEqual(['b.ts'])
})

test('--diff takes in what has changed since the branch left its base, and notes the lines', () => {
  const { root, init, deepscan, manifestOf, commit } = committedPlace({
    'a.ts': '1\n2\n3\n4\n5\n',
    'b.ts': 'b\n',
    'c.ts': 'x\ny\n',
  })
  git(root, 'checkout', '--quiet', '-b', 'work')
  plant(root, { 'a.ts': '1\ntwo\n3\n4\n5\n++ b/evil.ts\n@@ -1 +1 @@\n' })
  commit('work')
  git(root, 'checkout', '--quiet', 'main')
  plant(root, { 'b.ts': 'changed on main\n' })
  commit('main')
  git(root, 'checkout', '--quiet', 'work')
  plant(root, { 'c.ts': 'x\n', 'sp ace\t.ts': 'new\n', 'untracked.ts': 'u\nv\n' })
  git(root, 'add', 'sp ace\t.ts')
  git(root, 'config', 'diff.noprefix', 'true')
  git(root, 'config', 'diff.external', 'false')
  const id = init('--diff', 'main')
  expect(manifestOf(id).flatMap(({ path, skip, hunks }) => (skip === null ? [[path, hunks]] : []))).toEqual([
    [
      'a.ts',
      [
        [2, 2],
        [6, 7],
      ],
    ],
    ['c.ts', [[1, 1]]],
    ['sp ace\t.ts', [[1, 1]]],
    ['untracked.ts', [[1, 2]]],
  ])
  expect(deepscan(['init', '--diff', 'main', '--force']).stdout).toContain('  changed: 5 places in 4 files\n')
  expect(deepscan(['init', '--diff', 'work', '--rev', 'work', '--force'])).toMatchObject({ code: 3 })
})

test('the hunks of a patch are those lines that are new, whatever they look like', () => {
  const line = fc.constantFrom(
    'a',
    '',
    '+++ b/x',
    '--- a/x',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '\\ x',
    '-',
    '+',
    '\ttab',
  )
  const text = fc.array(line, { maxLength: 8 })
  const { root } = committedPlace({ 'f.txt': '' })
  fc.assert(
    fc.property(text, text, (before, after) => {
      plant(root, {
        'before.txt': before.map((l) => `${l}\n`).join(''),
        'after.txt': after.map((l) => `${l}\n`).join(''),
      })
      const patch = runDiff(root)
      const hunks = parseHunks(patch).get('after.txt') ?? []
      const added = patch === '' ? [] : linesOf(hunks)
      // Each line that is not in the text before lies in a hunk.
      for (const [at, l] of after.entries()) if (!before.includes(l)) expect(added).toContain(at + 1)
      expect(hunks.every(([from, to]) => from >= 1 && from <= to && to <= Math.max(1, after.length))).toBe(true)
    }),
    { numRuns: full ? 200 : 20 },
  )
})

function linesOf(hunks: readonly (readonly [number, number])[]): number[] {
  return hunks.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
}

function runDiff(root: string): string {
  git(root, 'config', 'core.safecrlf', 'false')
  const hash = (name: string) => git(root, 'hash-object', '-w', name)
  return `${git(root, 'diff', '--unified=0', hash('before.txt'), hash('after.txt')).replace(/^(\+\+\+ ).*$/m, '$1b/after.txt')}\n`
}
