import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, runAlone, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { renderTree } from '../src/store/render-tree.ts'
import { contextOf } from '../src/walk/kind.ts'
import { committedPlace } from './init-place.ts'
import { plant } from './scans-place.ts'

test('W9: --target and --files-from take in what they name, and later verbs see nothing else', () => {
  const { root, init, deepscan, takenIn } = committedPlace({
    'src/a.ts': 'a\n',
    'src/b/c.ts': 'c\n',
    'd.ts': 'd\n',
    '.gitignore': 'out/\n',
  })
  plant(root, { 'out/x.ts': 'x\n' })
  const id = init('src', '--target', 'b', '--target', 'a.ts')
  expect(takenIn(id)).toEqual(['src/a.ts', 'src/b/c.ts'])
  expect(JSON.parse(deepscan(['status', '--json']).stdout)).toMatchObject({ mode: 'targeted', files: 2, tokens: 2 })
  expect(deepscan(['init', 'src', '--target', 'nope', '--force']).code).toBe(3)
  expect(deepscan(['init', 'src', '--target', '../d.ts', '--force']).stderr).toMatch(/it is not below .*\[DS-001\]\n$/)
  symlinkSync('d.ts', join(root, 'link'))
  const input = 'd.ts\r\nout/x.ts\nd.ts\ngone.ts\nlink\nsrc\n'
  const listed = deepscan(['init', '--files-from', '-', '--force', '--json'], { input })
  expect(takenIn(JSON.parse(listed.stdout).id)).toEqual(['d.ts', 'out/x.ts'])
  writeFileSync(join(root, 'list'), 'd.ts\0src/a.ts\0')
  expect(takenIn(init('--files-from', 'list', '--force'))).toEqual(['d.ts', 'src/a.ts'])
  expect(deepscan(['init', '--files-from', '-', '--force'], { input: '/etc/passwd\n' })).toMatchObject({ code: 2 })
  writeFileSync(join(root, 'list'), Buffer.from([0x61, 0xff]))
  expect(deepscan(['init', '--files-from', 'list', '--force']).stderr).toMatch(/list is not in UTF-8; .*\[DS-103\]\n$/)
})

test('W33: --lazy lists the tree to its depth, counts its files exactly, and reads none of them', () => {
  const { init, deepscan, manifestOf, home, root } = committedPlace({
    'a.ts': 'a\n',
    'b/c.ts': 'c\n',
    'b/d/e/f.ts': 'f\n',
    'b/d/g.ts': 'g\n',
  })
  const { stdout } = deepscan(['init', '--lazy', '--depth', '1'])
  expect(stdout.split('\n').slice(1)).toEqual([
    ...[
      `  4 files below ${root}, not read yet`,
      '  left out: 1 tool folder',
      '  a.ts',
      '  b/',
      '    c.ts',
      '    d/ 2 files',
    ],
    ...['next: deepscan init --target PATH --force takes in what you name', ''],
  ])
  expect(manifestOf(init('--lazy', '--force')).map(({ skip, sha256 }) => [skip, sha256])).toEqual([
    ['tool folder', ''],
    ...Array(4).fill(['not loaded yet', '']),
  ])
  expect(
    renderTree(
      Array.from({ length: 60 }, (_, at) => `f${at}`),
      0,
    ).more,
  ).toBe(10)
  const env = {
    DEEPSCAN_HOME: home,
    ...faultEnv({ call: 'openSync', nth: 1, action: 'EIO', match: join(root, 'b/c.ts') }),
  }
  expect(runAlone('deepscan', ['init', '--lazy', '--force', '-q'], { cwd: root, env }).code).toBe(0)
})

