import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { callsOf } from '../src/explore/calls.ts'
import { definitionsOf } from '../src/explore/definitions.ts'
import { symbolSchema } from '../src/explore/symbol-schema.ts'
import { parsedLanguages } from '../src/syntax/language.ts'
import { loadParser } from '../src/syntax/parser.ts'

test('what a language defines and calls is found, and nothing inside a function', async () => {
  const sources = {
    typescript: [
      'export abstract class A<T> { b(): T { const c = () => 1; d() } }\ninterface E { f(): void }\ntype G = 1\nenum H { I }\nconst j = async () => k.d()',
      'class A, function b, interface E, type G, enum H, function j',
    ],
    tsx: ['const A = () => <D x={1} />', 'function A'],
    javascript: [
      'function* a() {}\nclass B { static c() { new x.D() } }\nlet e = 1',
      'function a, class B, function c',
    ],
    python: ['class A(B):\n  async def c(self):\n    def e(): pass\n    d()\n', 'class A, function c'],
    go: ['package a\ntype A struct{}\nfunc (a *A) B() { x.d() }\nfunc C[T any]() {}', 'type A, function B, function C'],
    rust: [
      'struct A;\nimpl A { fn b(&self) { Self::d() } }\ntrait E {}\nmod f { fn g() {} }\nmacro_rules! h { () => {} }',
      'class A, function b, interface E, module f, function g, macro h',
    ],
    java: [
      'record A(int b) { void c() { d(); } }\ninterface E {}\nenum F { G }',
      'class A, function c, interface E, enum F',
    ],
    c: [
      'struct a { int b; };\nstruct a *c(struct a *x) { d(); }\ntypedef int e;\n#define F(x) x\nenum g { H };',
      'class a, function c, type e, macro F, enum g',
    ],
    cpp: [
      'namespace a { class B { void c() { D x = d(); } }; }\nint B::e() {}\nB::~B() {}',
      'module a, class B, function c, function e, function ~B',
    ],
    csharp: [
      'namespace A { class B { int C() => d(); B() {} } interface E {} }',
      'class B, function C, function B, interface E',
    ],
    ruby: [
      'module A\n class B\n  def c\n   x.d()\n  end\n  def self.e; end\n end\nend',
      'module A, class B, function c, function e',
    ],
    php: [
      '<?php class A { function b() { $this->d(); } } function c() {} interface E {}',
      'class A, function b, function c, interface E',
    ],
    bash: ['a() {\n d x\n}\nfunction b { :; }', 'function a, function b'],
  } as const
  for (const language of parsedLanguages) {
    const [text, expected] = sources[language]
    const root = (await loadParser(language))(language, text)
    const found = definitionsOf(root, language).map(({ kind, name }) => `${kind} ${name}`)
    expect([language, found.join(', ')]).toEqual([language, expected])
    const calls = callsOf(root, language, new Set(['d', 'D']))
    expect([language, calls.length > 0]).toEqual([language, true])
  }
})

const files = {
  'src/store.ts':
    '/** Keeps. */\nexport class Store {\n  private count = 0\n  readValues(path: string): string[] {\n    return [path]\n  }\n}\nfunction private1() {}\n',
  'src/parse.ts':
    "import { Store } from './store.ts'\nexport const parseValue = (text: string): number => Number(text)\nnew Store().readValues('a')\n",
  'src/cli.ts':
    "import { Store } from './store.ts'\nimport { parseValue } from './parse.ts'\n// parseNothing is only in a comment\nexport function main() {\n  parseValue(new Store().readValues('x')[0])\n}\n",
  'lib/twin.ts': 'export function parseValue() {}\n',
  'src/nothing.ts': 'export function parseNothing() {}\n',
  'page.vue': '<script lang="ts">\nfunction setup(): void {}\n</script>\n',
  'tool.py': 'def run_tool(a,\n             b):\n    pass\n',
  'dist/gen.js': '// @generated\nfunction generated() {}\n',
}

function place() {
  const root = tempFolder('map')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return (...args: string[]) => {
    const { code, stdout, stderr } = run('deepscan', ['symbols', ...args], { cwd: root })
    return { code, stdout, stderr }
  }
}

test('symbols maps a tree: what others refer to comes first, by file and line, in a budget of tokens', () => {
  const symbols = place()
  expect(symbols('--tokens', '48')).toEqual({
    code: 0,
    stdout: [
      'src/store.ts',
      '     2  class Store',
      '     4    readValues(path: string): string[]',
      'src/parse.ts',
      '     2  parseValue = (text: string): number',
      '',
    ].join('\n'),
    stderr: '3 of 9 symbols in 7 files\n',
  })
  const { stdout } = symbols('--jsonl')
  const found = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => symbolSchema.parse(JSON.parse(line)))
  expect(found.map(({ name }) => name).slice(3)).toEqual([
    'parseValue',
    'setup',
    'main',
    'parseNothing',
    'private1',
    'run_tool',
  ])
  expect(found.map(({ rank }) => rank > 0)).toEqual([true, true, true, false, false, false, false, false, false])
  expect(found.find(({ name }) => name === 'run_tool')).toMatchObject({
    path: 'tool.py',
    line: 1,
    end_line: 3,
    signature: 'def run_tool(a, b)',
  })
  expect(found.find(({ name }) => name === 'setup')).toMatchObject({
    path: 'page.vue',
    line: 2,
    end_line: 2,
    language: 'vue',
  })
  expect(JSON.parse(symbols('--json').stdout)).toEqual(found)
  expect(symbols('--jsonl').stdout).toBe(stdout)
  const schema = z.fromJSONSchema(JSON.parse(run('deepscan', ['schema', 'symbol'], { cwd: tempFolder() }).stdout))
  for (const symbol of found) expect(schema.safeParse(symbol).success).toBe(true)
})

test('symbols has what matters to a file in focus, all signatures, and no focus outside of the tree', () => {
  const symbols = place()
  expect(symbols('--focus', 'src/parse.ts', '--quiet').stdout.split('\n').slice(0, 2)).toEqual([
    'src/store.ts:4',
    'src/store.ts:2',
  ])
  const compressed = symbols('--compress', 'src')
  expect(compressed.stdout).toBe(
    [
      ...['src/cli.ts', '     4  function main()', 'src/nothing.ts', '     1  function parseNothing()'],
      ...['src/parse.ts', '     2  parseValue = (text: string): number'],
      ...[
        'src/store.ts',
        '     2  class Store',
        '     4    readValues(path: string): string[]',
        '     8  function private1()',
        '',
      ],
    ].join('\n'),
  )
  expect(symbols('src', '--focus', 'tool.py')).toEqual({
    code: 3,
    stdout: '',
    stderr: 'deepscan: tool.py is no source file below src; name a source file below the paths that are mapped\n',
  })
  expect(symbols('nowhere')).toMatchObject({ code: 3, stdout: '' })
  expect(symbols('src/nothing.ts', '--focus', 'src/nothing.ts')).toEqual({
    code: 0,
    stdout: '',
    stderr: '0 of 0 symbols in 1 file\n',
  })
})
