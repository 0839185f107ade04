import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, runAlone, start, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { statusSchema } from '../src/store/fold-status.ts'
import { manifestEntrySchema } from '../src/store/manifest-schema.ts'
import { scanSchema } from '../src/store/scan-schema.ts'
import { scansPlace } from './scans-place.ts'

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('let é = 1\n', 'utf16le')])
const files = {
  'src/a.ts': 'const a = 1\nconst b = 2\n',
  'src/b.test.ts': 'test()',
  'docs/read.md': '# Read\n',
  'package-lock.json': '{}\n',
  '.gitignore': 'gen/\n',
  '.deepscanignore': 'secret.txt\n',
  'secret.txt': 'x\n',
}

function place(given: Readonly<Record<string, string | Buffer>> = files) {
  const made = scansPlace(given)
  const manifestOf = (id: string) => made.linesOf(id, 'manifest.jsonl').map((line) => manifestEntrySchema.parse(line))
  return { ...made, manifestOf }
}

test('init answers in one screen: what was found, what it costs, and what to type next', () => {
  const { root, deepscan, home } = place()
  const { code, stdout, stderr } = deepscan(['init', '.', '-q', 'Where is input not checked?'])
  const id = scanned(stdout)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    id,
    `  6 files, 6 lines below ${root}`,
    '  languages: 2 markdown, 2 other, 2 typescript',
    '  kinds: 3 source, 2 docs, 1 test',
    '  left out: 1 generated, 1 ignored, 1 tool folder',
  ])
  expect(stdout).toMatch(/about \d+ tokens in 1 chunk.*\nnext: .*deepscan/)
  const scan = scanSchema.parse(JSON.parse(readFileSync(join(home, 'scans', id, 'scan.json'), 'utf8')))
  expect(scan).toMatchObject({
    id,
    root,
    paths: ['.'],
    query: 'Where is input not checked?',
    mode: 'full',
    size: 150_000,
  })
  const modes = ['', ...readdirSync(join(home, 'scans', id))].map(
    (name) => statSync(join(home, 'scans', id, name)).mode,
  )
  expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['700', ...Array(6).fill('600')])
})

test('W10, W14: the manifest has every path below once, sorted, with what it is or why it is left out', () => {
  const { root, deepscan, manifestOf } = place({
    ...files,
    'src/wide.js': utf16,
    'src/latin.py': Buffer.from('x = "\xe9"\r\n', 'latin1'),
    'image.png': Buffer.from([0x89, 0x50, 0, 0, 1]),
    'dist/app.min.js': 'f()\n',
    'vendor/lib/x.go': 'package x\n',
    'gen/a.ts': '',
    'big.txt': 'x'.repeat(200),
  })
  symlinkSync('a.ts', join(root, 'src/link.ts'))
  symlinkSync('.', join(root, 'src/loop'))
  const id = deepscan(['init', '-q', '--max-file-bytes', '100']).stdout.trim()
  const entries = manifestOf(id)
  expect(entries.map(({ path }) => path)).toEqual(entries.map(({ path }) => path).sort())
  const of = Object.fromEntries(entries.map((entry) => [entry.path, entry]))
  expect(Object.fromEntries(entries.flatMap(({ path, skip }) => (skip === null ? [] : [[path, skip]])))).toEqual({
    '.git/': 'tool folder',
    'big.txt': 'too large',
    'dist/app.min.js': 'minified',
    'gen/': 'ignored',
    'image.png': 'binary',
    'package-lock.json': 'generated',
    'secret.txt': 'ignored',
    'src/link.ts': 'symlink',
    'src/loop': 'symlink',
    'vendor/lib/x.go': 'vendored',
  })
  expect(of['src/wide.js']).toMatchObject({ encoding: 'utf16le', mark: true, lines: 1, bytes: 22 })
  expect(of['src/latin.py']).toMatchObject({ encoding: 'latin1', mark: false, lines: 1, language: 'python' })
  expect(of['src/a.ts']).toMatchObject({
    bytes: 24,
    lines: 2,
    kind: 'source',
    language: 'typescript',
    encoding: 'utf8',
  })
  expect(of['src/a.ts']?.sha256).toMatch(/^[0-9a-f]{64}$/)
  const all = manifestOf(deepscan(['init', '-q', '--force', '--all', '--no-gitignore']).stdout.trim())
  expect(all.flatMap(({ path, skip }) => (skip === null ? [] : [path]))).toEqual([
    ...['.git/', 'image.png', 'secret.txt', 'src/link.ts', 'src/loop'],
  ])
})

