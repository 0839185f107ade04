import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellsOf, clip, inCells, wrap } from '../src/cells.ts'
import { keyDecoder, type Typed } from '../src/terminal/keys.ts'
import { changes } from '../src/terminal/screen.ts'
import { cellsOfLine, clipLine, fitLine, paintLine, textOfLine } from '../src/terminal/styled.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '漢', '👩‍👩‍👧', 'e\u0301', '🇩🇪', '\u200d', '\t', '\n', '\u001b[31m', '\ud800'),
  }),
)

describe('cells', () => {
  it.each([
    ['plain', 5],
    ['漢字', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['☎\ufe0f', 2],
    ['🇩🇪', 2],
    ['한글', 4],
    ['', 0],
    ['─●○◌✓✗■▼▶…·↵ é', 14],
    ['◽', 2],
    ['↔\ufe0f', 2],
    ['✓\u0301x', 2],
  ])('of %j are counted by what is seen', (text, cells) => {
    expect(cellsOf(text)).toBe(cells)
  })

  it('never hold what a terminal acts on', () => {
    expect(inCells('a\u001b[2Jb\u0007\nc\td\u202e')).toBe('ab c d')
    fc.assert(fc.property(anyText, (text) => !/[\0-\u001f\u007f-\u009f\u2028\u2029]/.test(inCells(text))))
  })

  it('are never more than asked for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(12), (text, cells) => {
        expect(cellsOf(clip(inCells(text), cells))).toBeLessThanOrEqual(cells)
      }),
    )
  })

  it('show that something was left out', () => {
    expect(clip('abcdef', 4)).toBe('abc…')
    expect(clip('漢字漢字', 4)).toBe('漢…')
    expect(clip('abcd', 4)).toBe('abcd')
    expect(clip('abcd', 0)).toBe('')
  })

  it('are wrapped between words, and within one that is too long', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrap('a\n\nb', 9)).toEqual(['a', '', 'b'])
    expect(wrap('漢字漢', 1)).toEqual(['漢', '字', '漢'])
  })

  it('of wrapped text lose no word', () => {
    const words = (text: string) => text.replace(/\s+/g, '')
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '漢', '\n') }),
        fc.integer({ min: 2, max: 9 }),
        (text, cells) => {
          const lines = wrap(text, cells)
          expect(words(lines.join(''))).toBe(words(text))
          for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(cells)
        },
      ),
    )
  })
})

describe('a line', () => {
  it('is as wide as asked for, whatever its pieces hold', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: anyText })), fc.nat(20), (line, cells) => {
        expect(cellsOfLine(fitLine(line, cells))).toBe(cells)
      }),
    )
  })

  it('says at its end that a later piece was left out', () => {
    expect(textOfLine(clipLine([{ text: 'abcd' }, { text: 'e' }], 4))).toBe('abc…')
    expect(textOfLine(clipLine([{ text: 'abcd' }, { text: '' }], 4))).toBe('abcd')
  })

  it('keeps its weights without colours', () => {
    const line = [{ text: 'a', style: 'red' }, { text: 'b', style: 'inverse' }, { text: 'c' }] as const
    expect(paintLine(line, true)).toBe('\u001b[31ma\u001b[0m\u001b[7mb\u001b[0mc')
    expect(paintLine(line, false)).toBe('a\u001b[7mb\u001b[0mc')
  })
})

describe('keys', () => {
  const decodeAll = (...chunks: readonly (string | Uint8Array)[]): Typed[] => {
    const decoder = keyDecoder()
    return [...chunks.flatMap((chunk) => decoder.decode(Buffer.from(chunk))), ...decoder.rest()]
  }
  const keysOf = (...chunks: readonly (string | Uint8Array)[]) =>
    decodeAll(...chunks).map((typed) => ('key' in typed ? typed.key : `pasted ${typed.pasted}`))

  it('are named', () => {
    expect(keysOf('aZ漢👩\r\t\u007f\u0003')).toEqual(['a', 'Z', '漢', '👩', 'enter', 'tab', 'backspace', 'ctrl-c'])
    expect(keysOf('\u001b[A\u001bOB\u001b[1;2C\u001b[5~\u001b[H')).toEqual(['up', 'down', 'right', 'page-up', 'home'])
    expect(keysOf('\u001bx')).toEqual(['alt-x'])
  })

  it('are the same when they come in parts', () => {
    expect(keysOf('\u001b', '[', 'A')).toEqual(['up'])
    const bytes = Buffer.from('漢')
    expect(keysOf(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['漢'])
    expect(keysOf('\u001b[200~x', 'q\u001b[20', '1~c')).toEqual(['pasted xq', 'c'])
  })

  it('that are not known type nothing', () => {
    expect(keysOf('\u001b[24~\u001b[?1;2ca')).toEqual(['a'])
  })

  it('know a lone Escape by nothing following', () => {
    const decoder = keyDecoder()
    expect(decoder.decode(Buffer.from('\u001b'))).toEqual([])
    expect(decoder.isWaiting()).toBe(true)
    expect(decoder.rest()).toEqual([{ key: 'escape' }])
  })

  it('come of any bytes without an end or an error', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (chunks) => {
        const decoder = keyDecoder()
        for (const chunk of chunks) decoder.decode(chunk)
        decoder.rest()
      }),
    )
  })
})

describe('a drawing', () => {
  it('writes only the lines that changed', () => {
    expect(changes(['a', 'b', 'c'], ['a', 'x'], 3)).toBe('\u001b[2;1H\u001b[2Kx\u001b[3;1H\u001b[2K')
    expect(changes(['a'], ['a'], 3)).toBe('')
  })
})
