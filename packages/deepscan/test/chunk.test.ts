import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultEnv, run, runAlone, start, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { type Chunk, chunkSchema } from '../src/store/chunk-schema.ts'

const functions = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `// Number ${at}.\nfunction ${name}${at}(a) {\n  return a + ${at}\n}\n`)

const source = [
  "import { b } from './b'\n",
  'class Long {\n',
  ...functions(90, 'inner').map((text) => text.replace(/^(\/\/.*\n)function /, '  $1  ')),
  '}\n',
]

const files = {
  'src/long.js': source.join(''),
  'src/a.ts': "export const a = 'é😀'\r\n",
  'src/b.py': Buffer.from('x = "\xe9"\r\n', 'latin1'),
  'src/wide.cs': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('class A {}\n', 'utf16le')]),
  'docs/long.md': Array.from({ length: 60 }, (_, at) => `## Chapter ${at}\n\n${'Words and words. '.repeat(12)}\n`).join(
    '',
  ),
  'docs/short.md': '# Short',
  'docs/tiny.md': '# a\n'.repeat(1_000),
  'empty.txt': '',
  'line.txt': 'x,'.repeat(9_000),
}

function place(given: Readonly<Record<string, string | Buffer>> = files) {
  const [root, home] = [tempFolder('tree'), join(tempFolder('cache'), 'deepscan')]
  for (const [path, text] of Object.entries(given)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const env = { DEEPSCAN_HOME: home }
  const deepscan = (...args: string[]) => {
    const { code, stdout, stderr } = run('deepscan', args, { cwd: root, env })
    return { code, stdout, stderr }
  }
  const id = deepscan('init', '--all', '-q').stdout.trim()
  const folder = join(home, 'scans', id)
  const kept = () => readFileSync(join(folder, 'chunks.jsonl'), 'utf8')
  const bytesOf = ({ spans }: Chunk) =>
    spans.map((span) => readFileSync(join(root, span.path)).subarray(span.start_byte, span.end_byte))
  return { root, env, deepscan, id, folder, kept, bytesOf }
}

const parsed = (lines: string) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => chunkSchema.parse(JSON.parse(line)))