test('W15: a project below a folder called build, env or vendor is taken in', () => {
  const { deepscan, manifestOf, root } = place({})
  const below = join(root, 'vendor', 'build', 'env')
  mkdirSync(join(below, 'src'), { recursive: true })
  writeFileSync(join(below, 'src/a.ts'), 'f()\n')
  const entries = manifestOf(deepscan(['init', '-q'], { cwd: below }).stdout.trim())
  expect(entries.map(({ path, kind, skip }) => [path, kind, skip])).toEqual([
    ['vendor/build/env/src/a.ts', 'source', null],
  ])
})

test('-q with a value is the question, bare it is --quiet, and a path in its place is refused with both spellings', () => {
  const { deepscan, home, root } = place()
  const quiet = deepscan(['init', './src', '-q'])
  expect(quiet.stdout).toMatch(/^deepscan_\d+_[0-9a-f]{16}\n$/)
  const asked = deepscan(['init', '-q', 'Is it safe?', '--force', '--json'])
  expect(scanSchema.parse(JSON.parse(asked.stdout))).toMatchObject({ query: 'Is it safe?', paths: ['.'] })
  const before = readdirSync(join(home, 'scans')).length
  expect(deepscan(['init', '-q', './src'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'deepscan: expected a question after -q, got ./src, which is a path; deepscan init ./src -q prints the id of a ' +
      'scan of it, deepscan init . -q ./src asks that of all\n',
  })
  expect(readdirSync(join(home, 'scans')).length).toBe(before)
  expect(deepscan(['init', './src', '-q', '--force']).stdout).toMatch(/^deepscan_\d+_[0-9a-f]{16}\n$/)
  expect(root).not.toBe('')
})

test('W27: a project has one current scan; --force begins another, and other projects have their own', () => {
  const { root, deepscan, scans } = place()
  const id = scanned(deepscan(['init']).stdout)
  const again = deepscan(['init'])
  expect([again.code, again.stdout]).toEqual([5, ''])
  expect(again.stderr).toMatch(
    new RegExp(`current scan, ${id}.*--force.*deepscan resume ${id} .*deepscan abort ${id} `),
  )
  const other = place()
  const elsewhere = deepscan(['init', other.root])
  expect(elsewhere.stderr).toContain(`in ${other.root}; from here, add --session ${scanned(elsewhere.stdout)}\n`)
  expect(scans().length).toBe(2)
  const inside = deepscan(['init', '--force', '..'], { cwd: join(root, 'src') })
  expect(inside.stderr).toBe('')
  const next = scanned(inside.stdout)
  const status = JSON.parse(deepscan(['status', '--json'], { cwd: join(other.root, 'src') }).stdout)
  expect(statusSchema.parse(status)).toMatchObject({ root: other.root, phase: 'initialized', progress: 0, files: 6 })
  expect(JSON.parse(deepscan(['status', '--json']).stdout).scan).toBe(next)
})

test('W4: the id that init prints is the folder, and a unique beginning or the name means it', () => {
  const { deepscan, scans } = place()
  const id = deepscan(['init', '-q', '--session', 'first']).stdout.trim()
  expect(scans()).toEqual([id])
  for (const named of [id, id.slice(0, 24), id.slice('deepscan_'.length, -2), 'first']) {
    expect(deepscan(['status', '--session', named, '-q'])).toEqual({ code: 0, stdout: `${id}\n`, stderr: '' })
  }
  deepscan(['init', '-q', '--force'])
  expect(deepscan(['status', '--session', 'deepscan_']).code).toBe(4)
})

test('W6: an init that fails leaves nothing', () => {
  const { deepscan, root, scans } = place({ 'a.bin': Buffer.from([0, 0]) })
  mkdirSync(join(root, 'empty'))
  const nothing = deepscan(['init', 'empty'])
  expect(nothing).toMatchObject({ code: 3, stdout: '' })
  expect(nothing.stderr).toMatch(/^deepscan: nothing to analyse in empty: it is empty; .*\[DS-006\]\n$/)
  expect(deepscan(['init', 'nowhere']).stderr).toBe(
    'deepscan: no file or folder at nowhere; name a path that exists [DS-301]\n',
  )
  expect(deepscan(['init', '--include', '*.ts']).code).toBe(3)
  const large = deepscan(['init', '--max-tokens', '1', '--json'])
  expect([large.code, JSON.parse(large.stderr.split('\n')[1] ?? '').error.ds]).toEqual([3, 'DS-006'])
  writeFileSync(join(root, 'b.txt'), 'many words are here\n')
  expect(deepscan(['init', '--max-tokens', '1']).stderr).toMatch(
    /^deepscan: \. comes to about \d+ tokens.*\[DS-304\]\n$/,
  )
  expect(scans()).toEqual([])
  expect(deepscan(['status'])).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'deepscan: this project has no current scan; deepscan init PATH makes one, deepscan list shows those of other folders [DS-306]\n',
  })
})

