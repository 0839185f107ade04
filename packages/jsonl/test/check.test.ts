import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCutLine } from '../src/cut-line.ts'
import { checkLog, parseRecord, readLines } from '../src/index.ts'

const path = join(tempFolder('check'), 't.jsonl')
function check(content: string | Buffer) {
  writeFileSync(path, content)
  return checkLog(path)
}

describe('checkLog', () => {
  it('finds a missing log and an empty one sound', () => {
    const sound = { lines: 0, records: 0, torn: 0, duplicates: 0, corrupt: [] }
    expect(checkLog(join(path, '..', 'missing.jsonl'))).toEqual(sound)
    expect(check('')).toEqual(sound)
    expect(check('\n\r\n  \n')).toEqual(sound)
  })

  it('counts records, repetitions and torn lines', () => {
    const content = '{"id":"a"}\n{"id":"a"}\n{"note":1}\r\n{"note":1}\n{"id":"b","bo\n{"id":"b"'
    expect(check(content)).toEqual({ lines: 6, records: 3, torn: 2, duplicates: 1, corrupt: [] })
  })

  it('counts a record glued to a torn line as torn', () => {
    expect(check('{"id":"a","bo{"id":"b"}\n{"id":"b"}\n')).toEqual({
      lines: 2,
      records: 1,
      torn: 1,
      duplicates: 0,
      corrupt: [],
    })
  })

  it('names file, line and offset of what is corrupt', () => {
    const lines = [
      '{"id":"a"}',
      '',
      '<<<<<<< HEAD',
      '{"id":"b"}',
      '=======',
      '>>>>>>> other',
      'hello',
      '[1]',
      '{"id":"a","x":1}',
      '{"a":1}}',
    ]
    const { corrupt, ...counts } = check(`${lines.join('\n')}\n`)
    expect(counts).toEqual({ lines: 9, records: 2, torn: 0, duplicates: 0 })
    expect(corrupt).toEqual([
      { file: path, line: 3, offset: 12, reason: 'a conflict marker of version control' },
      { file: path, line: 5, offset: 36, reason: 'a conflict marker of version control' },
      { file: path, line: 6, offset: 44, reason: 'a conflict marker of version control' },
      { file: path, line: 7, offset: 58, reason: 'not JSON' },
      { file: path, line: 8, offset: 64, reason: 'a JSON object was expected, got another JSON value' },
      { file: path, line: 9, offset: 68, reason: `id a was used before with other content, at ${path}:1` },
      { file: path, line: 10, offset: 85, reason: 'not JSON' },
    ])
  })

  it('takes a record of more than 1000 levels for corrupt, which no reader is handed', () => {
    const nested = (levels: number) =>
      `{"text":"}]\\"}\\\\","data":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}\n`
    const path = join(tempFolder('deep'), 't.jsonl')
    writeFileSync(path, nested(1000) + nested(1001))
    expect(checkLog(path)).toMatchObject({
      records: 1,
      torn: 0,
      corrupt: [{ line: 2, reason: 'nested more than 1000 deep' }],
    })
    expect([...readLines(path)].map((line) => parseRecord(line) !== undefined)).toEqual([true, false])
  })

  it('takes a line cut inside a character for torn', () => {
    const bytes = Buffer.from('{"id":"ä"}')
    expect(check(Buffer.concat([bytes.subarray(0, 8), Buffer.from('\n{"id":"b"}\n')]))).toMatchObject({
      torn: 1,
      records: 1,
      corrupt: [],
    })
  })
})

describe('isCutLine', () => {
  it.each([
    '{"a":tru',
    '{"a":-',
    '{"a":1.',
    '{"a":1e+',
    '{"a":"\\u00',
    '{"a":"\\',
    '{',
    ' {"a"',
    '{"a":[[],{}',
    '{"a":1}',
    '{"a":{}}  ',
  ])('takes %j for cut off', (text) => {
    expect(isCutLine(text)).toBe(true)
  })

  it.each([
    'x',
    '[1',
    '"a',
    '{a',
    '{"a" 1',
    '{"a":01',
    '{"a":+1',
    '{"a":tree',
    '{"a":1,}',
    '{"a":[1,]',
    '{,',
    '{"a":"\\x',
    '{"a":"\u0001',
    '}',
    '{"a":1}x',
  ])('does not take %j for cut off', (text) => {
    expect(isCutLine(text)).toBe(false)
  })

  it('takes every beginning of every JSON object for cut off, also several in a row', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }), {
      minKeys: 1,
      maxKeys: 4,
    })
    const beginning = fc.tuple(object, fc.double({ min: 0, max: 1, noNaN: true })).map(([value, share]) => {
      const text = JSON.stringify(value)
      return text.slice(0, 1 + Math.floor(share * text.length))
    })
    fc.assert(
      fc.property(fc.array(beginning, { minLength: 1, maxLength: 4 }), (beginnings) => {
        expect(isCutLine(beginnings.join(''))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(['{"a":tr{', '{"a":-{', '{"a":1.{', '{"a\\{', '{"a\\u0{', '{"a":0{"b":1}', '{"a":1}{"b'])(
    'takes %j for two beginnings',
    (text) => {
      expect(isCutLine(text)).toBe(true)
    },
  )

  it('stays cheap on hostile lines', () => {
    expect(isCutLine(`${'{'.repeat(2_000_000)}x`)).toBe(false)
    expect(isCutLine(`{"a":${'['.repeat(2_000_000)}`)).toBe(true)
  })
})
