import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { full, run, scaled, tempFolder, tempRepo } from '@switchyard/testkit'
import { beforeAll, expect, test } from 'vitest'
import { matchCountSchema, matchSchema } from '../src/explore/match-schema.ts'
import { makeTree, searches } from './grep-tree.ts'

let root = ''
beforeAll(() => {
  root = tempRepo({ 'README.md': '' })
  makeTree(root)
})

const grep = (args: readonly string[], cwd = root) => run('deepscan', ['grep', ...args], { cwd })

function matchesOf(stdout: string) {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => matchSchema.parse(JSON.parse(line)))
}

type Places = Record<string, string>

/** The numbers of the lines that match, file by file. */
function placesOf(found: readonly { path: string; line: number }[]): Places {
  const places: Record<string, number[]> = {}
  for (const { path, line } of found) places[path] = [...(places[path] ?? []), line].sort((a, b) => a - b)
  return Object.fromEntries(Object.entries(places).map(([path, lines]) => [path, lines.join(' ')]))
}

/** What ripgrep 13 found in the same files. */
const committed: Record<string, Places> = JSON.parse(
  readFileSync(new URL('cases/grep-places.json', import.meta.url), 'utf8'),
)

/** What the ripgrep of this machine finds; undefined where there is none. */
function ripgrep(args: readonly string[]): Places | undefined {
  const flags = ['--no-heading', '-n', '--no-config', '--hidden', '--no-ignore-global', '-g', '!.git']
  const { status, stdout } = spawnSync('rg', [...flags, ...args, './'], { cwd: root, encoding: 'utf8' })
  if (status === null) return undefined
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.includes('binary file matches'))
  return placesOf(
    lines.map((line) => {
      const [path = '', number] = line.slice(2).split(':', 2)
      return { path, line: Number(number) }
    }),
  )
}

test.each(searches.map((args) => [args.join(' '), args] as const))(
  'grep %s finds the lines that ripgrep finds',
  (name, args) => {
    const { code, stdout, stderr } = grep(['--jsonl', ...args])
    expect(placesOf(matchesOf(stdout))).toEqual(committed[name])
    expect({ code, isEmpty: stdout === '' }).toEqual({ code: stdout === '' ? 1 : 0, isEmpty: code === 1 })
    expect(['', 'not searched: 1 binary\n']).toContain(stderr)
    if (full) expect(ripgrep(args) ?? committed[name]).toEqual(committed[name])
  },
)

test('a line comes with its path, line and column, its text as it is, and what is around it', () => {
  const cwd = tempRepo({ 'src/a.ts': 'one\ntwo\nthree 😀 three\nfour\nfive\nsix\nthree\n', 'src/b.ts': 'three\n' })
  expect(grep(['three'], cwd)).toMatchObject({
    code: 0,
    stdout: 'src/a.ts:3:1:three 😀 three\nsrc/a.ts:7:1:three\nsrc/b.ts:1:1:three\n',
    stderr: '',
  })
  expect(grep(['-C', '2', 'three', 'src'], cwd).stdout.split('\n')).toEqual([
    ...['src/a.ts-1-one', 'src/a.ts-2-two', 'src/a.ts:3:1:three 😀 three', 'src/a.ts-4-four', 'src/a.ts-5-five'],
    ...['src/a.ts-6-six', 'src/a.ts:7:1:three', '--', 'src/b.ts:1:1:three', ''],
  ])
  const [match] = JSON.parse(grep(['--json', '-C', '1', 'e 😀', 'src/a.ts'], cwd).stdout)
  expect(matchSchema.parse(match)).toEqual({
    ...{ v: 1, type: 'match', path: 'src/a.ts', line: 3, column: 5, text: 'three 😀 three' },
    ...{ spans: [[4, 8]], before: ['two'], after: ['four'] },
  })
  expect(matchesOf(grep(['--jsonl', 'three'], cwd).stdout)[0]?.spans).toEqual([
    [0, 5],
    [9, 14],
  ])
  expect(grep(['--count', 'three'], cwd).stdout).toBe('src/a.ts:2\nsrc/b.ts:1\n')
  expect(matchCountSchema.array().parse(JSON.parse(grep(['-c', '--json', 'six'], cwd).stdout))).toEqual([
    { v: 1, type: 'match_count', path: 'src/a.ts', lines: 1 },
  ])
  expect(grep(['--quiet', 'three'], cwd).stdout).toBe('src/a.ts\nsrc/b.ts\n')
  expect(grep(['--json', 'no such'], cwd)).toMatchObject({ code: 1, stdout: '[]\n', stderr: '' })
  expect(grep(['--max', '1', 'three'], cwd)).toMatchObject({
    stdout: 'src/a.ts:3:1:three 😀 three\n',
    stderr: 'stopped after 1 line, as --max says\n',
  })
  expect(grep(['three', 'b.ts'], join(cwd, 'src')).stdout).toBe('src/b.ts:1:1:three\n')
})

