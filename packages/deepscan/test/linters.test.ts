import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, script, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { oxlintRules } from '../src/linters/oxlint-rules.ts'
import { ruffRules } from '../src/linters/ruff-rules.ts'

const js = [
  'import { read } from "node:fs"',
  'export async function load(name) {',
  '  const é = "𝒳"; if (name.size < 0 && name.size > 9) read(é)',
  '  new Promise(async (resolve) => resolve(await name))',
  '  if (name === NaN) read()',
  '}',
  '',
].join('\r\n')

const py = [
  'import requests, os',
  'def load(name, *rest):',
  '    é = "𝒳"; print("%s %s" % (name,), é)',
  '    requests.get(name)',
  '    name.lstrip("www.")',
  '    name == 1',
  '    os.system(name)',
  '    return undefined_name',
  '',
].join('\n')

/** Without the folder of the packages of this project, which npm puts first. */
const systemPath = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')

type Given = { input?: string | undefined; env?: Readonly<Record<string, string>> }

function deepscan(cwd: string, args: readonly string[], { input = '', env = {} }: Given = {}) {
  const merged = { ...process.env, DEEPSCAN_LINTERS: '', PATH: systemPath, ...env }
  const { code, stdout, stderr } = run('deepscan', args, { cwd, input, env: merged })
  return { code, stdout, stderr }
}

