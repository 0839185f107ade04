// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are source text
import { expect, test } from 'vitest'
import { rules } from '../src/rules/all.ts'
import { scanSource } from '../src/scan/scan.ts'
import type { RuledLanguage } from '../src/syntax/language.ts'
import { loadParser } from '../src/syntax/parser.ts'
import { scanned } from './scanned.ts'

const parse = await loadParser('python')

function found(language: RuledLanguage, text: string, isForeignHeard = true): readonly string[] {
  const scan = scanned(scanSource(parse, { path: 'a', language, text }, rules, { isForeignHeard }))
  return scan.matches.map(({ finding }) => finding.rule)
}

const inJavascript = [
  "import { exec } from 'child_process'\nexec('ls ' + n)",
  "import { execSync as run } from 'node:child_process'\nrun(`ls ${n}`)",
  "import * as cp from 'child_process'\ncp.execSync('ls ' + n)",
  "import cp from 'node:child_process'\ncp.exec('ls ' + n)",
  "import cp = require('child_process')\ncp.exec('ls ' + n)",
  "const cp = require('child_process')\ncp.exec('ls ' + n)",
  "const { exec } = require('child_process')\nexec('ls ' + n)",
  "const { exec: run } = require('child_process')\nrun('ls ' + n)",
  "const run = require('child_process').exec\nrun('ls ' + n)",
  "require('child_process').exec('ls ' + n)",
  "const cp = require('child_process')\nconst run = cp.execSync\nrun('ls ' + n)",
  "const { promisify } = require('util')\nconst cp = require('child_process')\nconst run = promisify(cp.exec)\nrun('ls ' + n)",
  "async function f(n) { const { exec } = await import('node:child_process'); exec('ls ' + n) }",
  "import { spawn } from 'child_process'\nspawn(`ls ${n}`, { shell: true })",
  "import { exec } from 'child_process'\nfunction f(n) { const c = 'ls ' + n\nexec(c) }",
  "import { exec } from 'child_process'\nfunction f(n) { let c = 'ls'\nc += n\nexec(c) }",
  "import { exec } from 'child_process'\nfunction f(n) { exec(['ls', n].join(' ')) }",
]

test.each(inJavascript)('the shell is found by its import: %s', (text) => {
  expect(found('typescript', text)).toEqual(['js/shell-injection'])
})

const cleanJavascript = [
  "import { exec } from './mine'\nimport 'child_process'\nexec('ls ' + n)",
  "import { spawn } from 'child_process'\nfunction exec(x) {}\nexec('ls ' + n)",
  "import { exec } from 'child_process'\nfunction f(exec, n) { exec('ls ' + n) }",
  "import { exec } from 'child_process'\nfunction f(n) { const exec = g; exec('ls ' + n) }",
  "import { exec } from 'child_process'\nexec(`ls ${flag ? 'a' : 'b'}`)",
  "import { exec } from 'child_process'\nconst parts = ['ls', '-l']\nexec(parts.join(' '))",
  "import { exec } from 'child_process'\nexec('echo ' + process.version + process.execPath)",
  "import { exec } from 'child_process'\nfunction f(pid) { exec('kill ' + Number(pid)) }",
  "import { exec } from 'child_process'\nexec(command)",
  "import { spawn } from 'child_process'\nspawn(`ls ${n}`)",
]

test.each(cleanJavascript)('a name of the file, or a text without a value, is no shell command: %s', (text) => {
  expect(found('typescript', text)).toEqual([])
})

test('S2: a Buffer of the file is not that of Node', () => {
  for (const text of [
    'class Buffer {}\nnew Buffer(10)',
    "import { Buffer } from './ring'\nnew Buffer(10)",
    'function f(Buffer) { return new Buffer(10) }',
  ])
    expect([text, found('javascript', text)]).toEqual([text, []])
  expect(found('javascript', "import { Buffer } from 'node:buffer'\nnew Buffer(10)")).toEqual(['js/new-buffer'])
})

const inPython: readonly (readonly [string, string])[] = [
  ['py/weak-password-hash', 'from hashlib import md5\nmd5(password)\n'],
  ['py/weak-password-hash', 'import hashlib as h\nh.sha1(password)\n'],
  ['py/weak-password-hash', 'from hashlib import md5 as digest\ndigest(password)\n'],
  ['py/shell-injection', "from os import system\nsystem('ls ' + n)\n"],
  ['py/shell-injection', "import subprocess as sp\nsp.run('ls ' + n, shell=True)\n"],
  ['py/shell-injection', "from subprocess import run\nrun(f'ls {n}', shell=True)\n"],
  ['py/shell-injection', "import subprocess\ndef f(n):\n    c = 'ls ' + n\n    subprocess.run(c, shell=True)\n"],
  ['py/shell-injection', "import os\ndef f(xs):\n    os.system(' '.join(['ls', *xs]))\n"],
  ['py/shell-injection', "import os\ndef f(n):\n    c = 'ls'\n    c += n\n    os.popen(c)\n"],
  [
    'py/shell-injection',
    "try:\n    import subprocess\nexcept ImportError:\n    subprocess = None\nsubprocess.call('a %s' % b, shell=True)\n",
  ],
  ['py/insecure-tempfile', 'from tempfile import mktemp\nmktemp()\n'],
  ['py/tls-verification-off', 'from requests import get\nget(u, verify=False)\n'],
  ['py/built-eval', 'import sys\neval(sys.argv[1])\n'],
]

