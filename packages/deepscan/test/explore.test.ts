import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { excerptSchema } from '../src/explore/excerpt.ts'
import { scoutSchema } from '../src/explore/scout-schema.ts'
import { treeEntrySchema } from '../src/explore/tree.ts'

const project = () =>
  tempRepo({
    'src/a.ts': 'one\ntwo\nthree\nfour\n',
    'src/deep/er/b.ts': 'const b = 1\n',
    'src/deep/c.ts': 'const c = 1\n',
    'readme.md': '# Read\n',
    '.gitignore': 'out/\n',
    'out/x.js': 'x\n',
  })

function deepscan(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = run('deepscan', args, { cwd, env })
  return { code, stdout, stderr }
}

test('peek prints the lines that were asked for, byte for byte', () => {
  const cwd = project()
  const peek = (...args: string[]) => deepscan(['peek', ...args], cwd)
  expect(peek('src/a.ts')).toEqual({ code: 0, stdout: 'one\ntwo\nthree\nfour\n', stderr: '' })
  expect(peek('src/a.ts:2-3').stdout).toBe('two\nthree\n')
  expect(peek('src/a.ts:4:1').stdout).toBe('four\n')
  expect(peek('src/a.ts:3-').stdout).toBe('three\nfour\n')
  expect(peek('src/a.ts', '--head', '1').stdout).toBe('one\n')
  expect(peek('src/a.ts', '--tail', '2').stdout).toBe('three\nfour\n')
  expect(peek('src/a.ts:2-3', '-n').stdout).toBe('2  two\n3  three\n')
  expect(deepscan(['peek', 'readme.md'], join(cwd, 'src')).stdout).toBe('# Read\n')
  expect(excerptSchema.parse(JSON.parse(peek('src/a.ts:2-9', '--json').stdout))).toEqual({
    ...{ v: 1, type: 'excerpt', path: 'src/a.ts', start_line: 2, end_line: 4, lines: 4, text: 'two\nthree\nfour\n' },
  })
  expect(peek('src/a.ts:9')).toEqual({ code: 3, stdout: '', stderr: 'src/a.ts has 4 lines\n' })
  const odd = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x09, 0xc3, 0xa9, 0x0d, 0x0a, 0x62])
  writeFileSync(join(cwd, 'odd:1'), odd)
  expect(peek('odd:1').stdout).toBe('a\r\n\té\r\nb')
  expect(peek('odd:1:3').stdout).toBe('b')
  writeFileSync(join(cwd, 'empty'), '')
  expect(peek('empty')).toEqual({ code: 0, stdout: '', stderr: '' })
  writeFileSync(join(cwd, 'binary'), 'a\0b')
  for (const [args, code] of [
    [['src/a.ts:0'], 2],
    [['src/a.ts:3-2'], 2],
    [['src/a.ts', '--head', '1', '--tail', '1'], 2],
    [['src'], 2],
    [['binary'], 2],
    [['none.ts'], 3],
  ] as const) {
    expect({ args, ...peek(...args) }).toMatchObject({ args, code, stdout: '' })
  }
})

