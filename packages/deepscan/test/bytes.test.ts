import { scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mendSource } from '../src/fix/mend.ts'
import { rules } from '../src/rules/all.ts'
import { scanSource } from '../src/scan/scan.ts'
import type { RuledLanguage } from '../src/syntax/language.ts'
import { loadParser } from '../src/syntax/parser.ts'
import { decodeSource, encodeSource } from '../src/text/source-text.ts'
import { allCases, languageOfCases } from './cases/all.ts'
import { scanned } from './scanned.ts'

const parse = await loadParser('python')

type Planted = { rule: string; language: RuledLanguage; before: string; after: string }

const planted: readonly Planted[] = Object.entries(allCases).flatMap(([rule, { mended }]) =>
  (mended ?? []).map(([before, after]) => ({ rule, language: languageOfCases(rule), before, after }) as const),
)

/**
 * Comments only, so that the planted defect is the only one; each with something that shifts bytes, units or columns.
 */
const comments = [
  '',
  'plain',
  'é ü',
  '😀😀',
  'a\tb',
  '\u2028\u2029',
  '\u0085',
  `long ${'x'.repeat(20_000)}`,
  'deepscan-ignored',
]

type Around = { mark: boolean; newline: string; above: string[]; below: string[]; endsInNewline: boolean }

const around: fc.Arbitrary<Around> = fc.record({
  mark: fc.boolean(),
  newline: fc.constantFrom('\n', '\r\n'),
  above: fc.array(fc.constantFrom(...comments), { maxLength: 6 }),
  below: fc.array(fc.constantFrom(...comments), { maxLength: 6 }),
  endsInNewline: fc.boolean(),
})

function frame({ language }: Planted, code: string, { mark, newline, above, below, endsInNewline }: Around) {
  const sign = ['python', 'bash'].includes(language) ? '# ' : '// '
  const lines = [
    ...above.map((text) => sign + text),
    ...code.replaceAll('\r\n', '\n').split('\n'),
    ...below.map((text) => sign + text),
  ]
  return (mark ? '\uFEFF' : '') + lines.join(newline) + (endsInNewline ? newline : '')
}

test('a rewrite removes exactly the finding and leaves every other byte as it was', () => {
  fc.assert(
    fc.property(fc.constantFrom(...planted), around, (plant, surroundings) => {
      const bytes = Buffer.from(frame(plant, plant.before, surroundings))
      const source = decodeSource(bytes)
      const { matches } = scanned(scanSource(parse, { path: 'a', language: plant.language, text: source.text }, rules))
      expect(matches.map(({ finding }) => finding.rule)).toEqual([plant.rule])
      const finding = matches[0]?.finding
      if (finding === undefined) throw new Error('no finding')
      const mended = mendSource(parse, { path: 'a', language: plant.language, text: source.text }, finding, {
        withOffers: true,
      })
      expect(encodeSource(source, mended.text).equals(Buffer.from(frame(plant, plant.after, surroundings)))).toBe(true)
    }),
    { numRuns: scaled(3_000) },
  )
})

test('the quote of a finding stands at its line and column, counted from the bytes of the file', () => {
  fc.assert(
    fc.property(fc.constantFrom(...planted), around, (plant, surroundings) => {
      const bytes = Buffer.from(frame(plant, plant.before, surroundings))
      const { text } = decodeSource(bytes)
      const { matches } = scanned(scanSource(parse, { path: 'a', language: plant.language, text }, rules))
      for (const { finding } of matches) expect(quoteInBytes(bytes, finding)).toBe(finding.quote)
      expect(matches.length).toBe(1)
    }),
    { numRuns: scaled(3_000) },
  )
})

/** Goes by the bytes alone: lines end at 0x0A, columns are UTF-16 units of the line. */
function quoteInBytes(
  bytes: Buffer,
  at: { line: number; column: number; end_line: number; end_column: number },
): string {
  const start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  const lines: string[] = []
  let from = start
  for (let i = start; i <= bytes.length; i++) {
    if (i < bytes.length && bytes[i] !== 0x0a) continue
    lines.push(bytes.subarray(from, i).toString('utf8'))
    from = i + 1
  }
  const quoted = lines.slice(at.line - 1, at.end_line)
  const last = quoted.length - 1
  return quoted
    .map((line, i) => line.slice(i === 0 ? at.column - 1 : 0, i === last ? at.end_column - 1 : undefined))
    .join('\n')
}

test('bytes that are no UTF-8 survive a rewrite beside them', () => {
  const bytes = Buffer.concat([
    Buffer.from('// '),
    Buffer.from([0xff, 0xc3, 0x28, 0xe9]),
    Buffer.from('\nif (x === NaN) f()\n'),
  ])
  const source = decodeSource(bytes)
  const { matches } = scanned(scanSource(parse, { path: 'a', language: 'javascript', text: source.text }, rules))
  const finding = matches[0]?.finding
  if (finding === undefined) throw new Error('no finding')
  const { text } = mendSource(parse, { path: 'a', language: 'javascript', text: source.text }, finding)
  const expected = Buffer.concat([bytes.subarray(0, 8), Buffer.from('if (Number.isNaN(x)) f()\n')])
  expect(encodeSource(source, text).equals(expected)).toBe(true)
})

test('a file of any bytes is decoded and encoded to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const source = decodeSource(bytes)
      expect(encodeSource(source, source.text).equals(bytes)).toBe(true)
    }),
    { numRuns: scaled(2_000) },
  )
})
