import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendLine, appendLines, checkLog, parseRecord, readLines, readLinesBackwards } from '../src/index.ts'

let files = 0
const folder = tempFolder('append')
function freshPath(): string {
  files += 1
  return join(folder, `${files}.jsonl`)
}

const textsOf = (path: string) => [...readLines(path)].map((line) => line.text)

describe('appendLine', () => {
  it('makes the file and returns where the line lies', () => {
    const path = freshPath()
    expect(appendLine(path, '{"id":"a"}')).toMatchObject({ offset: 0, end: 11 })
    expect(appendLine(path, Buffer.from('{"id":"ä"}'))).toMatchObject({ offset: 11, end: 23 })
    expect(readFileSync(path, 'utf8')).toBe('{"id":"a"}\n{"id":"ä"}\n')
  })

  it('ends a torn last line before it writes its own', () => {
    const path = freshPath()
    writeFileSync(path, '{"id":"a"')
    expect(appendLine(path, '{"id":"b"}')).toMatchObject({ offset: 10, end: 21 })
    expect(readFileSync(path, 'utf8')).toBe('{"id":"a"\n{"id":"b"}\n')
  })

  it('finds its own line and not one that contains it', () => {
    const path = freshPath()
    appendLine(path, 'x {"id":"a"}')
    expect(appendLine(path, '{"id":"a"}')).toMatchObject({ offset: 13, end: 24 })
  })

  it.each(['', ' ', '\r', '\t \r'])('refuses the blank line %j, which readers would skip', (line) => {
    const path = freshPath()
    expect(() => appendLine(path, line)).toThrow(`a line was expected for ${path}, got a blank one`)
    expect(existsSync(path)).toBe(false)
  })

  it('refuses a line with a line feed', () => {
    const path = freshPath()
    expect(() => appendLine(path, '{}\n{}')).toThrow(`one line was expected for ${path}, got several`)
    expect(existsSync(path)).toBe(false)
  })

  it('leaves a missing folder to its caller', () => {
    expect(() => appendLine(join(folder, 'missing', 't.jsonl'), '{}')).toThrow('ENOENT')
  })

  it('names the path when there is a folder in its place', () => {
    const path = freshPath()
    mkdirSync(path)
    expect(() => appendLine(path, '{}')).toThrow(`3 bytes were to be appended to ${path}, the disk answered EISDIR`)
  })
})

describe('appendLines', () => {
  it('writes a batch as neighbours and returns where each lies', () => {
    const path = freshPath()
    writeFileSync(path, 'torn')
    const [first, second] = appendLines(path, ['{"id":"a"}', '{"id":"bb"}'])
    expect(first).toMatchObject({ offset: 5, end: 16 })
    expect(second).toMatchObject({ offset: 16, end: 28 })
    expect(readFileSync(path, 'utf8')).toBe('torn\n{"id":"a"}\n{"id":"bb"}\n')
  })

  it('writes nothing for an empty batch, and nothing when one line is bad', () => {
    const path = freshPath()
    expect(appendLines(path, [])).toEqual([])
    expect(() => appendLines(path, ['{}', 'a\nb'])).toThrow('got several')
    expect(existsSync(path)).toBe(false)
  })
})

const json = fc.dictionary(
  fc.string({ unit: 'binary' }),
  fc.jsonValue({ stringUnit: 'binary', noUnicodeString: false }),
  { maxKeys: 4 },
)
const oddText = fc
  .array(
    fc.constantFrom('\u2028', '\u2029', '\ud800', '\udc00', '\r\n', '\n', '\u0000', '\ufeff', 'a', '"', '\\', '😀'),
  )
  .map((parts) => parts.join(''))

