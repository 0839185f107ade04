import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRubric } from '../src/rubric/rubric.ts'
import { rubricTextOf } from '../src/rubric/rubric-of.ts'

const where = { cwd: '/', env: { PATH: '/usr/bin:/bin' } }
const read = (text: string) => parseRubric(text).rubric
const faultsOf = (text: string) => parseRubric(text).faults.join('; ')

describe('a rubric', () => {
  it('has gates, criteria, what would be nice, and notes, under headings of any case', () => {
    const text = `# Auth\n\n## gates\n\n- \`npm test\`\n* \`\`test \`git status | wc -l\` -eq 0\`\`\n\n## CRITERIA ##\n1. Each error has a test\n2. No secret\n   in a log\n\n   and none on a command line\n\n## Nice-to-Have\n- Short\n\n## Notes\nSee \`docs\`.\n- as it is\n`
    expect(parseRubric(text)).toEqual({
      faults: [],
      rubric: {
        gates: ['npm test', 'test `git status | wc -l` -eq 0'],
        criteria: ['Each error has a test', 'No secret\n in a log\n\n and none on a command line'],
        nice: ['Short'],
        notes: 'See `docs`.\n- as it is',
      },
    })
  })

  it('takes a block of code as one gate, in a list or not, with headings and backquotes in it', () => {
    const block = '## Gates\n\n```sh\n## not a heading\necho `date`\n```\n\n- ```\n  one\n    two\n  ```\n- `three`\n'
    expect(parseRubric(block)).toEqual({
      faults: [],
      rubric: { gates: ['## not a heading\necho `date`', 'one\n  two', 'three'], criteria: [], nice: [], notes: '' },
    })
  })

  it('reads lines that end in CR LF', () => {
    expect(read('## Gates\r\n- `true`\r\n## Criteria\r\n- Good\r\n')).toMatchObject({
      gates: ['true'],
      criteria: ['Good'],
    })
  })

  it('passes nothing over: what it cannot read is a fault', () => {
    const faulty: [string, RegExp][] = [
      ['', /nothing decides/],
      ['# Only a title\n', /nothing decides/],
      ['## Nice to Have\n- Short\n', /nothing decides/],
      ['## Criteria\n\n## Gates\n', /nothing decides/],
      [
        '# Read me\n\nThis is a project.\n\n## Install\n- npm ci\n',
        /line 3: expected a heading.*line 5: expected Gates/,
      ],
      [
        '## Gate\n- `npm test`\n\n## Criteria\n- Good\n',
        /line 1: expected Gates, Criteria, Nice to Have or Notes, got "Gate"/,
      ],
      ['## Gates\n- npm test\n', /line 2: expected a command between backquotes/],
      ['## Gates\nnpm test\n', /line 2/],
      ['## Gates\n- `npm test` and more\n', /line 2/],
      ['## Gates\n- `a` or `b`\n', /line 2/],
      ['## Gates\n- `test `git status | wc -l` -eq 0`\n', /line 2.*two around one that has some/],
      ['## Gates\n- ` `\n', /line 2/],
      ['## Gates\n```\nnpm test\n', /no end/],
      ['## Gates\n```\n\n```\n', /line 2/],
      ['## Gates\n- `true`\n## Gates\n- `false`\n', /"Gates" stands there twice/],
    ]
    for (const [text, fault] of faulty) expect([text, faultsOf(text)]).toEqual([text, expect.stringMatching(fault)])
  })
})

describe('a checker', () => {
  it('that is a command of any form is one gate, byte for byte', () => {
    const command = fc.stringMatching(/^[ -~\n]{0,40}[!-~][ -~\n]{0,40}$/)
    fc.assert(
      fc.property(command, (text) => {
        fc.pre(
          !/^\s*agent:/.test(text) && !/^\S+\.(?:md|markdown)$/.test(text.trim()) && !/^[\w./]+$/.test(text.trim()),
        )
        expect(parseRubric(rubricTextOf(text, where))).toMatchObject({ faults: [], rubric: { gates: [text] } })
      }),
    )
  })

  it('that is a prompt of any form is one criterion, with every line of it', () => {
    const line = fc.oneof(
      fc.constantFrom('- item', '## Gates', '```', '# title', '', '  inner', '1. one'),
      fc.stringMatching(/^[ -~]{0,20}$/),
    )
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const prompt = lines
          .map((one) => one.trimEnd())
          .join('\n')
          .trim()
        fc.pre(prompt !== '')
        expect(parseRubric(rubricTextOf(`agent: ${prompt}`, where))).toMatchObject({
          faults: [],
          rubric: { criteria: [prompt], gates: [] },
        })
      }),
    )
  })
})