test('an init that is killed at any of its writes leaves no scan, or a whole one, and the next one clears up', () => {
  const { root, home, deepscan, scans } = place({ 'a.ts': 'f()\n' })
  for (const [call, match] of [
    ['openSync', 'manifest.jsonl'],
    ['writeSync', 'manifest.jsonl'],
    ['writeFileSync', 'results.jsonl'],
    ['writeFileSync', 'scan.json'],
    ['renameSync', 'scans'],
    ['renameSync', 'current'],
  ] as const) {
    const env = { DEEPSCAN_HOME: home, ...faultEnv({ call, nth: 1, action: 'kill', match }) }
    expect([call, match, runAlone('deepscan', ['init', '-q', '--force'], { cwd: root, env }).signal]).toEqual([
      ...[call, match, 'SIGKILL'],
    ])
    const { code, stdout } = deepscan(['init', '-q', '--force'])
    expect([call, match, code]).toEqual([call, match, 0])
    expect(scans().filter((name) => name.startsWith('.'))).toEqual([])
    expect(deepscan(['status', '-q']).stdout).toBe(stdout)
    for (const name of scans()) expect(deepscan(['status', '--session', name]).code).toBe(0)
  }
})

test('of two that init a project at once one makes the current scan and the other is refused', async () => {
  const { root, home, scans } = place()
  const env = { DEEPSCAN_HOME: home }
  const all = await Promise.all(
    Array.from({ length: 4 }, () => start('deepscan', ['init', '-q'], { cwd: root, env, input: '' }).done),
  )
  expect(all.map(({ code }) => code).sort()).toEqual([0, 5, 5, 5])
  expect(scans()).toEqual([all.find(({ code }) => code === 0)?.stdout.trim()])
})

test('a cache folder that is full, a link, or open to others is refused in one line', () => {
  const { root, home, deepscan } = place({ 'a.ts': 'f()\n' })
  const full = runAlone('deepscan', ['init'], {
    cwd: root,
    env: { DEEPSCAN_HOME: home, ...faultEnv({ call: 'writeSync', nth: 1, action: 'ENOSPC', match: 'manifest' }) },
  })
  expect([full.code, full.stdout]).toEqual([1, ''])
  expect(full.stderr).toMatch(/^deepscan: .* cannot keep scans: the disk answered ENOSPC; .*\[DS-305\]\n$/)
  expect(readdirSync(join(home, 'scans'))).toEqual([])
  const belowFile = deepscan(['init'], { env: { DEEPSCAN_HOME: '/dev/null/x' } })
  expect(belowFile).toMatchObject({ code: 1, stderr: expect.stringContaining('[DS-305]') })
  const link = join(tempFolder(), 'link')
  symlinkSync(home, link)
  expect(deepscan(['init'], { env: { DEEPSCAN_HOME: link } }).stderr).toContain('it is a link')
  chmodSync(home, 0o777)
  expect(deepscan(['init'])).toMatchObject({ code: 1, stdout: '' })
  expect(deepscan(['status']).stderr).toContain('others may write there')
  chmodSync(home, 0o700)
})

test('what the schemas say is what is on the disk', () => {
  const { deepscan, linesOf } = place()
  const id = deepscan(['init', '-q']).stdout.trim()
  const schemas = (name: string) => JSON.parse(deepscan(['schema', name]).stdout)
  const records = { event: linesOf(id, 'events.jsonl'), manifest: linesOf(id, 'manifest.jsonl') }
  for (const [name, values] of Object.entries(records)) {
    const schema = z.fromJSONSchema(schemas(name))
    for (const value of values) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(true)
  }
})

function scanned(stdout: string): string {
  return /^deepscan_\d+_[0-9a-f]{16}/.exec(stdout)?.[0] ?? ''
}