test('W31: nothing outside of the root is read, listed, or said to be there', () => {
  const outside = tempFolder('outside')
  writeFileSync(join(outside, 'there.txt'), 'secret')
  mkdirSync(join(outside, 'folder'))
  const cwd = project()
  symlinkSync(join(outside, 'there.txt'), join(cwd, 'link.txt'))
  symlinkSync(outside, join(cwd, 'linked'))
  symlinkSync('src', join(cwd, 'inside'))
  symlinkSync('nowhere', join(cwd, 'broken'))
  symlinkSync('loop', join(cwd, 'loop'))
  const up = `../${outside.split('/').at(-1)}`
  const there = ['there.txt', 'folder'].flatMap((name) => [`${up}/${name}`, `${outside}/${name}`, `linked/${name}`])
  const gone = [`${up}/gone.txt`, `${outside}/gone.txt`, 'linked/gone.txt']
  const tricks = [
    'link.txt',
    'inside/a.ts',
    'broken',
    'loop',
    'loop/x',
    '.git/config',
    '.GIT/config',
    'src/../.git/HEAD',
  ]
  const odd = ['..', 'src/../..', '/', '/etc/passwd', 'src/../../x', '', `${'../'.repeat(40)}etc/passwd`]
  for (const path of [...there, ...gone, ...tricks, ...odd]) {
    for (const verb of ['peek', 'tree']) {
      const { code, stdout, stderr } = deepscan([verb, path], cwd)
      expect({ verb, path, code, stdout }).toEqual({ verb, path, code: 2, stdout: '' })
      expect(stderr).toBe(
        `deepscan: expected a path inside ${cwd}, got ${JSON.stringify(path)}; links and git's own folder are not followed\n`,
      )
    }
  }
  expect(deepscan(['peek', join(cwd, 'src/a.ts:1')], cwd).stdout).toBe('one\n')
  expect(deepscan(['peek', '..\\x'], cwd).code).toBe(3)
  expect(deepscan(['peek', 'x'.repeat(5_000)], cwd).code).toBe(3)
})

test('peek of a scan reads the file as it was, or says that it has changed', () => {
  const cwd = project()
  const env = { DEEPSCAN_HOME: join(tempFolder('cache'), 'deepscan') }
  const id = deepscan(['init', '.', '--quiet'], cwd, env).stdout.trim()
  const elsewhere = tempFolder('elsewhere')
  expect(deepscan(['peek', '--session', id, 'src/a.ts:2'], elsewhere, env)).toEqual({
    code: 0,
    stdout: 'two\n',
    stderr: '',
  })
  expect(deepscan(['tree', '--session', id, '--depth', '1', '--quiet'], elsewhere, env).stdout).toBe(
    'src/\n.gitignore\nreadme.md\n',
  )
  writeFileSync(join(cwd, 'src/a.ts'), 'changed\n')
  expect(deepscan(['peek', '--session', id, 'src/a.ts:2'], cwd, env)).toMatchObject({ code: 5, stdout: '' })
  expect(deepscan(['peek', '--session', id, 'out/x.js'], cwd, env)).toMatchObject({ code: 3, stdout: '' })
})

test('tree shows levels, sums and how much is not shown', () => {
  const cwd = project()
  const tree = (...args: string[]) => deepscan(['tree', ...args], cwd)
  expect(tree()).toEqual({
    code: 0,
    stderr: 'left out: 1 tool folder, 1 ignored\n',
    stdout: [
      './ (5 files, 55 B)',
      '├── src/ (3 files, 43 B)',
      '│   ├── deep/ (2 files, 24 B)',
      '│   │   ├── er/ (1 file, 12 B)',
      '│   │   └── c.ts (12 B)',
      '│   └── a.ts (19 B)',
      '├── .gitignore (5 B)',
      '└── readme.md (7 B)',
      '',
    ].join('\n'),
  })
  expect(tree('src', '--depth', '1').stdout).toBe('src/ (3 files, 43 B)\n├── deep/ (2 files, 24 B)\n└── a.ts (19 B)\n')
  expect(tree('--limit', '2').stdout).toBe(
    './ (5 files, 55 B)\n├── src/ (3 files, 43 B)\n│   └── … 2 more\n├── .gitignore (5 B)\n└── … 1 more\n',
  )
  const entries = treeEntrySchema.array().parse(JSON.parse(tree('--json', '--tokens').stdout))
  expect(entries.map(({ path, depth, files }) => [path, depth, files])).toEqual([
    ...[
      ['src/', 1, 3],
      ['src/deep/', 2, 2],
      ['src/deep/er/', 3, 1],
      ['src/deep/c.ts', 3, 1],
    ],
    ...[
      ['src/a.ts', 2, 1],
      ['.gitignore', 1, 1],
      ['readme.md', 1, 1],
    ],
  ])
  expect(entries[0]?.tokens).toBeGreaterThan(5)
  const exact = treeEntrySchema.array().parse(JSON.parse(tree('--json', '--exact-tokens', 'src/deep').stdout))
  expect(exact.map(({ tokens }) => tokens)).toEqual([6, 6, 6])
})