function foundIn(cwd: string, args: readonly string[], options?: Given) {
  const { stdout } = deepscan(cwd, [...args, '--jsonl'], options)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test('oxlint and ruff come with deepscan: their findings quote what stands there, once with ours', () => {
  const cwd = tempRepo({ 'src/load.js': js, 'src/load.py': py })
  const findings = foundIn(cwd, ['run'])
  const rows = findings.map(({ path, line, column, rule, quote }) => `${path}:${line}:${column} ${rule} ${quote}`)
  expect(rows).toEqual([
    'src/load.js:3:23 oxlint/const-comparisons name.size < 0',
    'src/load.js:4:15 oxlint/no-async-promise-executor async',
    'src/load.js:5:7 js/nan-comparison name === NaN',
    'src/load.py:3:21 ruff/F507 "%s %s" % (name,)',
    'src/load.py:4:5 ruff/S113 requests.get',
    'src/load.py:5:5 ruff/B005 name.lstrip("www.")',
    'src/load.py:6:5 ruff/B015 name == 1',
    'src/load.py:7:5 ruff/S605 os.system',
    'src/load.py:8:12 ruff/F821 undefined_name',
  ])
  for (const finding of findings) {
    const lines = readFileSync(join(cwd, finding.path), 'utf8').split('\n')
    expect(lines[finding.line - 1]?.slice(finding.column - 1, finding.end_column - 1)).toBe(finding.quote)
  }
  expect(findings.map(({ id }) => id)).toHaveLength(new Set(findings.map(({ id }) => id)).size)
  expect(foundIn(cwd, ['run', '--linters', 'none']).map(({ rule }) => rule)).toContain('js/nan-comparison')
  expect(foundIn(cwd, ['run', '--rule', 'ruff/F821']).map(({ rule }) => rule)).toEqual(['ruff/F821'])
  expect(deepscan(cwd, ['run', '--linters', 'lint']).code).toBe(2)
})

test('what the scanned repository says of its linters is data: no setting and no program of it runs', () => {
  const cwd = tempRepo({
    'a.js': 'for (let i = 0; i < 3; i--) f(i)\n',
    'b.py': 'x = 2\nx == 1\n',
    'c.sh': '#!/bin/bash\necho hi\n',
  })
  const evil = 'require("node:fs").writeFileSync("ran.txt", "x")\n'
  writeFileSync(join(cwd, 'evil.cjs'), evil)
  writeFileSync(join(cwd, '.oxlintrc.json'), '{"jsPlugins":["./evil.cjs"],"rules":{"for-direction":"off"}}')
  writeFileSync(join(cwd, 'oxlint.config.ts'), 'import "./evil.cjs"\nexport default {}\n')
  writeFileSync(join(cwd, 'eslint.config.cjs'), evil)
  writeFileSync(join(cwd, 'ruff.toml'), 'lint.ignore = ["B015"]\n')
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
  for (const name of ['oxlint', 'eslint', 'biome', 'shellcheck']) {
    writeFileSync(join(cwd, 'node_modules/.bin', name), '#!/bin/sh\ntouch ran.txt\n')
    chmodSync(join(cwd, 'node_modules/.bin', name), 0o755)
  }
  git(cwd, 'add', '-A')
  const rules = foundIn(cwd, ['run']).map(({ rule }) => rule)
  expect(rules).toEqual(['oxlint/for-direction', 'ruff/B015'])
  const env = { PATH: `${join(cwd, 'node_modules/.bin')}:${systemPath}` }
  expect(foundIn(cwd, ['run'], { env }).map(({ rule }) => rule)).toEqual(rules)
  expect(existsSync(join(cwd, 'ran.txt'))).toBe(false)
  const { stderr } = deepscan(cwd, ['run', '--project-linters'])
  expect(stderr).toContain('eslint')
  expect(readFileSync(join(cwd, 'ran.txt'), 'utf8')).toBe('')
})

test('a linter that crashes, hangs, prints garbage or too little costs its own findings, and is told of', () => {
  const cwd = tempRepo({ 'a.sh': '#!/bin/bash\nrm $1\n' })
  const one = {
    file: 'a.sh',
    line: 2,
    endLine: 2,
    column: 4,
    endColumn: 6,
    level: 'warning',
    code: 2086,
    message: 'Quote it.',
  }
  const faults = [
    ['echo "out of memory" >&2; exit 3', 'deepscan: shellcheck: it ended with exit 3: out of memory'],
    ['kill -9 $$', 'shellcheck: it ended with SIGKILL'],
    ['sleep 100', 'shellcheck: it did not end within 1 s'],
    ['echo "[{"', 'shellcheck: it printed what cannot be read: it is not JSON'],
    [`echo '{"comments":[{"file":"a.sh"}]}'`, 'shellcheck: it printed what cannot be read: '],
  ] as const
  for (const [body, said] of faults) {
    const bin = tempFolder()
    script(join(bin, 'shellcheck'), `#!/bin/sh\n${body}\n`)
    const env = { PATH: `${bin}:${systemPath}` }
    const { code, stderr } = deepscan(cwd, ['run', '--linter-timeout', '1s'], { env })
    expect([code, stderr]).toEqual([0, expect.stringContaining(said.replace('deepscan: ', ''))])
  }
  const bin = tempFolder()
  script(
    join(bin, 'shellcheck'),
    `#!/bin/sh\necho '${JSON.stringify({ comments: [one, { ...one, line: 99, endLine: 99 }] })}'\nexit 1\n`,
  )
  const [finding, ...others] = foundIn(cwd, ['run'], { env: { PATH: `${bin}:${systemPath}` } })
  expect([finding.rule, finding.line, finding.quote, finding.analyser, others.length]).toEqual([
    'shellcheck/SC2086',
    2,
    '$1',
    'shellcheck',
    0,
  ])
})

test('what linters elsewhere wrote comes in by --import, as findings of ours', () => {
  const cwd = tempRepo({ 'src/a.js': 'if (x == y) f()\n', 'src/b.go': 'package b\n' })
  const at = { startLine: 1, startColumn: 5, endLine: 1, endColumn: 11 }
  const result = (uri: string, region: object) => ({
    ...{ ruleId: 'x.y', level: 'error', message: { text: 'Compared loosely. Use more.' } },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
  })
  const log = {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Semgrep OSS',
            rules: [{ id: 'x.y', properties: { tags: ['security'], precision: 'very-high' } }],
          },
        },
        results: [
          result('src/a.js', at),
          result('src/b.go', { startLine: 1 }),
          result('../../etc/passwd', at),
          result('src/gone.js', at),
        ],
      },
    ],
  }
  writeFileSync(join(cwd, 'log.sarif'), JSON.stringify(log))
  const findings = foundIn(cwd, ['run', '--import', 'sarif', 'log.sarif'])
  expect(findings).toMatchObject([
    {
      rule: 'semgrep/x.y',
      path: 'src/a.js',
      quote: 'x == y',
      severity: 'high',
      confidence: 'high',
      category: 'security',
      title: 'Compared loosely',
    },
    { rule: 'semgrep/x.y', path: 'src/b.go', quote: 'package b', language: 'go' },
  ])
  const eslint = [
    {
      filePath: join(cwd, 'src/a.js'),
      messages: [{ ruleId: 'eqeqeq', severity: 2, message: 'Expected ===.', line: 1, column: 7 }],
    },
  ]
  expect(foundIn(cwd, ['run', '--import', 'eslint', '-'], { input: JSON.stringify(eslint) })).toMatchObject([
    { rule: 'eslint/eqeqeq', quote: '== y) f()' },
  ])
  const bad = deepscan(cwd, ['run', '--import', 'ruff', '-'], { input: '[{"code":1}]' })
  expect([bad.code, bad.stdout, bad.stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^deepscan: stdin is no report in the format ruff: 0\.code: /),
  ])
  expect(deepscan(cwd, ['run', '--import', 'ruff', 'nowhere.json']).code).toBe(3)
})

