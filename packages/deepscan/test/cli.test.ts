import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { rules } from '../src/rules/all.ts'

const nan = 'if (x === NaN) f()\n'

function deepscan(cwd: string, args: readonly string[], input: string | Uint8Array = '') {
  const { code, stdout, stderr } = run('deepscan', args, { cwd, input })
  return { code, stdout, stderr }
}

function findings(cwd: string, ...args: string[]) {
  const { stdout } = deepscan(cwd, ['run', '--jsonl', ...args])
  return stdout.split('\n').filter(Boolean)
}

test('run prints findings for people and counts on stderr', () => {
  const root = tempRepo({ 'src/a.ts': `\n${nan}`, 'src/b.py': 'import yaml\nx = yaml.load(f)\n', 'notes.md': '' })
  expect(deepscan(root, ['run', 'src'])).toEqual({
    code: 0,
    stdout:
      'src/a.ts:2:5 high js/nan-comparison Comparison with NaN is always the same\n' +
      'src/b.py:2:5 high py/yaml-load yaml.load without a loader can run code\n',
    stderr: '2 files scanned, 2 findings, 2 with a rewrite\n',
  })
})

test('run prints one object a line, one array, or ids', () => {
  const root = tempRepo({ 'src/a.ts': nan })
  const finding = {
    v: 1,
    type: 'finding',
    id: 'c08087f1e7c6652f82df',
    rule: 'js/nan-comparison',
    title: 'Comparison with NaN is always the same',
    severity: 'high',
    confidence: 'high',
    category: 'correctness',
    path: 'src/a.ts',
    line: 1,
    column: 5,
    end_line: 1,
    end_column: 14,
    quote: 'x === NaN',
    message:
      'NaN equals nothing, not even itself, so this test never depends on the value. Number.isNaN asks what is meant.',
    fixable: true,
    language: 'typescript',
    context: 'source',
  }
  const stderr = '1 file scanned, 1 finding, 1 with a rewrite\nleft out: 1 tool folder\n'
  expect(deepscan(root, ['run', '--jsonl'])).toEqual({ code: 0, stdout: `${JSON.stringify(finding)}\n`, stderr })
  expect(deepscan(root, ['run', '--json'])).toEqual({ code: 0, stdout: `${JSON.stringify([finding])}\n`, stderr })
  expect(deepscan(root, ['run', '--quiet'])).toEqual({ code: 0, stdout: `${finding.id}\n`, stderr: '' })
})

test('run without findings prints nothing, and an empty array with --json', () => {
  const root = tempFolder()
  writeFileSync(join(root, 'a.ts'), 'f()\n')
  const stderr =
    '1 file scanned, 0 findings, 0 with a rewrite\n' +
    `${rules.filter(({ fired }) => fired).length} rules looked at 1 line; to ask an agent: deepscan init . -q "What is wrong here?"\n`
  expect(deepscan(root, ['run', '--jsonl'])).toEqual({ code: 0, stdout: '', stderr })
  expect(deepscan(root, ['run', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr })
})

test('run keeps to the rules and severities that are asked for', () => {
  const root = tempRepo({ 'a.ts': `${nan}throw 'x'\n` })
  const rulesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).rule)
  expect(rulesOf(findings(root, '--rule', 'js/throw-literal'))).toEqual(['js/throw-literal'])
  expect(rulesOf(findings(root))).toEqual(['js/nan-comparison'])
  expect(rulesOf(findings(root, '--all-rules'))).toEqual(['js/nan-comparison', 'js/throw-literal'])
  expect(rulesOf(findings(root, '--all-rules', '--severity', 'high'))).toEqual(['js/nan-comparison'])
  expect(deepscan(root, ['run', '--rule', 'js/none'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'deepscan: expected the id of a rule, got js/none; docs/deepscan-rules.md lists them\n',
  })
})

test('run exits 1 only when --fail-on is reached', () => {
  const root = tempRepo({ 'a.ts': "throw 'x'\n" })
  expect(deepscan(root, ['run', '-q', '--all-rules', '--fail-on', 'high']).code).toBe(0)
  expect(deepscan(root, ['run', '-q', '--all-rules', '--fail-on', 'medium']).code).toBe(1)
})

