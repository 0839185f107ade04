import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonObjects } from '../src/map/json-objects.ts'
import { locateQuote } from '../src/map/locate-quote.ts'
import { readAnswer } from '../src/map/read-answer.ts'

const asked = { id: '00112233aabbccdd', paths: new Set(['src/a.ts']) }
const finding = { title: 'Bad', severity: 'high', path: 'src/a.ts', line: 2, quote: 'eval(x)' }
const answer = (more: object = {}) => ({ chunk: asked.id, status: 'completed', findings: [finding], ...more })
const text = JSON.stringify(answer())

describe('an answer', () => {
  it.each([
    ['JSON alone', text],
    ['a fence', `Here you are:\n\`\`\`json\n${text}\n\`\`\`\nDone.`],
    ['a marker behind it (W24)', `${text}\nFINAL({"done": true})`],
    ['a marker around it', `FINAL(${text})`],
    ['a variable that has it', `result = ${text}\nFINAL_VAR(result)`],
    ['prose with braces before it', `In \`function f() { return {} }\` I see:\n${text}`],
    ['an object of another kind behind it', `${text}\n{"note": "that was all"}`],
    ['a byte order mark and colours', `\ufeff\u001b[32m${text}\u001b[0m`],
  ])('is found in %s', (_, output) => {
    expect(readAnswer(output, asked)).toMatchObject({ kind: 'answer', answer: { findings: [{ title: 'Bad' }] } })
  })

  it.each([
    ['nothing', '', 'expected one JSON object, got nothing'],
    ['garbage', 'I am sorry, Dave.', 'expected one JSON object, got text without any'],
    ['half of it', text.slice(0, 60), 'expected one whole JSON object, got one that is cut off or no JSON'],
    ['the name of a variable', 'FINAL_VAR(result)', 'expected one JSON object, got the name result of one'],
    ['another chunk', JSON.stringify(answer({ chunk: 'ffff' })), 'expected "chunk": "00112233aabbccdd", got "ffff"'],
    ['an unknown status', JSON.stringify(answer({ status: 'pending' })), 'status: Invalid option'],
    ['a placeholder (W2)', JSON.stringify(answer({ status: 'placeholder' })), 'status: Invalid option'],
    ['no findings at all', JSON.stringify({ chunk: asked.id, status: 'completed' }), 'findings: Invalid input'],
    ['too many findings', JSON.stringify(answer({ findings: Array(201).fill(finding) })), 'findings: Too big'],
    ['a list', JSON.stringify([finding]), 'expected a JSON object with chunk, status and findings, got another'],
  ])('is refused for %s, and the fault is told', (_, output, fault) => {
    const read = readAnswer(output, asked)
    expect(read).toMatchObject({ kind: 'invalid', fault: expect.stringContaining(fault) })
    expect(read).not.toHaveProperty('answer.findings.0')
  })

  it('keeps the findings that are whole beside one that is not', () => {
    const findings = [
      finding,
      { ...finding, path: '../../etc/passwd' },
      { ...finding, line: 0 },
      { ...finding, severity: 'huge' },
    ]
    expect(readAnswer(JSON.stringify(answer({ findings })), asked)).toMatchObject({
      kind: 'invalid',
      fault: expect.stringContaining('findings[1].path: expected a file of this part, got ../../etc/passwd'),
      answer: { findings: [{ title: 'Bad' }] },
    })
  })

  it('has no control characters, whether raw or escaped in JSON', () => {
    const hostile = { ...finding, title: '\u001b]0;owned\u0007Bad\u202e', message: 'a\u001b[2Jb\nc' }
    expect(readAnswer(JSON.stringify(answer({ findings: [hostile] })), asked)).toMatchObject({
      answer: { findings: [{ title: 'Bad', message: 'ab\nc' }] },
    })
  })

  it('takes the names that the original had for its fields', () => {
    const former = {
      chunk_id: asked.id,
      status: 'partial',
      findings: [{ point: 'Bad', evidence: 'eval(x)', confidence: 'low', file: 'src/a.ts', line: 2 }],
    }
    expect(readAnswer(JSON.stringify(former), asked)).toMatchObject({
      kind: 'answer',
      answer: { status: 'partial', findings: [{ title: 'Bad', quote: 'eval(x)', confidence: 'low' }] },
    })
  })

  it('may be a request for more, or that the agent is unable, but not in prose', () => {
    expect(readAnswer('NEEDS_MORE("where is \\"x\\" set?")', asked)).toEqual({ kind: 'more', why: 'where is "x" set?' })
    expect(readAnswer(`${text}\nNEEDS_MORE('callers')`, asked)).toMatchObject({
      kind: 'more',
      why: 'callers',
      answer: { status: 'completed' },
    })
    expect(readAnswer('UNABLE("too large")', asked)).toEqual({ kind: 'unable', why: 'too large' })
    expect(readAnswer(`The call unable(x) and final(1) are fine.\n${text}`, asked).kind).toBe('answer')
    expect(readAnswer(JSON.stringify(answer({ partial_answer: 'UNABLE("x") NEEDS_MORE("y")' })), asked).kind).toBe(
      'answer',
    )
  })

  it('loses the line numbers that an agent has copied into a quote', () => {
    const numbered = { ...finding, quote: ' 9| eval(x)\n10| eval(y)' }
    expect(readAnswer(JSON.stringify(answer({ findings: [numbered] })), asked)).toMatchObject({
      answer: { findings: [{ quote: 'eval(x)\neval(y)' }] },
    })
  })
})

describe('JSON objects in a text', () => {
  it('are found whatever strings they hold', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.string(), (value, before) => {
        const prose = before.replace(/["{}\\]/g, '')
        const found = jsonObjects(`${prose}${JSON.stringify(value)}!`)
        expect(found.map((object) => object.value)).toEqual([value])
      }),
      { numRuns: 100 },
    )
  })

  it('take bounded time in a text of braces', () => {
    expect(jsonObjects('{'.repeat(300_000))).toEqual([])
    expect(jsonObjects('{"a":'.repeat(100_000))).toEqual([])
  })
})

describe('the place of a quote', () => {
  const lines = ['const a = 1', '  if (a) {\r', '    run(a)', '  }', 'const a = 1']

  it('is the nearest to the line that was said', () => {
    expect(locateQuote(lines, 10, 'const a = 1', 14)).toMatchObject({ line: 14, column: 1, endColumn: 12 })
    expect(locateQuote(lines, 10, 'const a', 9)).toMatchObject({ line: 10, text: 'const a' })
    expect(locateQuote(lines, 10, 'const b', 10)).toBeUndefined()
  })

  it('spans lines, whatever space and line ends are at their edges', () => {
    expect(locateQuote(lines, 1, 'if (a) {\n  run(a)\n}', 2)).toEqual({
      ...{ line: 2, column: 3, endLine: 4, endColumn: 4 },
      text: 'if (a) {\r\n    run(a)\n  }',
    })
    expect(locateQuote(lines, 1, 'if (a) {\n  run(b)\n}', 2)).toBeUndefined()
  })
})