describe('what is appended', () => {
  it('comes back the same, forwards and backwards, whatever text it holds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.uuid(), body: fc.oneof(oddText, fc.string({ unit: 'binary' })), data: json }), {
          maxLength: 8,
        }),
        (records) => {
          const path = freshPath()
          const written = records.map((record) => JSON.stringify(record))
          const positions = written.map((line) => appendLine(path, line, { durable: false }))
          const lines = [...readLines(path)]
          expect(lines.map(({ text }) => text)).toEqual(written)
          expect(lines.map(parseRecord)).toEqual(written.map((line) => JSON.parse(line)))
          expect(lines.map(({ inode, offset, end }) => ({ inode, offset, end }))).toEqual(positions)
          expect([...readLinesBackwards(path)].reverse()).toEqual(lines)
        },
      ),
      { numRuns: 200 },
    )
  })

  it.each([
    ['10 MB', 'x'.repeat(10_000_000)],
    ['just a block', 'x'.repeat(65_536 - 12)],
    ['a block and one byte', 'x'.repeat(65_536 - 11)],
    ['two-byte characters across blocks', 'ä'.repeat(100_001)],
    ['four-byte characters across blocks', '😀'.repeat(50_001)],
  ])('comes back the same with a line of %s', (_, body) => {
    const path = freshPath()
    const lines = [JSON.stringify({ id: 'a' }), JSON.stringify({ body }), JSON.stringify({ id: 'b' })]
    for (const line of lines) appendLine(path, line)
    expect(textsOf(path)).toEqual(lines)
    expect([...readLinesBackwards(path)].map((line) => line.text)).toEqual([...lines].reverse())
  })
})

describe('a log cut off at any byte', () => {
  it('keeps the lines before, and the next append makes it whole again', () => {
    const records = [
      '{"id":"1","body":"ä\\"}{"}',
      '{"id":"2","n":[-1.5e3,true,null,{}]}',
      '{"id":"3","body":"\\u00e4😀"}',
    ]
    const whole = `${records.join('\n')}\n`
    const bytes = Buffer.from(whole)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const path = freshPath()
      const rest = bytes.subarray(0, cut)
      writeFileSync(path, rest)
      const complete = whole.slice(
        0,
        rest.lastIndexOf(10) + 1 === 0 ? 0 : rest.subarray(0, rest.lastIndexOf(10) + 1).toString().length,
      )
      const before = complete.split('\n').slice(0, -1)
      const isTorn = cut > 0 && rest[cut - 1] !== 10
      expect(textsOf(path)).toEqual(before)
      expect(checkLog(path)).toEqual({
        lines: before.length + Number(isTorn),
        records: before.length,
        torn: Number(isTorn),
        duplicates: 0,
        corrupt: [],
      })
      appendLine(path, '{"id":"next"}', { durable: false })
      const after = textsOf(path)
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after.at(-1)).toBe('{"id":"next"}')
      expect(after.length).toBe(before.length + Number(isTorn) + 1)
      expect(checkLog(path).corrupt).toEqual([])
    }
  })

  it('is sound after any mixture of torn, glued and whole lines of several writers', () => {
    const record = fc
      .record({ id: fc.uuid(), body: fc.string({ unit: 'binary' }), data: json })
      .map((value) => JSON.stringify(value))
    const written = fc.record({
      line: record,
      cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      glued: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), (writes) => {
        const path = freshPath()
        writeFileSync(path, '')
        const acknowledged: string[] = []
        for (const { line, cut, glued } of writes) {
          if (cut === null) {
            appendLine(path, line, { durable: false })
            acknowledged.push(line)
          } else {
            // Killed within its write; `glued`: it had looked at the last byte before another writer tore the line.
            const bytes = Buffer.from(`${line}\n`)
            const part = bytes.subarray(0, Math.floor(cut * bytes.length))
            const endsWell = readFileSync(path).at(-1) === 10 || readFileSync(path).length === 0
            writeFileSync(path, glued || endsWell ? part : Buffer.concat([Buffer.from('\n'), part]), { flag: 'a' })
          }
        }
        const texts = textsOf(path)
        expect(texts.filter((text) => acknowledged.includes(text))).toEqual(acknowledged)
        expect(checkLog(path)).toMatchObject({ duplicates: 0, corrupt: [] })
      }),
      { numRuns: 300 },
    )
  })
})