test.each(inPython)('%s is found by its import: %s', (rule, text) => {
  expect(found('python', text)).toEqual([rule])
})

test.each([
  'def system(c):\n    pass\nsystem("ls " + n)\n',
  'from mine import system\nsystem("ls " + n)\n',
  "import os\nos = Machine()\nos.system('ls ' + n)\n",
  "import os, shlex\nos.system('ls ' + shlex.quote(n))\n",
  "import os\nDIR = '/tmp'\nos.system('ls ' + DIR)\n",
  "import os\ndef f(os, n):\n    os.system('ls ' + n)\n",
])('a name of the file, or a quoted value, is no shell command: %s', (text) => {
  expect(found('python', text)).toEqual([])
})

test('S2: nothing is found on a line that the grammar cannot read', () => {
  for (const text of [
    'type I<X> = () => I<I<X>>;\n',
    'declare const a: Array<?Array<number>>\n',
    'class A<X> { x: A<A<X>> }\n',
    'const y = (f |> f)\n',
  ])
    expect([text, found('javascript', text)]).toEqual([text, []])
  expect(found('javascript', '/* @flow */\nconst a = (x: Array<Array<number>>) => a.b || a.b\n')).toEqual([
    'js/duplicate-operand',
  ])
})

test('S3: comments by which other tools are silent are heard, for the same defect alone', () => {
  const silent: readonly (readonly [RuledLanguage, string])[] = [
    ['javascript', '// eslint-disable-next-line no-eval\neval(x)'],
    ['javascript', 'eval(x) // eslint-disable-line'],
    ['javascript', '/* eslint-disable no-eval -- needed */\nf()\neval(x)'],
    ['javascript', '// biome-ignore lint/security/noGlobalEval: needed\neval(x)'],
    ['javascript', '// oxlint-disable-next-line no-eval\neval(x)'],
    ['typescript', "// eslint-disable-next-line @typescript-eslint/only-throw-error\nthrow 'x'"],
    ['python', 'try:\n    f()\nexcept:  # noqa: E722\n    pass\n'],
    ['python', 'try:\n    f()\nexcept:  # pylint: disable=bare-except\n    pass\n'],
    ['python', 'import os\nos.system("ls " + n)  # nosec\n'],
    ['python', 'import os\nos.system("ls " + n)  # nosec B605\n'],
    ['python', '# ruff: noqa: S605\nimport os\nos.system("ls " + n)\n'],
    ['python', 'def f():\n    # pylint: disable=bare-except\n    try:\n        f()\n    except:\n        pass\n'],
  ]
  for (const [language, text] of silent) {
    expect([text, found(language, text)]).toEqual([text, []])
    expect([text, found(language, text, false).length]).toEqual([text, 1])
  }
  const loud: readonly (readonly [RuledLanguage, string])[] = [
    ['javascript', '// eslint-disable-next-line no-undef\neval(x)'],
    ['javascript', '/* eslint-disable no-eval */\nf()\n/* eslint-enable no-eval */\neval(x)'],
    ['python', 'try:\n    f()\nexcept:  # noqa: F401\n    pass\n'],
    ['python', 'import os\nos.system("ls " + n)  # nosec B101\n'],
  ]
  for (const [language, text] of loud) expect([text, found(language, text).length]).toEqual([text, 1])
})

test.each([
  ['javascript', '/* eslint-disable no-eval */\n', 'eval(x)'],
  ['javascript', '// deepscan-ignore js/dynamic-eval\neval(x)\n', ''],
  ['python', '    # pylint: disable=eval-used\n    f()\n', '    eval(a + b)\n'],
] as const)('a file that is all requests for silence is read in one pass: %s %s', (language, request, code) => {
  const many = request.repeat(Math.floor(160_000 / request.length))
  const text = language === 'python' ? `def f():\n${many}${code}eval(a + b)\n` : `${many}${code}`
  expect(found(language, text).length).toBe(language === 'python' ? 1 : 0)
})

test('of matches of one rule that lie in each other the outermost is the finding', () => {
  const scan = scanned(scanSource(parse, { path: 'a', language: 'javascript', text: 'eval(eval(x))' }, rules))
  expect(scan.matches.map(({ finding }) => finding.quote)).toEqual(['eval(eval(x))'])
})

test('each rule that has a rewrite says whether it is safe, and why', () => {
  for (const { id, rewrite, safety, proof } of rules) {
    expect([id, rewrite === undefined, safety === undefined]).toEqual([
      id,
      rewrite === undefined,
      rewrite === undefined,
    ])
    if (rewrite) expect(`${id}: ${proof}`).toMatch(safety === 'safe' ? /\.$/ : /: Whether .*\.$/)
  }
})
