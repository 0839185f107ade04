import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTerminal, script, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { judgementOf, marksIn, verdictIn, verdictOf } from '../src/loop/verdict.ts'
import { type Sessions, sessions } from './sessions.ts'

const accepts = 'CRITERION 1: PASS\nVERDICT: ACCEPT'

/** Answers that speak of acceptance, and do not say it. */
const unclear = [
  ...['Not acceptable yet.', 'RETRY\nThis is UNACCEPTABLE', 'I cannot ACCEPT this', 'RETRY\nDo not TERMINATE'],
  ...[
    '',
    '\n \n',
    'accept',
    'Accept',
    'ACCEPTED',
    'ACCEPT.',
    '**ACCEPT**',
    '`ACCEPT`',
    'VERDICT:ACCEPT',
    'verdict: ACCEPT',
  ],
  ...[
    'VERDICT: ACCEPT RETRY',
    'VERDICT: ACCEPT\nunless the tests fail',
    'ACCEPT\n\n(I did not run it.)',
    'VERDICT: "ACCEPT"',
  ],
  ...[
    'VERDICT: ACCEPT | RETRY',
    '- VERDICT: ACCEPT',
    '> VERDICT: ACCEPT',
    'My VERDICT: ACCEPT',
    'ACCEPT ACCEPT',
    'VERDICT: АCCEPT',
  ],
  ...['VERDICT:  ACCEPT', 'VERDICT: ACCEPT\n```', 'ACCEPT\u200b', '{"verdict":"ACCEPT"}', 'CRITERION 1: PASS'],
]

describe('a verdict', () => {
  it('is the last line of an answer, in the agreed words alone', () => {
    const clear: [string, string][] = [
      ...([
        ['VERDICT: ACCEPT', 'accept'],
        ['ACCEPT', 'accept'],
        ['Fine.\n\nVERDICT: ACCEPT\n\n', 'accept'],
      ] as [string, string][]),
      ...([
        ['ACCEPT\r\nRETRY\r\n', 'retry'],
        ['I would ACCEPT\nVERDICT: RETRY', 'retry'],
        ['  VERDICT: TERMINATE  ', 'terminate'],
      ] as [string, string][]),
    ]
    for (const [answer, word] of clear) expect([answer, verdictIn(answer)]).toEqual([answer, word])
    for (const answer of unclear) expect([answer, verdictIn(answer)]).toEqual([answer, 'unparsed'])
  })

  it('of a check accepts nothing that is unclear, refuted by its own marks, or behind a failed gate', () => {
    const passed = { passed: true }
    const failed = { passed: false }
    for (const answer of unclear) expect(verdictOf([passed], judgementOf(answer, undefined))).toBe('unparsed')
    expect(verdictOf([passed], judgementOf('CRITERION 1: PASS\nCRITERION 2: FAIL\nVERDICT: ACCEPT', undefined))).toBe(
      'retry',
    )
    expect(verdictOf([passed], judgementOf('CRITERION 1: FAIL\nCRITERION 1: PASS\nACCEPT', undefined))).toBe('retry')
    expect(verdictOf([passed, failed], judgementOf('ACCEPT', undefined))).toBe('retry')
    expect(verdictOf([failed], judgementOf('TERMINATE', undefined))).toBe('terminate')
    expect(verdictOf([failed], undefined)).toBe('retry')
    expect(verdictOf([], undefined)).toBe('unparsed')
    expect(verdictOf([passed], undefined)).toBe('accept')
    expect(marksIn('CRITERION 1: PASSED\nCRITERION 2: PASS, nearly\n CRITERION 3: PASS \n')).toEqual([
      { number: 3, passed: true },
    ])
  })

  it('that was said both ways is the harder one', () => {
    const said = (verdict: 'accept' | 'retry' | 'terminate', passed = true) => ({
      verdict,
      criteria: [{ number: 1, passed }],
      message: 'so',
    })
    const cases: [string, ReturnType<typeof said>, string][] = [
      ['I called scope verdict.', said('accept'), 'accept'],
      ['VERDICT: ACCEPT', said('accept'), 'accept'],
      ['VERDICT: RETRY', said('accept'), 'retry'],
      ['VERDICT: ACCEPT', said('retry'), 'retry'],
      ['VERDICT: TERMINATE', said('accept'), 'terminate'],
      ['Done.', said('accept', false), 'retry'],
      ['CRITERION 1: FAIL', said('accept'), 'retry'],
    ]
    for (const [answer, one, verdict] of cases)
      expect([answer, one.verdict, judgementOf(answer, one).verdict]).toEqual([answer, one.verdict, verdict])
  })
})