test('W7, W28: --incremental reads again what has changed only, tells what became of the rest, and equals a full scan', () => {
  const { root, home, deepscan, init, manifestOf, linesOf, scans } = committedPlace({
    'a.ts': 'a\n',
    'b.ts': 'bb\n',
    'c.ts': 'cc\n',
    'd.ts': 'd\n',
  })
  const long = new Date(Date.now() - 3_600_000)
  for (const name of ['a.ts', 'b.ts', 'c.ts', 'd.ts']) utimesSync(join(root, name), long, long)
  const first = init()
  plant(root, { 'a.ts': 'x\n', 'new.ts': 'new\n' })
  renameSync(join(root, 'b.ts'), join(root, 'moved.ts'))
  rmSync(join(root, 'c.ts'))
  const env = {
    DEEPSCAN_HOME: home,
    ...faultEnv({ call: 'openSync', nth: 1, action: 'EIO', match: join(root, 'd.ts') }),
  }
  const { code, stdout } = runAlone('deepscan', ['init', '--incremental'], { cwd: root, env })
  expect([code, stdout.split('\n')[2]]).toEqual([
    ...[0, `  since ${first}: 1 changed, 1 added, 1 deleted, 1 renamed, 1 as they were`],
  ])
  const second = stdout.split('\n')[0] ?? ''
  expect(linesOf(second, 'events.jsonl')[0]).toMatchObject({
    delta: { unchanged: 1, changed: 1, added: 1, deleted: 1, renamed: 1 },
  })
  expect(manifestOf(second)).toEqual(manifestOf(init('--force')))
  expect(scans().length).toBe(3)
  const again = deepscan(['init', '--incremental', '--previous-session', first, '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ previous: first })
  expect(deepscan(['init', '--incremental', '--previous-session', 'nope'])).toMatchObject({ code: 3 })
})

test('a file that changed in the moment of the last scan, at the same size, is read again', () => {
  const { root, init, manifestOf } = committedPlace({ 'a.ts': 'a\n' })
  const now = new Date()
  utimesSync(join(root, 'a.ts'), now, now)
  const first = init()
  plant(root, { 'a.ts': 'b\n' })
  utimesSync(join(root, 'a.ts'), now, now)
  const sha = (id: string) => manifestOf(id).find(({ path }) => path === 'a.ts')?.sha256
  expect(sha(init('--incremental'))).not.toBe(sha(first))
})

test('each file has its kind, by its path below what was named and by its head', () => {
  const long = 'x'.repeat(2_000)
  for (const [path, head, kind] of [
    ['src/a.ts', '', 'source'],
    ['src/generated-by.ts', '// how files are generated\n', 'source'],
    ['a.ts', '// Code generated by protoc. DO NOT EDIT.\n', 'generated'],
    ['a.py', '#!/usr/bin/env python\n# This file is auto-generated by x\n', 'generated'],
    ['a.js', '/**\n * @generated\n */\n', 'generated'],
    ['yarn.lock', '', 'generated'],
    ['x_pb2.py', '', 'generated'],
    ['dist/a.min.js', '', 'minified'],
    ['bundle.js', long, 'minified'],
    ['data.json', long, 'source'],
    ['third_party/z/tests/a.c', '', 'vendored'],
    ['src/__tests__/a.ts', '', 'test'],
    ['pkg/a_test.go', '', 'test'],
    ['test_a.py', '', 'test'],
    ['contest.py', '', 'source'],
    ['test/fixtures/a.ts', '', 'fixture'],
    ['tests/a.snap', '', 'fixture'],
    ['examples/a.ts', '', 'example'],
    ['examples/a.test.ts', '', 'test'],
    ['docs/a.ts', '', 'docs'],
    ['README', '', 'docs'],
  ] as const) {
    expect([path, contextOf(path, head)]).toEqual([path, kind])
  }
})

test('a tree of odd names, deep folders and odd files is listed whole', () => {
  const { root, init, manifestOf } = committedPlace({ 'a.txt': 'a\n' })
  const deep = Array.from({ length: 40 }, (_, at) => `d${at}`).join('/')
  plant(root, {
    [`${deep}/x.txt`]: 'x\n',
    'new\nline.txt': 'n\n',
    '-q': 'q\n',
    'ünï/ö.txt': 'ö\n',
    'sp ace/%s.txt': 's\n',
  })
  mkdirSync(join(root, 'empty'))
  symlinkSync('/nowhere', join(root, 'dangling'))
  const entries = manifestOf(init())
  const paths = entries.map(({ path }) => path)
  expect(paths).toEqual([...paths].sort())
  expect(
    entries
      .filter(({ skip }) => skip === null)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['-q', 'a.txt', `${deep}/x.txt`, 'new\nline.txt', 'sp ace/%s.txt', 'ünï/ö.txt'].sort())
})

test('W30: --secrets skip leaves out the files that people keep secrets in', () => {
  const { root, init, takenIn, manifestOf } = committedPlace({ 'a.ts': 'a\n' })
  plant(root, { '.env': 'A=1\n', '.env.example': 'A=\n', 'deploy/key.pem': 'x\n', id_rsa: 'x\n', 'key.ts': 'k\n' })
  const id = init('--secrets', 'skip')
  expect(takenIn(id)).toEqual(['.env.example', 'a.ts', 'key.ts'])
  expect(manifestOf(id).find(({ path }) => path === '.env')?.skip).toBe('may hold secrets')
  expect(takenIn(init('--force'))).toContain('.env')
})

test('W13: memory does not grow with the tree, and no file is passed over for the size of all', () => {
  const { root, home, manifestOf } = committedPlace({ '.keep': 'x' })
  const line = 'const value = compute(alpha, beta)\n'
  plant(root, { 'src/f0.ts': line.repeat(Math.ceil(1_000_000 / line.length)) })
  const meterFile = join(root, 'meter.cjs')
  writeFileSync(meterFile, "process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))")
  const count = full ? 500 : 10
  const memoryOf = (files: number) => {
    for (let at = 1; at < files; at++)
      if (!existsSync(join(root, `src/f${at}.ts`))) linkSync(join(root, 'src/f0.ts'), join(root, `src/f${at}.ts`))
    const env = { DEEPSCAN_HOME: home, NODE_OPTIONS: `--require=${meterFile}` }
    const { stdout, stderr } = runAlone('deepscan', ['init', 'src', '-q', '--force'], { cwd: root, env })
    expect(manifestOf(stdout.trim()).filter(({ skip }) => skip === null).length).toBe(files)
    return Number(stderr)
  }
  const [once, twice] = [memoryOf(count), memoryOf(2 * count)]
  expect(twice).toBeLessThan(once * 1.25)
  expect(twice).toBeLessThan(300 * 1024)
})

test('outside of a repository paths count from the project, or from what is named where that lies elsewhere', () => {
  const [here, other] = [tempFolder('here'), tempFolder('other')]
  const { deepscan } = committedPlace()
  plant(here, { 'src/a.ts': 'a\n' })
  plant(other, { 'b.ts': 'b\n' })
  const rootOf = (...paths: string[]) => JSON.parse(deepscan(['init', ...paths, '--json'], { cwd: here }).stdout).root
  expect(rootOf('src')).toBe(here)
  expect(rootOf(other)).toBe(other)
  expect(deepscan(['status', '-q'], { cwd: other }).code).toBe(0)
  expect(deepscan(['init', 'src', other, '--force'], { cwd: here }).stderr).toMatch(
    /does not belong to .*\[DS-001\]\n$/,
  )
  const atTop = deepscan(['init', other, '--json', '--force'], { cwd: '/' })
  expect(JSON.parse(atTop.stdout).root).toBe(other)
})
