import { describe, expect, it } from 'vitest'
import type { OutputMode } from '../src/context.ts'
import { openOutput } from '../src/output.ts'

const shown = { text: (value: string) => value, id: (value: string) => `id of ${value}` }

function output(mode: OutputMode, isTerminal: boolean, env: Record<string, string> = {}) {
  const written = { out: '', err: '' }
  const sink = (name: 'out' | 'err') => ({
    isTerminal,
    write: (text: string | Uint8Array) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
    },
  })
  return { ...written, output: openOutput(mode, env, sink('out'), sink('err')), written }
}

it('keeps a remark on one line, whatever is quoted in it', () => {
  const { output: to, written } = output('text', false)
  to.note('a.txt\n jwz: posted is not here')
  expect(written.err).toBe('a.txt jwz: posted is not here\n')
})

describe('on a terminal', () => {
  const printed = (text: string, env: Record<string, string> = {}) => {
    const { output: to, written } = output('text', true, env)
    to.one(text, shown)
    return written.out
  }

  it.each([
    ['a cursor movement', 'a\u001b[2Jb', 'ab\n'],
    ['a window title', 'a\u001b]0;title\u0007b', 'ab\n'],
    ['a title ended by ST', 'a\u001b]0;title\u001b\\b', 'ab\n'],
    ['the start of a title that would swallow what follows', 'a\u001b]0;b\nc', 'a0;b\nc\n'],
    ['a lone escape', 'a\u001b', 'a\n'],
    ['a charset choice', 'a\u001b(0b', 'ab\n'],
    ['a carriage return and a backspace', 'a\rb\u0008c', 'abc\n'],
    ['DEL and C1 controls', 'a\u007fb\u009b31mc', 'ab31mc\n'],
    ['marks of direction', 'a\u202eb\u2066c\u200f', 'abc\n'],
  ])('drops %s', (_, text, expected) => {
    expect(printed(text)).toBe(expected)
  })

  it('keeps lines, tabs, letters of all kinds and our own colours', () => {
    expect(printed('a\tb\nñ漢👍\n')).toBe('a\tb\nñ漢👍\n')
    expect(printed('\u001b[32mgreen\u001b[39m \u001b[1mbold\u001b[0m')).toBe(
      '\u001b[32mgreen\u001b[39m \u001b[1mbold\u001b[0m\n',
    )
    expect(printed('\u001b[8mhidden\u001b[38;5;0mblack')).toBe('hiddenblack\n')
  })

  it.each([
    ['left open', '\u001b[31mred', 'red\n'],
    ['that ends on another line', '\u001b[31mred\nmore\u001b[0m', 'red\nmore\n'],
    ['whose end is that of a weight', '\u001b[31mred\u001b[22m', 'red\n'],
    ['left open before one of ours', '\u001b[31mred \u001b[1mbold\u001b[22m', 'red \u001b[1mbold\u001b[22m\n'],
    ['with more inside', '\u001b[1mbo\u0007\u202eld\u001b[0m', '\u001b[1mbold\u001b[0m\n'],
  ])('paints nothing behind it with a colour %s', (_, text, expected) => {
    expect(printed(text)).toBe(expected)
  })

  it('drops colours too with NO_COLOR or a dumb terminal', () => {
    expect(printed('\u001b[32mgreen', { NO_COLOR: '1' })).toBe('green\n')
    expect(printed('\u001b[32mgreen', { TERM: 'dumb' })).toBe('green\n')
  })

  it('has colour unless NO_COLOR is set to something', () => {
    expect(output('text', true).output.color).toBe(true)
    expect(output('text', true, { NO_COLOR: '' }).output.color).toBe(true)
    expect(output('text', true, { NO_COLOR: '0' }).output.color).toBe(false)
    expect(output('text', false).output.color).toBe(false)
  })

  it('writes JSON of the same value, with escapes for what would act', () => {
    const { output: to, written } = output('json', true)
    to.one('a\u009b2J\u202e\u001b[31m', shown)
    expect(written.out).toBe('"a\\u009b2J\\u202e\\u001b[31m"\n')
    expect(JSON.parse(written.out)).toBe('a\u009b2J\u202e\u001b[31m')
  })

  it('cleans remarks as well', () => {
    const { output: to, written } = output('text', true)
    to.note('a\u001b[2Jb')
    expect(written.err).toBe('ab\n')
  })
})

describe('a stream', () => {
  it.each([
    ['text', 'a\nb\n'],
    ['json', '"a"\n"b"\n'],
    ['jsonl', '"a"\n"b"\n'],
    ['quiet', 'id of a\nid of b\n'],
  ] as const)('is printed at once, element by element, as %s', (mode, expected) => {
    const { output: to, written } = output(mode, false)
    to.each('a', shown)
    to.each('b', shown)
    expect(written.out).toBe(expected)
  })
})

describe('a text', () => {
  it('gets the LF that it lacks and no second one; an empty one prints nothing', () => {
    const { output: to, written } = output('text', false)
    to.one('a', shown)
    to.one('b\n', shown)
    to.one('', shown)
    expect(written.out).toBe('a\nb\n')
  })
})