test('run leaves out binary and large files and says so', () => {
  const root = tempFolder()
  writeFileSync(join(root, 'a.js'), `${nan}\0`)
  writeFileSync(join(root, 'b.js'), nan.repeat(10))
  expect(deepscan(root, ['run', '--max-file-bytes', '50'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '0 files scanned, 0 findings, 0 with a rewrite\nleft out: 1 binary, 1 too large\n',
  })
})

test('run ends with 3 for a path that is not there', () => {
  expect(deepscan(tempFolder(), ['run', 'nowhere'])).toEqual({
    code: 3,
    stdout: '',
    stderr: 'deepscan: no file or folder at nowhere; name a path that exists [DS-301]\n',
  })
})

test('fix mends the finding in another worktree of the repository, from a folder inside it', () => {
  const root = tempRepo({ 'src/a.ts': `// é\r\n${nan}` })
  const [finding] = findings(root, 'src')
  const tree = join(tempFolder(), 'tree')
  git(root, 'worktree', 'add', '--quiet', tree)
  chmodSync(join(tree, 'src/a.ts'), 0o755)
  expect(deepscan(join(tree, 'src'), ['fix'], finding)).toEqual({
    code: 0,
    stdout: 'fixed js/nan-comparison src/a.ts:2\n',
    stderr: '',
  })
  expect(readFileSync(join(tree, 'src/a.ts'), 'utf8')).toBe('// é\r\nif (Number.isNaN(x)) f()\n')
  expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe(`// é\r\n${nan}`)
  expect(statSync(join(tree, 'src/a.ts')).mode & 0o777).toBe(0o755)
  expect(readdirSync(join(tree, 'src'))).toEqual(['a.ts'])
})

test('fix ends with 3 when the finding or its file is gone', () => {
  const root = tempRepo({ 'a.ts': nan })
  const [finding] = findings(root)
  expect(deepscan(root, ['fix'], finding).code).toBe(0)
  expect(deepscan(root, ['fix'], finding)).toEqual({
    code: 3,
    stdout: '',
    stderr: 'deepscan: js/nan-comparison has nothing to mend in a.ts: what it quoted is gone\n',
  })
  rmSync(join(root, 'a.ts'))
  expect(deepscan(root, ['fix'], finding)).toEqual({
    code: 3,
    stdout: '',
    stderr: 'deepscan: there is no a.ts here to mend\n',
  })
})

test('fix takes the last finding or issue that a prompt has on a line of its own', () => {
  const root = tempRepo({ 'a.ts': nan, 'b.ts': nan })
  const [a, b] = findings(root)
  const issue = JSON.stringify({ id: 'x-1', title: 'NaN', finding: JSON.parse(b ?? '') })
  expect(deepscan(root, ['fix'], `Mend this:\n${a}\n\n  ${issue}\r\n{"not": "it"}\nThank you\n`).stdout).toBe(
    'fixed js/nan-comparison b.ts:1\n',
  )
  expect(deepscan(root, ['fix'], JSON.stringify({ finding: JSON.parse(a ?? '') }, null, 2)).stdout).toBe(
    'fixed js/nan-comparison a.ts:1\n',
  )
})

test('fix ends with 2 when no finding came in', () => {
  const stderr =
    'deepscan: expected a finding, or an issue with one, on stdin; there was none; ' +
    'pipe in a line of `deepscan run --jsonl`, or `tissue show ID --json`\n'
  const root = tempRepo()
  for (const input of ['', 'hello\n', '{"rule":"js/nan-comparison"}\n', '[]', '{"finding":null}', '\0\xff{']) {
    expect(deepscan(root, ['fix'], input)).toEqual({ code: 2, stdout: '', stderr })
  }
})

test('fix ends with 1 where no rewrite is safe, and writes nothing', () => {
  const text = 'eval(text)\n'
  const root = tempRepo({ 'a.ts': text })
  const [finding] = findings(root)
  expect(deepscan(root, ['fix', '--json'], finding)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'deepscan: js/dynamic-eval has no safe rewrite for a.ts:1; mend it by hand\n' +
      '{"error":{"code":"failed","message":"js/dynamic-eval has no safe rewrite for ' +
      'a.ts:1","hint":"mend it by hand","retryable":false}}\n',
  })
  expect(deepscan(root, ['fix'], finding?.replace('js/dynamic-eval', 'agent/idea')).code).toBe(1)
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(text)
})

test('fix mends one of two equal defects, the one that was meant', () => {
  const root = tempRepo({ 'a.ts': `${nan}\n${nan}` })
  const [, second] = findings(root)
  expect(deepscan(root, ['fix'], second).stdout).toBe('fixed js/nan-comparison a.ts:3\n')
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(`${nan}\nif (Number.isNaN(x)) f()\n`)
})

test('fix --dry-run shows the change and writes nothing', () => {
  const root = tempRepo({ 'a.ts': nan })
  const [finding = ''] = findings(root)
  expect(deepscan(root, ['fix', '--dry-run'], finding)).toEqual({
    code: 0,
    stdout: 'would fix js/nan-comparison a.ts:1\n-if (x === NaN) f()\n+if (Number.isNaN(x)) f()\n',
    stderr: '',
  })
  const id = JSON.parse(finding).id
  expect(JSON.parse(deepscan(root, ['fix', '--dry-run', '--json'], finding).stdout)).toEqual({
    fixed: [
      {
        ...{ v: 1, type: 'fix', applied: false, id, rule: 'js/nan-comparison', path: 'a.ts', line: 1 },
        ...{ before: 'if (x === NaN) f()', after: 'if (Number.isNaN(x)) f()' },
      },
    ],
  })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(nan)
})

test('fix never leaves the repository, by dots, by a link or into the folder of git', () => {
  const outside = tempFolder()
  writeFileSync(join(outside, 'a.ts'), nan)
  const root = tempRepo({ 'a.ts': nan })
  const [finding = ''] = findings(root)
  symlinkSync(outside, join(root, 'out'))
  symlinkSync(join(outside, 'a.ts'), join(root, 'link.ts'))
  mkdirSync(join(root, '.git/x'))
  writeFileSync(join(root, '.git/x/a.ts'), nan)
  const paths = [
    `../${outside.split('/').at(-1)}/a.ts`,
    join(outside, 'a.ts'),
    'out/a.ts',
    'link.ts',
    '.git/x/a.ts',
    './a.ts',
    'a.ts/',
  ]
  for (const path of paths) {
    const { code, stdout } = deepscan(root, ['fix'], JSON.stringify({ ...JSON.parse(finding), path }))
    expect([path, code, stdout]).toEqual([path, 2, ''])
  }
  for (const file of [join(outside, 'a.ts'), join(root, '.git/x/a.ts'), join(root, 'a.ts')]) {
    expect(readFileSync(file, 'utf8')).toBe(nan)
  }
  expect(existsSync(join(root, 'out/a.ts'))).toBe(true)
})

test('schema prints the records', () => {
  const { code, stdout } = deepscan(tempFolder(), ['schema', 'finding'])
  const schema = JSON.parse(stdout)
  expect([code, schema.properties.column.description]).toEqual([
    0,
    'In UTF-16 units, from 1; a byte order mark does not count',
  ])
  expect(Object.keys(schema.properties)).toContain('fixable')
})