test('W11, W12: chunks say where each byte of each file is, and lie between declarations and chapters', () => {
  const { root, deepscan, kept, bytesOf } = place()
  const { code, stdout, stderr } = deepscan('chunk', '--tokens', '900', '--jsonl')
  expect([code, kept()]).toEqual([0, stdout])
  const chunks = parsed(stdout)
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
  expect(stderr).toBe(
    `${chunks.length} chunks of 9 files, about ${String(tokens).replace(/(\d)(\d{3})$/, '$1 $2')} tokens\n`,
  )
  for (const path of Object.keys(files)) {
    const parts = chunks.flatMap((chunk) =>
      chunk.spans.flatMap((span, at) => (span.path === path ? [bytesOf(chunk)[at] ?? ''] : [])),
    )
    expect([path, Buffer.concat(parts.map((part) => Buffer.from(part)))]).toEqual([
      path,
      readFileSync(join(root, path)),
    ])
  }
  expect(chunks.map(({ index }) => index)).toEqual(chunks.map((_, at) => at))
  expect(chunks.every(({ tokens, flags }) => tokens <= 900 || flags.length > 0)).toBe(true)
  const of = (path: string) => chunks.filter(({ spans }) => spans.some((span) => span.path === path))
  for (const chunk of of('src/long.js').slice(1)) {
    expect(String(bytesOf(chunk)[0])).toMatch(/^ {2}\/\/ Number \d+\.\n {2}inner/)
    expect(chunk).toMatchObject({ kind: 'ast', header: "import { b } from './b'\nclass Long" })
  }
  for (const chunk of of('docs/long.md')) expect(String(bytesOf(chunk)[0])).toMatch(/^## Chapter/)
  expect(of('line.txt').every(({ flags }) => flags.includes('over-long line'))).toBe(true)
  expect(of('line.txt').length).toBeGreaterThan(1)
  expect(of('src/a.ts')).toEqual(of('src/b.py'))
  const again = deepscan('chunk', '--tokens', '900', '--quiet')
  expect(again).toEqual({ code: 0, stdout: chunks.map(({ id }) => `${id}\n`).join(''), stderr: '' })
  expect(JSON.parse(deepscan('chunk', '--tokens', '900', '--json').stdout)).toEqual(chunks)
  const schema = z.fromJSONSchema(JSON.parse(deepscan('schema', 'chunk').stdout))
  for (const chunk of chunks) expect(schema.safeParse(chunk).success).toBe(true)
  expect(JSON.parse(deepscan('status', '--json').stdout)).toMatchObject({
    phase: 'chunking',
    chunks: { total: chunks.length },
  })
})

test('chunks are cut between lines, or at a fixed size, and repeat what --overlap says', () => {
  const { root, deepscan, bytesOf } = place({
    'a.ts': `${'let a = 1\n'.repeat(8_000)}`,
    'b.ts': 'let b = 1\n'.repeat(5_000),
  })
  const all = `${readFileSync(join(root, 'a.ts'))}${readFileSync(join(root, 'b.ts'))}`
  const fixed = parsed(deepscan('chunk', '--mode', 'fixed', '--size', '50000', '--overlap', '15', '--jsonl').stdout)
  const contents = fixed.map((chunk) => Buffer.concat(bytesOf(chunk)).toString())
  expect(contents.map(({ length }) => length)).toEqual([50_000, 50_000, 30_030])
  expect(contents.map((content, at) => content.slice(at === 0 ? 0 : 15)).join('')).toBe(all)
  expect(fixed[1]?.spans.map(({ path, start_byte, start_line }) => [path, start_byte, start_line])).toEqual([
    ['a.ts', 49_985, 4_999],
    ['b.ts', 0, 1],
  ])
  const lines = parsed(deepscan('chunk', '--mode', 'lines', '--size', '50000', '--overlap', '25', '--jsonl').stdout)
  expect(
    lines.map(({ kind, spans }) => [
      kind,
      ...spans.map(({ path, start_line, end_line }) => `${path}:${start_line}-${end_line}`),
    ]),
  ).toEqual([
    ['lines', 'a.ts:1-4997'],
    ['lines', 'a.ts:4996-8000'],
    ['lines', 'b.ts:1-5000'],
  ])
})

test('W16: with --adaptive the size goes by the kind of content, as the scan or the flag says', () => {
  const long = (line: string) => `${line.repeat(50).trim()}\n`.repeat(Math.ceil(236_000 / line.length / 50))
  const { deepscan } = place({
    'a/a.py': long('a + 1; '),
    'b/b.yaml': long('b bb b'),
    'c/c.md': long('word word '),
    'd/d.txt': long('dd d'),
    'e/e.html': long('<p> a'),
  })
  const counts = (...flags: string[]) => {
    const paths = parsed(deepscan('chunk', '--jsonl', ...flags).stdout).map(({ spans }) => spans[0]?.path ?? '')
    return [...new Set(paths)].map((path) => [path, paths.filter((each) => each === path).length])
  }
  const adaptive = [
    ['a/a.py', 3],
    ['b/b.yaml', 3],
    ['c/c.md', 2],
    ['d/d.txt', 1],
    ['e/e.html', 2],
  ]
  expect(counts('--adaptive')).toEqual(adaptive)
  expect(counts().map(([, count]) => count)).toEqual([2, 2, 2, 2, 2])
  deepscan('init', '--adaptive', '--force', '-q')
  expect(counts()).toEqual(adaptive)
})

test('sizes out of range, too many chunks, a changed file and a scan of nothing are refused, and nothing is written', () => {
  const { root, deepscan, kept, folder } = place()
  const refused = (...args: string[]) => {
    const { code, stdout, stderr } = deepscan('chunk', ...args)
    expect([args, stdout, kept()]).toEqual([args, '', ''])
    return [code, stderr]
  }
  const range =
    'deepscan: expected a chunk size from 50000 to 300000 characters, got 49999; choose a size between the two [DS-004]\n'
  expect(refused('--size', '49999')).toEqual([2, range])
  expect(refused('--size', '300001')[0]).toBe(2)
  expect(refused('--tokens', '99')).toEqual([2, expect.stringContaining('from 100 to 1000000 tokens, got 99;')])
  expect(refused('--size', '50000', '--overlap', '50000')).toEqual([
    2,
    expect.stringMatching(/overlap below .* 50000, got 50000;.*\[DS-005\]\n$/),
  ])
  expect(refused('--size', '60000', '--tokens', '900')).toEqual([
    2,
    expect.stringContaining('expected --size or --tokens, got both'),
  ])
  expect(refused('--mode', 'fixed', '--tokens', '900')[0]).toBe(2)
  expect(refused('--tokens', '900', '--max-chunks', '3')).toEqual([
    9,
    expect.stringMatching(/^deepscan: \d+ chunks are more than 3; .*\[DS-201\]\n$/),
  ])
  const plan = deepscan('chunk', '--plan', '--tokens', '900', '--max-chunks', '3', '--warn', '5')
  expect([plan.code, kept()]).toEqual([0, ''])
  expect(plan.stdout).toMatch(/^0 {2}docs\/long\.md:1-\d+ {2}\d+ tokens\n1 {2}/)
  expect(plan.stderr).toMatch(/\nmore than 5 chunks: /)
  writeFileSync(join(root, 'src/a.ts'), 'changed\n')
  expect(refused()).toEqual([
    5,
    'deepscan: src/a.ts has changed since init; deepscan init --force looks at all files again\n',
  ])
  const asked = run('deepscan', ['parse'], {
    cwd: root,
    input: '{"want":"pieces","language":"cobol","text":"","limit":{"unit":"tokens","size":9}}\n{}\n',
  })
  expect(asked).toMatchObject({ code: 2, stdout: '{"failed":"there is no grammar of cobol"}\n' })
  writeFileSync(join(folder, 'manifest.jsonl'), '')
  expect(refused()).toEqual([
    3,
    expect.stringMatching(/^deepscan: the scan deepscan_\S+ has no chunks; .*\[DS-202\]\n$/),
  ])
})

test('a grammar that aborts, or cannot be loaded, costs one file its tree: the others go on, and it is told', () => {
  const two = { 'a.js': `// ABORT\n${functions(60, 'a').join('')}`, 'b.js': functions(60, 'b').join('') }
  const { root, env, folder, bytesOf } = place(two)
  const preload = join(tempFolder(), 'abort.cjs')
  writeFileSync(
    preload,
    `if (process.argv[2] === 'parse') process.stdin.on('data', (data) => { if (data.includes('ABORT')) process.kill(process.pid, 'SIGABRT') })\n`,
  )
  const chunk = (extra: Record<string, string>) => {
    const { code, stdout, stderr } = runAlone('deepscan', ['chunk', '--tokens', '300', '--jsonl'], {
      cwd: root,
      env: { ...env, ...extra },
    })
    const chunks = parsed(stdout)
    const whole = Buffer.concat(chunks.flatMap(bytesOf)).toString()
    expect([code, whole]).toEqual([0, two['a.js'] + two['b.js']])
    const kinds = (path: string) => [
      ...new Set(chunks.filter(({ spans }) => spans[0]?.path === path).map(({ kind }) => kind)),
    ]
    return { kinds: [kinds('a.js'), kinds('b.js')], notes: stderr.split('\n').slice(0, -2) }
  }
  expect(chunk({ NODE_OPTIONS: `--require=${preload}` })).toEqual({
    kinds: [['text'], ['ast']],
    notes: ['a.js was cut by its layout: the parser ended with SIGABRT'],
  })
  const events = () =>
    readFileSync(join(folder, 'events.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  expect(events().at(-1)).toMatchObject({ type: 'parse_fallback', path: 'a.js', language: 'javascript', seq: 2 })
  expect(chunk({ NAPI_RS_NATIVE_LIBRARY_PATH: '/no/such/part.node' })).toMatchObject({
    kinds: [['text'], ['text']],
    notes: [
      expect.stringMatching(/^a\.js was cut by its layout: the native part of @ast-grep\/napi cannot/),
      expect.any(String),
    ],
  })
})

test('a chunk that is killed at any of its writes, or beside others, leaves the chunks of one of them, whole', async () => {
  const { root, env, deepscan, kept, folder } = place({
    'a/a.txt': 'a\n\n'.repeat(900),
    'b/b.md': '# B\n\n'.repeat(600),
  })
  deepscan('chunk')
  const [before] = [kept()]
  deepscan('chunk', '--tokens', '600')
  const after = kept()
  for (const [call, match, left] of [
    ['openSync', 'chunks.jsonl.draft', before],
    ['writeSync', 'chunks.jsonl.draft', before],
    ['renameSync', 'chunks.jsonl', before],
    ['writeSync', 'events.jsonl', after],
  ] as const) {
    writeFileSync(join(folder, 'chunks.jsonl'), before)
    const fault = faultEnv({ call, nth: 1, action: 'kill', match })
    const killed = runAlone('deepscan', ['chunk', '--tokens', '600'], { cwd: root, env: { ...env, ...fault } })
    expect([call, killed.signal, kept()]).toEqual([call, 'SIGKILL', left])
    expect([call, deepscan('chunk', '--tokens', '600').code, kept()]).toEqual([call, 0, after])
  }
  const sizes = ['600', '500', '400']
  const all = await Promise.all(
    sizes.map((size) => start('deepscan', ['chunk', '--tokens', size, '--jsonl'], { cwd: root, env, input: '' }).done),
  )
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(all.map(({ stdout }) => stdout)).toContain(kept())
  expect(readdirSync(folder).filter((name) => /draft$|lock$/.test(name))).toEqual([])
  expect(existsSync(join(folder, 'chunks.jsonl'))).toBe(true)
})