describe('a loop, given what once passed for acceptance', () => {
  const refused = (at: Sessions, checker: string, files: Readonly<Record<string, string>> = {}) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(at.root, name), text)
    const { code, stdout } = at.scope([
      'spawn',
      'Try',
      '--checker',
      checker,
      '--max-iterations',
      '1',
      '--wait',
      '--json',
    ])
    return {
      code,
      verdict: stdout === '' ? undefined : JSON.parse(stdout).loop.verdict,
      status: stdout === '' ? undefined : JSON.parse(stdout).status,
    }
  }

  it('accepts no answer of a judge that does not say so', () => {
    const at = sessions()
    for (const answer of [
      'Not acceptable yet.',
      'RETRY\nThis is UNACCEPTABLE',
      'I cannot ACCEPT this',
      'RETRY\nDo not TERMINATE',
      '',
    ]) {
      at.agent('', { '*-check': answer })
      expect([answer, refused(at, 'agent: Is it good?')]).toEqual([
        answer,
        { code: 9, verdict: 'max_iterations', status: 'failed' },
      ])
    }
  })

  it('runs a program that it is given, and every line of a script, whatever its quotes', () => {
    const at = sessions()
    writeFileSync(join(at.root, 'verify.sh'), '#!/bin/sh\necho ran >>ran\nexit 1\n')
    chmodSync(join(at.root, 'verify.sh'), 0o755)
    expect(refused(at, './verify.sh').code).toBe(9)
    expect(refused(at, 'verify.sh').code).toBe(9)
    expect(readFileSync(join(at.root, 'ran'), 'utf8')).toBe('ran\nran\n')
    expect(refused(at, 'true\ntrue\nfalse\n').code).toBe(9)
    expect(refused(at, 'test `git status --porcelain --ignored | wc -l` -eq 0').code).toBe(9)
    expect(refused(at, `${'true; '.repeat(20_000)}false`).code).toBe(9)
    expect(
      at.events('4').flatMap((event) => (event.event === 'gate' ? [event.command.length, event.exit_code] : [])),
    ).toEqual([1000, 1])
  })

  it('keeps every line of a prompt, and starts nothing for an empty rubric or one that is not there', () => {
    const at = sessions()
    at.agent('', { '*-check': 'VERDICT: RETRY' })
    refused(at, 'agent: Is it good?\nIs it short?\n- Is it safe?\n\n## Gates\nEverything above counts.')
    expect(at.heard('0-0-check', 'prompt')).toMatch(
      /1\. Is it good\?\n {3}Is it short\?\n {3}- Is it safe\?\n\s*\n {3}## Gates\n {3}Everything above counts\./,
    )
    expect(refused(at, 'empty.md', { 'empty.md': '## Gates\n\n## Criteria\n' }).code).toBe(2)
    expect(refused(at, 'README.md').code).toBe(2)
    expect(refused(at, 'gone.md').code).toBe(3)
    expect(at.scope(['list', '--all', '--quiet']).stdout).toBe('0\n0-0-do\n0-0-check\n')
  })
})

