import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutLines, cutText, type Limit } from '../src/chunk/cut-text.ts'
import { describePieces } from '../src/chunk/describe.ts'
import { fixedChunks } from '../src/chunk/fixed.ts'
import { packFiles } from '../src/chunk/pack.ts'
import { languageOf } from '../src/syntax/language.ts'
import { loadParser } from '../src/syntax/parser.ts'

const parse = await loadParser('python')
const parsed = ['typescript', 'javascript', 'python', 'rust', 'bash'] as const
const characters = (size: number): Limit => ({ unit: 'characters', size })

function cut(path: string, text: string, limit: Limit) {
  const language = languageOf(path) ?? null
  const grammar = parsed.find((each) => each === language)
  return cutText(text, { language, root: grammar && parse(grammar, text), limit })
}

const textsOf = (path: string, text: string, size: number) =>
  cut(path, text, characters(size)).pieces.map(({ start, end }) => text.slice(start, end))

test('a source is cut between declarations, with the comments above and the signs behind them', () => {
  const source = [
    "import { a, b, c } from './somewhere'\n\n",
    '// What f does.\nfunction f() {\n  return a\n}\n\n',
    '/** A class. */\nclass A {\n  one() {\n    return 1\n  } // the end of one\n\n',
    '  // the second\n  two() {\n    return 2\n  }\n}\n',
  ]
  expect(textsOf('a.ts', source.join(''), 80)).toEqual(source)
})

test('Markdown is cut before headings and not inside fenced code, JSON between members, other texts by their layout', () => {
  const markdown = ['# A\n\nText.\n\n', '## B\n```sh\n# no heading\n```\n', '## C\nmore\n']
  expect(textsOf('a.md', markdown.join(''), 33)).toEqual(markdown)
  const json = ['{"a": {\n  "b": [1, "],{",', ' {"c": 2}],\n', '  "d": "\\\\\\"",\n', '  "e": {}}}\n']
  expect(textsOf('a.json', json.join(''), 25)).toEqual(json)
  const yaml = ['# top\na:\n  b: 1\n', 'c:\n  - d\n  - e\n', 'f: 1\n']
  expect(textsOf('a.yaml', yaml.join(''), 18)).toEqual(yaml)
  const lines = ['a\n\n', 'b\nc\n\n', 'dddddddddd\n']
  expect(textsOf('a.txt', lines.join(''), 11)).toEqual(['a\n\nb\nc\n\n', 'dddddddddd\n'])
})

test('a piece inside a class has its signature and the imports of the file as its header', () => {
  const body = (name: string) => `    def ${name}(self):\n        return ${"'x' * 10 + ".repeat(4)}''\n\n`
  const text = `import os\nfrom a import (\n    b,\n)\n\n\nclass A(B):\n${['one', 'two', 'three', 'four'].map(body).join('')}`
  const { pieces, imports } = cut('a.py', text, characters(200))
  const bytes = Buffer.from(text)
  const file = { path: 'a.py', language: 'python', encoding: 'utf8' as const, mark: false, bytes, text }
  const described = describePieces(file, { pieces, imports }, 0)
  expect(described.map(({ header }) => header)).toEqual([
    null,
    'import os\nfrom a import ( b, )',
    'import os\nfrom a import ( b, )\nclass A(B):',
  ])
})

const word = fc.constantFrom(
  ...'{ } ( ) [ ] , ; : " \' ` # // /* */ def class if fn => = a 1 é 😀 \uFEFF\u2028'.split(' '),
  '# A',
  '```',
  '- ',
)
const blank = fc.constantFrom(' ', '  ', '\t', '\n', '\n\n', '\r\n', '\n    ', '')
const anyText = fc.array(fc.tuple(word, blank), { maxLength: 150 }).map((words) => words.flat().join(''))
const anyPath = fc.constantFrom('a.ts', 'a.py', 'a.rs', 'a.sh', 'a.md', 'a.json', 'a.yaml', 'a.txt', 'a')
const runs = { numRuns: scaled(1_000) }