test('W33: a tree with as many files as the limit is whole, and an empty one has none', () => {
  const cwd = project()
  expect(deepscan(['tree', '--limit', '7'], cwd).stdout).not.toContain('more')
  expect(deepscan(['tree', '--limit', '6'], cwd).stdout).toContain('… 1 more')
  const empty = tempFolder('empty')
  expect(deepscan(['tree'], empty)).toEqual({ code: 0, stdout: './ (0 files, 0 B)\n', stderr: '' })
})

test('a worktree of git is no file of its own', () => {
  const cwd = project()
  const tree = join(tempFolder('worktree'), 'tree')
  git(cwd, 'worktree', 'add', '-q', tree)
  expect(deepscan(['tree', '--quiet', '--depth', '1'], tree).stdout).toBe('src/\n.gitignore\nreadme.md\n')
})

test('scout says in one screen what is here, what it takes to read it, and what to type next', () => {
  const cwd = project()
  const prices = join(tempFolder('prices'), 'prices.json')
  for (const text of ['first', 'second', 'third']) {
    writeFileSync(join(cwd, 'src/deep/c.ts'), `const c = '${text}'\n`.repeat(40))
    git(cwd, 'commit', '-qam', text)
  }
  writeFileSync(prices, '{"small": {"input": 1, "output": 5}, "large": {"input": 15, "output": 75}}')
  const { code, stdout, stderr } = deepscan(['scout', '--prices', prices], cwd)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\.: 5 files, 47 lines, \S+ B, about \d+ tokens\n {2}languages: 3 typescript \(\d+\)/)
  for (const part of [
    'left out: 1 tool folder, 1 ignored',
    'src/  3 files',
    'src/deep/c.ts  4 commits',
    'with small, $',
  ]) {
    expect(stdout).toContain(part)
  }
  expect(stdout).toContain('next: an agent can read all of it: deepscan init')
  const found = scoutSchema.parse(JSON.parse(deepscan(['scout', 'src', '--json'], cwd).stdout))
  expect(found).toMatchObject({ path: 'src', files: 3, chunks: 1, strategy: 'whole', prices: [] })
  expect(found.hot_spots.map(({ path, commits }) => [path, commits])).toEqual([['src/deep/c.ts', 4]])
  expect(found.folders.map(({ name, files }) => [name, files])).toEqual([
    ['deep/', 2],
    ['.', 1],
  ])
  expect(found.languages.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(found.tokens)
  expect(deepscan(['scout', '--prices', 'none.json'], cwd).code).toBe(3)
  writeFileSync(prices, '{"small": 3}')
  expect(deepscan(['scout', '--prices', prices], cwd).code).toBe(2)
  expect(existsSync(join(cwd, '.deepscan'))).toBe(false)
  expect(deepscan(['scout'], tempFolder('empty'))).toMatchObject({ code: 0, stderr: '' })
})

test('a name made of other lines is one row', () => {
  const cwd = project()
  writeFileSync(join(cwd, 'odd\nsrc/a.ts:1:1:forged'.replace('/', '-')), 'needle\n')
  expect(deepscan(['grep', 'needle'], cwd).stdout).toBe('odd\\nsrc-a.ts:1:1:forged:1:1:needle\n')
  expect(deepscan(['grep', '-c', 'needle'], cwd).stdout).toBe('odd\\nsrc-a.ts:1:1:forged:1\n')
  for (const verb of ['tree', 'scout']) expect(deepscan([verb], cwd).stdout).not.toMatch(/^src-a.ts/m)
})