test('W17: any word can be searched, in any amount, by any pattern that ends, and the rest is refused at once', () => {
  const many = 'subprocess.run(os.system(__class__)) and get or set\n'.repeat(2_000)
  const cwd = tempRepo({ 'a.py': many, 'b.txt': `${'a'.repeat(60_000)}!\n` })
  for (const pattern of ['subprocess', 'os\\.system', '__class__', '(get|set)+', '(a*)*s', '.*run.*set']) {
    const { code, stdout } = grep(['--count', pattern, 'a.py'], cwd)
    expect({ pattern, code, stdout }).toEqual({ pattern, code: 0, stdout: 'a.py:2000\n' })
  }
  for (const pattern of ['(a+)+$', '(a|aa)+$', '(a?){50}a{50}b', '(.*)(.*)(.*)(.*)(.*)[^a!]x', '(x+x+)+y']) {
    expect({ pattern, code: grep([pattern, 'b.txt'], cwd).code }).toEqual({ pattern, code: 1 })
  }
  for (const pattern of ['(?=a)b', '(?<!a)b', '(a)\\1', 'a(', '[z-a]', 'a{2000}', 'x\ny']) {
    const { code, stdout, stderr } = grep([pattern], cwd)
    expect({ pattern, code, stdout, lines: stderr.split('\n').length }).toEqual({
      pattern,
      code: 2,
      stdout: '',
      lines: 2,
    })
  }
  expect(grep(['(?=a)b'], cwd).stderr).toContain('look-around and back references are left out')
  expect(grep(['--json', 'a('], cwd).stderr).toContain('{"error":{"code":"usage"')
})

test('W18: a file of any size is searched to its end, and the number of its last line is right', () => {
  const size = scaled(600_000)
  const cwd = tempFolder('large')
  const line = 'a line as long as those of a log, with a number at its end: '
  const lines = Array.from({ length: size }, (_, at) => `${line}${at}`)
  writeFileSync(join(cwd, 'log.txt'), `${lines.join('\n')}\n\nneedle\nlast`)
  writeFileSync(join(cwd, 'one-line.txt'), `${'x'.repeat(9_000_000)}needle${'y'.repeat(9_000_000)}`)
  const [inLog, inLine] = matchesOf(grep(['--jsonl', '-C', '1', 'needle'], cwd).stdout)
  expect(inLog).toMatchObject({ line: size + 2, column: 1, before: [''], after: ['last'] })
  expect({ ...inLine, text: inLine?.text.length }).toMatchObject({ line: 1, column: 9_000_001, text: 18_000_006 })
  const middle = Math.floor(size / 2)
  expect(grep([`: ${middle}$`, 'log.txt'], cwd).stdout).toBe(`log.txt:${middle + 1}:59:${line}${middle}\n`)
  expect(grep(['--count', 'number', 'log.txt'], cwd).stdout).toBe(`log.txt:${size}\n`)
  expect(grep(['needle', 'one-line.txt'], cwd).stdout.length).toBeLessThan(1_200)
})

test('links, pipes and what cannot be read are left out and said; a file in an old encoding is read by characters', () => {
  const outside = tempFolder('outside')
  writeFileSync(join(outside, 'secret.txt'), 'needle\n')
  const cwd = tempRepo({ 'a.txt': 'needle\n' })
  symlinkSync(join(outside, 'secret.txt'), join(cwd, 'link.txt'))
  symlinkSync(outside, join(cwd, 'folder'))
  mkdirSync(join(cwd, 'sub'))
  expect(spawnSync('mkfifo', [join(cwd, 'sub/pipe')]).status).toBe(0)
  writeFileSync(join(cwd, 'latin1.txt'), Buffer.from('na\u00efve needle\n', 'latin1'))
  expect(grep(['needle'], cwd)).toMatchObject({
    ...{ code: 0, stdout: 'a.txt:1:1:needle\nlatin1.txt:1:7:naïve needle\n' },
    stderr: 'not searched: 2 symlink, 1 not a file\n',
  })
  expect(grep(['na.ve'], cwd).stdout).toBe('latin1.txt:1:1:naïve needle\n')
})

test('what is asked wrongly is said in a line', () => {
  expect(grep(['x', 'no-such-folder'])).toMatchObject({ code: 3, stdout: '' })
  expect(grep(['-t', 'pyhton', 'x'])).toMatchObject({
    ...{ code: 2, stdout: '' },
    stderr: 'deepscan: expected a language after --type, got pyhton; did you mean python?\n',
  })
  expect(grep([])).toMatchObject({ code: 2, stdout: '' })
})
