import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cleanEnv, git, itWith, run, scaled, tempFolder, tempRepo } from '@switchyard/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SkipReason } from '../src/walk/skip-reason.ts'
import { findFiles } from '../src/walk/walk.ts'

function walk(cwd: string, ...paths: string[]) {
  const skipped: SkipReason[] = []
  const files = findFiles(paths.length > 0 ? paths : ['.'], { cwd, home: undefined }, (reason) => skipped.push(reason))
  return { paths: files.map(({ path }) => path), skipped: skipped.sort() }
}

function plant(root: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

test('paths count from the top of the repository, wherever the run starts', () => {
  const root = tempRepo({ 'src/deep/a.ts': '', 'src/b.py': '', 'c.js': '' })
  expect(walk(root).paths).toEqual(['c.js', 'src/b.py', 'src/deep/a.ts'])
  expect(walk(join(root, 'src'), 'deep').paths).toEqual(['src/deep/a.ts'])
  expect(walk(root, 'src', 'src/b.py', '.').paths).toEqual(['c.js', 'src/b.py', 'src/deep/a.ts'])
})

test('outside of a repository paths count from the working folder', () => {
  const root = tempFolder()
  plant(root, { 'x/a.ts': '' })
  expect(walk(root).paths).toEqual(['x/a.ts'])
  expect(walk(join(root, 'x')).paths).toEqual(['a.ts'])
})

test('a project below a folder with an unlucky name is scanned', () => {
  const root = join(tempFolder(), 'node_modules', 'build', '.worktrees')
  plant(root, { 'a.ts': '', 'node_modules/x/a.ts': '', 'build/b.ts': '' })
  expect(walk(root)).toEqual({ paths: ['a.ts', 'build/b.ts'], skipped: ['tool folder'] })
})

test('what is left out has a reason each', () => {
  const root = tempRepo({ 'a.ts': '', 'notes.md': '', '.gitignore': 'gen/\n', '.deepscanignore': 'skip.ts\n!a.ts\n' })
  plant(root, { 'gen/a.ts': '', 'skip.ts': '', '.jwz/a.ts': '', 'inner/.git/HEAD': '', 'inner/a.ts': '' })
  symlinkSync('a.ts', join(root, 'link.ts'))
  symlinkSync('.', join(root, 'loop'))
  const { paths, skipped } = walk(root)
  expect(paths).toEqual(['a.ts'])
  expect(skipped).toEqual([
    'ignored',
    'ignored',
    'nested repository',
    'no rules for its kind',
    'no rules for its kind',
    'no rules for its kind',
    'symlink',
    'symlink',
    'tool folder',
    'tool folder',
  ])
})

test('an ignore file whose patterns multiply, and folders without end, hold nobody up', () => {
  const deep = 'a/'.repeat(40)
  const root = tempRepo({ '.gitignore': `${'**/a/'.repeat(8)}b\n**/c/**/d.ts\n` })
  plant(root, { [`${deep}b.ts`]: '', [`${deep}c/a/d.ts`]: '', [`${'e/'.repeat(201)}f.ts`]: '' })
  expect(walk(root)).toEqual({
    paths: [`${deep}b.ts`],
    skipped: ['ignored', 'nested too deeply', 'no rules for its kind', 'tool folder'],
  })
})

test.each(['  #', '\\'])('a source that its grammar would take minutes for is left out as generated: %s', (line) => {
  const text = `def f():\n  x = 1 ${`\n${line}`.repeat(200_000)}\n  return x == None\n`
  const cwd = tempRepo({ 'a.py': text, 'b.py': 'x == None\n' })
  const { code, stderr } = run('deepscan', ['run', '--linters', 'none'], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^1 file scanned[\s\S]*1 generated/) })
})

test('what a path names is scanned even when it is ignored, and its own ignore files hold', () => {
  const root = tempRepo({ '.gitignore': 'dist/\n*.gen.ts\n' })
  plant(root, { 'dist/a.ts': '', 'dist/b.ts': '', 'dist/.gitignore': 'b.ts\n', 'x.gen.ts': '' })
  expect(walk(root).paths).toEqual([])
  expect(walk(root, 'dist', 'x.gen.ts').paths).toEqual(['dist/a.ts', 'x.gen.ts'])
})

test("the repository's own exclude file holds in a linked worktree too", () => {
  const root = tempRepo({ 'a.ts': '' })
  writeFileSync(join(root, '.git/info/exclude'), 'private/\n')
  const tree = join(tempFolder(), 'tree')
  git(root, 'worktree', 'add', '--quiet', tree)
  plant(tree, { 'private/b.ts': '' })
  expect(walk(tree)).toEqual({ paths: ['a.ts'], skipped: ['ignored', 'tool folder'] })
})

test('a path that is not there ends in a failure', () => {
  expect(() => walk(tempFolder(), 'nowhere')).toThrow('no file or folder at nowhere')
})

itWith('permissions that stop this user', 'a folder that may not be read is counted', () => {
  const root = tempFolder()
  plant(root, { 'shut/a.ts': '', 'b.ts': '' })
  chmodSync(join(root, 'shut'), 0)
  const { code, stdout, stderr } = run('deepscan', ['run'], { cwd: root, unprivileged: true })
  chmodSync(join(root, 'shut'), 0o755)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toMatch(/^1 file scanned.*1 .*unreadable/s)
})

// ASCII only: for git a `?` is one byte, here it is one character.
const name = fc.constantFrom('a', 'b', 'ab', 'c d', 'B')
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!'),
    fc.constantFrom('', '/', '**/'),
    fc.array(fc.oneof(name, fc.constantFrom('*', 'a*', '?', '[ab]', '**')), { minLength: 1, maxLength: 2 }),
    fc.constantFrom('', '', '/', '.ts', '/*', '/**'),
  )
  .map(([not, anchor, parts, end]) => not + anchor + parts.join('/') + end)
const ignoreText = fc.array(pattern, { maxLength: 4 }).map((lines) => ['# patterns', '', ...lines].join('\n'))
const tree = fc.record({
  files: fc.uniqueArray(
    fc
      .tuple(fc.array(name, { maxLength: 3 }), name)
      .map(([folders, file]) => [...folders.map((f) => `${f}`), `${file}.ts`].join('/')),
    { minLength: 1, maxLength: 15 },
  ),
  ignores: fc.dictionary(
    fc.constantFrom('.gitignore', 'a/.gitignore', 'b/.gitignore', 'a/b/.gitignore', '.git/info/exclude'),
    ignoreText,
  ),
})

test('the files that are scanned are those that git does not ignore', () => {
  fc.assert(
    fc.property(tree, ({ files, ignores }) => {
      const root = tempFolder()
      git(root, 'init', '--quiet')
      plant(root, { ...Object.fromEntries(files.map((file) => [file, ''])), ...ignores })
      const checked = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
        cwd: root,
        env: cleanEnv(),
        input: files.join('\0'),
        encoding: 'utf8',
      })
      const ignored = new Set(checked.stdout.split('\0'))
      expect(walk(root).paths).toEqual(files.filter((file) => !ignored.has(file)).sort())
    }),
    { numRuns: scaled(600) },
  )
})
