import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hearIn, wordsOf } from '../src/state/said.ts'

const saidIn = (text: string) => hearIn(text)?.said

const line = '<loop-done>done</loop-done>'

describe('what an agent says of its work', () => {
  it.each([
    ['', undefined],
    [line, 'done'],
    [`${line}\r\n`, 'done'],
    [`so\n${line}  \nand more`, 'done'],
    ['<loop-done>COMPLETE</loop-done>', 'done'],
    ['<loop-done> stuck </loop-done>', 'stuck'],
    ['<loop-done>MAX_ITERATIONS</loop-done>', 'limit'],
    ['<loop-done>nothing to do</loop-done>', 'nothing'],
    [`<loop-done>stuck</loop-done>\n${line}`, 'done'],
    ['  <loop-done>COMPLETE</loop-done>', 'done'],
    [`\t ${line}`, 'done'],
    ['<loop-done>Stuck: no credentials</loop-done>', 'stuck'],
    ['<loop-done>nothing</loop-done>', 'nothing'],
    ['<loop-done>limit reached</loop-done>', 'limit'],
    ['<loop-done>FAILED</loop-done>', undefined],
    ['<loop-done>INCOMPLETE</loop-done>', undefined],
    ['<loop-done>not done</loop-done>', undefined],
    ['<loop-done>done-ish</loop-done>', undefined],
    ['<loop-done></loop-done>', undefined],
    [`${line}\n<loop-done>no</loop-done>`, undefined],
    [`> ${line}`, undefined],
    [`\`${line}\``, undefined],
    [`I will say ${line} then`, undefined],
    [`\`\`\`\n${line}\n\`\`\``, undefined],
    [`\`\`\`\n${line}\n\`\`\`\n${line}`, 'done'],
    [`~~~~ md\n~~~\n${line}\n~~~~`, undefined],
    [`\`\`\`\`\n\`\`\`\n${line}`, undefined],
    [`\`\`\` a\`b\n${line}`, 'done'],
    ['<loop-done>', undefined],
  ])('%j is %s', (text, said) => {
    expect(saidIn(text)).toBe(said)
  })

  it.each([
    ['done', 'stuck: no key', { said: 'stuck', why: 'no key' }],
    ['failed', 'stuck — no key', { said: 'stuck', why: 'no key' }],
    ['failed', 'done', { said: 'failed' }],
    ['failed', 'nothing', { said: 'failed' }],
    ['timeout', 'done', { said: 'timeout' }],
    ['timeout', 'stuck', { said: 'timeout' }],
    ['nothing', 'done', { said: 'done' }],
    ['done', 'BLOCKED', { said: 'quiet', unknown: 'BLOCKED' }],
    ['nothing', 'constructor', { said: 'quiet', unknown: 'constructor' }],
    ['failed', 'BLOCKED', { said: 'failed', unknown: 'BLOCKED' }],
  ] as const)('a turn that ended as %s and says %s is %j', (ended, words, said) => {
    expect(wordsOf(ended, hearIn(`<loop-done>${words}</loop-done>`))).toEqual(said)
  })

  it('never depends on the text around a line that stands alone', () => {
    const prose = fc.string().filter((text) => !/[`~<]/.test(text))
    fc.assert(fc.property(prose, prose, (before, after) => saidIn(`${before}\n${line}\n${after}`) === 'done'))
  })

  it('is never found in a fence, whatever is in there', () => {
    const inner = fc.array(
      fc.oneof(
        fc.constant(line),
        fc.string().filter((text) => !/[`\n\r]/.test(text)),
      ),
    )
    fc.assert(fc.property(inner, (lines) => saidIn(['```', ...lines, '```'].join('\n')) === undefined))
  })

  it('is read from any text without failing', () => {
    const piece = fc.constantFrom(line, '```', '~~~', '\n', '> ', ' ', '<loop-done>', '</loop-done>', 'x', '\r\n')
    fc.assert(fc.property(fc.array(piece), (pieces) => [undefined, 'done'].includes(saidIn(pieces.join('')))))
  })
})