test('put one after the other the pieces of any text are its bytes, and none is too large unless it says so', () => {
  const check = (path: string, text: string, size: number, isLines: boolean, encoding: 'utf8' | 'utf16le') => {
    const limit = characters(size)
    const { pieces, imports } = isLines ? cutLines(text, limit) : cut(path, text, limit)
    const bytes = Buffer.from(encoding === 'utf8' ? text : `\uFEFF${text}`, encoding)
    const file = { path, language: null, encoding, mark: encoding !== 'utf8', bytes, text }
    const described = describePieces(file, { pieces, imports }, 0)
    const spans = described.map(({ span }) => span)
    const between = (at: number) => bytes.subarray(spans[at]?.start_byte, spans[at]?.end_byte)
    expect(Buffer.concat(spans.map((_, at) => between(at)))).toEqual(text === '' ? bytes.subarray(0, 0) : bytes)
    let line = 1
    for (const [at, span] of spans.entries()) {
      expect(span.start_line).toBe(line)
      line += (between(at).toString(encoding).match(/\n/g) ?? []).length
      expect(span.end_line).toBe(between(at).toString(encoding).endsWith('\n') ? line - 1 : line)
    }
    for (const { characters, flags } of described) expect(characters <= size || flags.length > 0).toBe(true)
    for (const { start } of pieces)
      expect(text.slice(start - 1, start + 1)).not.toMatch(/^[\uD800-\uDBFF][\uDC00-\uDFFF]/)
  }
  const sizes = fc.integer({ min: 8, max: 120 })
  fc.assert(fc.property(anyPath, anyText, sizes, fc.boolean(), fc.constantFrom('utf8', 'utf16le'), check), runs)
})

test('a long line without a blank is cut between characters, not inside one', () => {
  for (const text of ['😀'.repeat(50), `a${'😀'.repeat(50)}`]) {
    const parts = textsOf('a.txt', text, 16)
    expect(parts.length).toBeGreaterThan(5)
    expect(parts.join('')).toBe(text)
    for (const part of parts) expect(Buffer.from(part).toString()).toBe(part)
  }
})

test('chunks of a fixed size hold every unit of all texts, each but the last exactly their size', () => {
  const check = (texts: readonly string[], size: number, part: number) => {
    const files = texts.map((text, at) => ({ path: String(at), text }))
    const overlap = Math.floor(size * part)
    const chunks = fixedChunks(files, { size, overlap }, ({ text }, start, end) => text.slice(start, end))
    const contents = [...chunks].map((pieces) => pieces.join(''))
    const whole = texts.join('')
    expect(contents.map((content, at) => (at === 0 ? content : content.slice(overlap))).join('')).toBe(whole)
    expect(contents.slice(0, -1).every(({ length }) => length === size)).toBe(true)
  }
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n') }), { maxLength: 8 })
  fc.assert(fc.property(texts, fc.integer({ min: 2, max: 12 }), fc.constantFrom(0, 0.3, 0.9), check), runs)
})

test('files of any tree are packed in their order, a folder together, and no chunk is too full', () => {
  const check = (shapes: readonly { path: string; shares: readonly number[] }[]) => {
    const paths = [...new Map(shapes.map((shape) => [shape.path, shape])).values()].sort((a, b) =>
      a.path < b.path ? -1 : 1,
    )
    const files = paths.map(({ path, shares }) => shares.map((share, at) => ({ path, share, at, isInside: at > 0 })))
    const packs = packFiles(files)
    expect(packs.flat()).toEqual(files.flat())
    for (const pack of packs) {
      const share = pack.reduce((sum, piece) => sum + piece.share, 0)
      expect(share <= 1.0001 || pack.length === 1).toBe(true)
      expect(pack.slice(1).some(({ isInside }) => isInside)).toBe(false)
    }
    expect(packs.length).toBeLessThanOrEqual(files.flat().length)
  }
  const name = fc.constantFrom('a', 'b', 'a-b', 'a.b', 'a0')
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `${names.join('/')}.x`)
  const shares = fc.array(fc.constantFrom(0.1, 0.4, 0.5, 1, 1.5), { minLength: 1, maxLength: 3 })
  fc.assert(fc.property(fc.array(fc.record({ path, shares }), { maxLength: 30 }), check), runs)
})

test('functions of published packages that fit into a chunk are whole, nearly all of them', () => {
  const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
  const sources = ['zod/v4/core', 'ignore', '@ast-grep/napi', 'fast-check/lib', 'zod/src/v4/core'].flatMap((folder) =>
    readdirSync(join(modules, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(js|cjs|ts)$/.test(entry.name))
      .map((entry) => readFileSync(join(modules, folder, entry.name), 'utf8')),
  )
  const kinds = ['function_declaration', 'method_definition', 'arrow_function', 'function_expression']
  let [whole, all, text] = [0, 0, 0]
  for (const source of sources.filter(({ length }) => length > 4_000)) {
    const root = parse('typescript', source)
    const { pieces } = cutText(source, { language: 'typescript', root, limit: characters(4_000) })
    expect(pieces.map(({ start, end }) => source.slice(start, end)).join('')).toBe(source)
    text += source.length
    for (const node of root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
      const { start, end } = node.range()
      if (end.index - start.index > 4_000) continue
      all++
      if (pieces.some((piece) => piece.start <= start.index && end.index <= piece.end)) whole++
    }
  }
  expect(text).toBeGreaterThan(500_000)
  expect(whole / all).toBeGreaterThan(0.99)
})