describe('scope verdict', () => {
  it('speaks for the judge who calls it, in place of a last line', () => {
    const at = sessions({
      act: 'case $SCOPE_SESSION_ID in *-check) scope verdict accept --criterion 1=pass -m "Well done" ;; esac',
    })
    const { code } = at.scope(['spawn', 'Try', '--checker', 'agent: Good?', '--checker-access', 'write', '--wait'])
    expect([code, at.poll('0').loop]).toEqual([
      0,
      expect.objectContaining({ verdict: 'accept', criteria: { passed: 1, total: 1 } }),
    ])
    expect(at.heard('0-0-check', 'prompt')).toContain('scope verdict accept|retry|terminate')
    expect(at.file('0', 'feedback/0.md')).toContain('Well done')
  })

  it('speaks for nobody else, under whatever name', () => {
    const at = sessions()
    at.agent(
      `case $SCOPE_SESSION_ID in
      0) scope verdict accept; echo $? >own; while [ ! -e judging ]; do sleep 0.05; done
        SCOPE_SESSION_ID=1-0-check scope verdict accept 2>why; echo $? >other; touch tried ;;
      *-check) touch judging; while [ ! -e tried ]; do sleep 0.05; done ;; esac`,
      { '*-check': 'VERDICT: RETRY' },
    )
    at.spawn('Meddle')
    expect(at.scope(['spawn', 'Try', '--checker', 'agent: Good?', '--max-iterations', '1', '--wait']).code).toBe(9)
    expect([readFileSync(join(at.root, 'own'), 'utf8'), readFileSync(join(at.root, 'other'), 'utf8')]).toEqual([
      '2\n',
      '5\n',
    ])
    expect(readFileSync(join(at.root, 'why'), 'utf8')).toContain('session 0 cannot judge in the place of 1-0-check')
    expect(at.events('1-0-check').some(({ event }) => event === 'judged')).toBe(false)
  })

  it('refuses what is no verdict, and whoever is no judge', () => {
    const at = sessions()
    at.scope(['spawn', 'Try', '--checker', 'true', '--wait'])
    expect(at.scope(['verdict', 'accept'])).toMatchObject({ code: 2 })
    expect(at.scope(['verdict', 'accept'], {}, { SCOPE_SESSION_ID: '0-0-do' })).toMatchObject({ code: 2 })
    expect(at.scope(['verdict', 'fine'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('accept, retry or terminate'),
    })
  })
})

describe('scope rubric', () => {
  it('steers a loop: the next check goes by what it was changed to', () => {
    const at = sessions({ act: 'case $SCOPE_SESSION_ID in *-0-do) while [ ! -e go ]; do sleep 0.05; done ;; esac' })
    const id = at.spawn('Try', '--checker', 'false')
    expect(at.scope(['rubric', id, '--show']).stdout).toBe('## Gates\n\n- `false`\n')
    expect(at.scope(['rubric', id, '--set', '-'], { input: '## Gates\n- npm test\n' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('line 2'),
    })
    expect(at.scope(['rubric', id, '--set', '-'], { input: '## Gates\n- `true`\n' }).code).toBe(0)
    expect(JSON.parse(at.scope(['rubric', id, '--json']).stdout)).toMatchObject({ gates: ['true'], criteria: [] })
    writeFileSync(join(at.root, 'go'), '')
    expect([at.wait(id).code, at.poll(id).loop?.iteration]).toEqual([0, 0])
    expect(at.scope(['rubric', id, '--lint'])).toMatchObject({ code: 0, stderr: 'nothing is wrong\n' })
    at.wait(at.spawn('Plain'))
    expect(at.scope(['rubric', '1', '--show'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('it is no loop'),
    })
  })

  it('opens in the editor of a person, and keeps nothing that is no rubric', async () => {
    const at = sessions()
    at.scope(['spawn', 'Try', '--checker', 'true', '--wait'])
    const next = tempFolder('next')
    writeFileSync(join(next, 'good'), '## Gates\n- `test -e README.md`\n')
    writeFileSync(join(next, 'bad'), 'Be nice\n')
    const person = (name: string) => {
      script(join(at.bin, 'edit'), `#!/bin/sh\ncat '${join(next, name)}' >"$1"\n`)
      return openTerminal(at.root, 'scope rubric 0; echo ended with $?', {
        EDITOR: 'edit',
        PATH: [at.bin, toolPath()].join(':'),
      })
    }
    expect(await person('bad').see(/ended with/)).toMatch(/this text is no rubric: line 1[\s\S]*ended with 2/)
    expect(at.file('0', 'rubric.md')).toBe('## Gates\n\n- `true`\n')
    expect(await person('good').see(/ended with/)).toMatch(/the next check of session 0 goes by it[\s\S]*ended with 0/)
    expect(JSON.parse(at.scope(['rubric', '0', '--json']).stdout)).toMatchObject({ gates: ['test -e README.md'] })
  })

  it('is changed by nobody whose work it judges, and not behind its back', () => {
    const at = sessions()
    at.agent(
      'case $SCOPE_SESSION_ID in *-0-do) scope rubric 0 --set easy.md 2>why; echo $? >>tried; env -u SCOPE_SESSION_ID scope rubric 0 --set easy.md 2>>why; echo $? >>tried ;; esac',
    )
    writeFileSync(join(at.root, 'easy.md'), '## Gates\n- `true`\n')
    expect(at.scope(['spawn', 'Try', '--checker', 'false', '--max-iterations', '1', '--wait']).code).toBe(9)
    expect(readFileSync(join(at.root, 'tried'), 'utf8')).toBe('5\n5\n')
    expect(readFileSync(join(at.root, 'why'), 'utf8')).toContain(
      'session 0-0-do is a part of loop 0, and cannot change its rubric',
    )
    at.agent('cp easy.md .scope/sessions/1/rubric.md')
    const { code, stderr } = at.scope(['spawn', 'Try', '--checker', 'false', '--wait'])
    expect([code, stderr]).toEqual([
      1,
      'scope: session 1 is failed: the rubric of session 1 was changed by something else than scope rubric\n',
    ])
    expect(at.scope(['rubric', '1', '--lint']).code).toBe(0)
    expect(at.scope(['rubric', '1', '--set', join(at.folder('1'), 'rubric.md')]).code).toBe(0)
    at.scope(['resume', '1'])
    expect(at.wait('1').code).toBe(0)
  })
})

describe('scope check', () => {
  it('judges the last result once, says why not, and changes nothing of the loop', () => {
    const at = sessions()
    at.agent('', { '*-check': accepts, '0.0': 'Too long.\nVERDICT: RETRY', '0.1': accepts })
    writeFileSync(join(at.root, 'good.md'), '## Gates\n- `test -e README.md`\n## Criteria\n- Short\n')
    expect(at.scope(['spawn', 'Try', '--checker', 'good.md', '--wait']).code).toBe(0)
    const before = at.file('0', 'events.jsonl')
    const first = at.scope(['check', '0'])
    expect([first.code, first.stdout]).toEqual([1, 'retry\nToo long.\nVERDICT: RETRY\n'])
    const second = at.scope(['check', '0', '--json'])
    expect([second.code, JSON.parse(second.stdout)]).toEqual([
      0,
      expect.objectContaining({ verdict: 'accept', gates: { passed: 1, total: 1 } }),
    ])
    expect(at.file('0', 'events.jsonl').startsWith(before)).toBe(true)
    expect(at.poll('0')).toMatchObject({ status: 'done', children: ['0-0-do', '0-0-check', '0.0', '0.1'] })
    at.wait(at.spawn('Plain'))
    expect(at.scope(['check', '1'])).toMatchObject({ code: 3 })
  })
})