test('what a baseline has is left out and counted, also after lines have moved', () => {
  const cwd = tempRepo({ 'a.py': 'x = eval(input())\n' })
  writeFileSync(join(cwd, 'known.jsonl'), deepscan(cwd, ['run', '--jsonl']).stdout)
  writeFileSync(join(cwd, 'a.py'), '# more\nx = eval(input())\ny == 1\n')
  const { code, stdout, stderr } = deepscan(cwd, [
    'run',
    '--baseline',
    'known.jsonl',
    '--fail-on',
    'high',
    '-q',
    '--rule',
    'py/built-eval',
  ])
  expect([code, stdout, stderr]).toEqual([0, '', ''])
  const { stderr: said } = deepscan(cwd, ['run', '--baseline', 'known.jsonl'])
  expect(said).toContain('1 finding known to the baseline')
})

test("ruff's own fix is applied where it is safe, and nothing else of it", () => {
  const cwd = tempRepo({ 'a.py': 'print("{}".format(1, 2))\nprint("{}".format(1, f()))\nprint(name)\n' })
  const findings = foundIn(cwd, ['run'])
  expect(findings.map(({ rule, fixable }) => [rule, fixable])).toEqual([
    ['ruff/F523', true],
    ['ruff/F523', true],
    ['ruff/F821', false],
    ['ruff/F821', false],
  ])
  const [first, second, third] = findings.map((finding) => JSON.stringify(finding))
  expect(deepscan(cwd, ['fix'], { input: first }).stdout).toBe('fixed ruff/F523 a.py:1\n')
  expect(deepscan(cwd, ['fix'], { input: first }).code).toBe(3)
  expect(deepscan(cwd, ['fix'], { input: second }).code).toBe(1)
  expect(deepscan(cwd, ['fix'], { input: third }).code).toBe(1)
  expect(readFileSync(join(cwd, 'a.py'), 'utf8')).toBe(
    'print("{}".format(1, ))\nprint("{}".format(1, f()))\nprint(name)\n',
  )
})

test('each rule that is on is one that its linter has', () => {
  const cwd = tempRepo({ 'a.py': 'x = 1\n', 'a.js': 'f()\n' })
  expect(deepscan(cwd, ['run'])).toMatchObject({ code: 0, stdout: '', stderr: expect.not.stringContaining('lint') })
  const page = readFileSync(new URL('../../../docs/deepscan-linters.md', import.meta.url), 'utf8')
  const listed = new Set(page.match(/(?<=`)[\w/-]+(?=`)/g))
  const names = [...oxlintRules.keys(), ...ruffRules.keys()].map((rule) => rule.replace(/^eslint\//, ''))
  expect(names.filter((name) => !listed.has(name))).toEqual([])
})
