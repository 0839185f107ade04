import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'

const rules = `id: house/no-log
language: TypeScript
severity: error
message: Log with the logger.
note: It has levels.
rule:
  pattern: console.log($$$ARGS)
fix: logger.info($$$ARGS)
safe: true
---
id: no-sleep
language: python
rule:
  pattern: time.sleep($N)
constraints:
  N:
    regex: '^[0-9]{3,}$'
fix: wait($N)
---
id: js/nan-comparison
severity: 'off'
---
id: py/none-comparison
severity: high
`

function deepscan(cwd: string, args: readonly string[], input = '') {
  const { code, stdout, stderr } = run('deepscan', args, { cwd, input })
  return { code, stdout, stderr }
}

const files = {
  'a.ts': 'console.log(1, "a")\nif (x === NaN) f()\n',
  'a.js': 'console.log(1)\n',
  'b.py': 'import time\ntime.sleep(100)\ntime.sleep(1)\nif x == None:\n    f()\n',
  'rules/house.yml': rules,
}

test('rules of the user are looked for in their language, and set the severity of those that there are', () => {
  const root = tempRepo(files)
  const { code, stdout } = deepscan(root, ['run', '--rules', 'rules'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      'a.ts:1:1 high house/no-log Log with the logger.\n' +
      'b.py:2:1 medium no-sleep no-sleep\n' +
      'b.py:4:4 high py/none-comparison None is compared by equality\n',
  })
  expect(deepscan(root, ['run', '--rules', 'rules/house.yml', '--rule', 'no-sleep', '-q']).stdout).toMatch(/^\w{20}\n$/)
  const findings = deepscan(root, ['run', '--rules', 'rules', '--jsonl']).stdout
  expect(deepscan(root, ['fix', '--all', '--rules', 'rules'], findings)).toMatchObject({
    code: 0,
    stdout: 'fixed house/no-log a.ts:1\nfixed py/none-comparison b.py:4\n',
  })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('logger.info(1, "a")\nif (x === NaN) f()\n')
  expect(deepscan(root, ['fix', '--all', '--offers', '--rules', 'rules'], findings).stdout).toBe(
    'fixed no-sleep b.py:2\n',
  )
  expect(readFileSync(join(root, 'b.py'), 'utf8')).toContain('wait(100)\ntime.sleep(1)\n')
  expect(deepscan(root, ['fix'], findings.split('\n')[0])).toMatchObject({ code: 1 })
})

test('a rule that cannot be understood is told with its file, and nothing is scanned', () => {
  const root = tempRepo({ 'a.ts': 'f()\n' })
  mkdirSync(join(root, 'rules'))
  const wrong = [
    ['id: x\nlanguage: cobol\nrule: { kind: a }\n', /^deepscan: rules\/x\.yml holds no rule: language: /],
    ['id: x\nlanguage: ts\nrule: { kind: no_such_kind }\n', /x: .*no_such_kind/],
    ['id: x\nlanguage: ts\nrule: { pattern: "f()" }\nrun: rm -rf /\n', /holds no rule: the rule: .*run/],
    ['id: [\n', /holds no rule: /],
    ['id: ../x\nlanguage: ts\nrule: { kind: a }\n', /holds no rule: id: an id is a word/],
    ['a: &a [x, x]\nb: &b [*a, *a]\nid: *b\n', /holds no rule/],
  ] as const
  for (const [text, said] of wrong) {
    writeFileSync(join(root, 'rules/x.yml'), text)
    const { code, stdout, stderr } = deepscan(root, ['run', '--rules', 'rules'])
    expect([text, code, stdout]).toEqual([text, 2, ''])
    expect(stderr).toMatch(said)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  }
  expect(deepscan(root, ['run', '--rules', 'nowhere'])).toEqual({
    code: 3,
    stdout: '',
    stderr: 'deepscan: no rules at nowhere; name a folder of .yml files, or one file\n',
  })
})
