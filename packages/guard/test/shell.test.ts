import { scaled, tempRepo } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../src/judge-command.ts'
import { isReading, plainGit } from '../src/plain-git.ts'
import { readScene } from '../src/scene/scene.ts'
import { expandBraces } from '../src/shell/braces.ts'
import { mayMatter } from '../src/shell/filter.ts'
import { readOptions } from '../src/shell/options.ts'
import { judgedAlways, judgedWith, runners } from '../src/shell/programs.ts'
import { readShell } from '../src/shell/read-shell.ts'
import { nothingFound } from '../src/verdict/finding.ts'
import { weighGit } from '../src/weigh-git.ts'
import { worldOf } from './world.ts'

const scene = readScene(tempRepo({ 'a.txt': '\n' }), worldOf({ HOME: '/home/ada', GIT_CONFIG_GLOBAL: '/dev/null' }))
const place = {
  cwd: '/here',
  home: '/home/ada',
  aliasOf: () => undefined,
  topOf: () => undefined,
  namesIn: () => [],
  spend: () => undefined,
  scriptAt: () => undefined,
}
const words = (text: string) => readShell(text, place).commands.map(({ argv }) => argv)

const quoted = (word: string) =>
  fc.constantFrom(
    word,
    `'${word}'`,
    `"${word}"`,
    `\\${word}`,
    `${word.slice(0, 1)}''${word.slice(1)}`,
    `$'${word}'`,
    `{${word},}`,
  )
const word = fc
  .constantFrom(
    'rm',
    '-rf',
    '/',
    '~',
    'git',
    'push',
    '-f',
    'origin',
    'main',
    'reset',
    '--hard',
    'x',
    'dd',
    'of=/dev/sda',
    'sudo',
    'sh',
    '-c',
    'xargs',
    '/bin/r?',
    'env',
    'docker',
    'npm',
    'unpublish',
  )
  .chain(quoted)
const operator = fc.constantFrom(' ', ' ', ' ', ' | ', ' && ', '; ', ' > ', ' $(', ') ', ' \\\n', '\n', ' <<< ', ' & ')
const line = fc.array(fc.tuple(word, operator), { minLength: 1, maxLength: 12 }).map((parts) => parts.flat().join(''))

describe('the filter', () => {
  it('lets through whatever the judge would stop', () => {
    fc.assert(
      fc.property(line, (text) => mayMatter(text) || judgeCommand(text, scene).verdict.decision === 'allow'),
      { numRuns: scaled(20_000) },
    )
  })

  it.each(['npm test', 'ls -la', 'cat README.md', 'npm run build && npm test', "echo 'hello'", 'docker ps', 'make'])(
    'spares %s the parser',
    (text) => expect(mayMatter(text)).toBe(false),
  )
})

describe('the names that the filter looks for', () => {
  it('are each found, however long they are', () => {
    const names = [...judgedAlways, ...runners].flatMap((name) => [name, `/usr/bin/${name.toUpperCase()}`])
    expect(names.filter((name) => !mayMatter(`${name} x`))).toEqual([])
    const pairs = [...judgedWith].flatMap(([name, words]) => words.map((word) => `${name} ${word}`))
    expect(pairs.filter((pair) => !mayMatter(pair))).toEqual([])
  })
})

describe('a plain call of git', () => {
  const options = [
    '-f',
    '--force',
    '--hard',
    '-fd',
    '-D',
    '--delete',
    '--all',
    '--mirror',
    '--no-verify',
    '--help',
    '-n',
  ]
  const others = ['origin', 'main', '+main', ':main', 'HEAD', 'x', '.', 'drop', 'alias.x=y', '-C', '/', '--', '@', 'sh']
  const subcommands = ['push', 'reset', 'checkout', 'clean', 'branch', 'stash', 'reflog', 'commit', 'add', 'status']
  const argument = fc.constantFrom(...options, ...others, ...subcommands)
  const first = fc.constantFrom(...subcommands, 'log', 'diff', 'config', 'rebase', 'submodule', 'worktree', 'fetch')
  const call = fc
    .tuple(first, fc.array(argument, { maxLength: 5 }))
    .map(([name, rest]) => ['git', name, ...rest].join(' '))

  it('is judged without the parser as with it, in an issue too', () => {
    const issue = { ...scene, worktree: scene.root }
    fc.assert(
      fc.property(call, fc.constantFrom(scene, issue), (text, where) => {
        const argv = plainGit(text)
        if (argv === undefined) return
        const verdict = isReading(argv, where) ? nothingFound : weighGit(argv, where)
        expect(verdict).toEqual(judgeCommand(text, where).verdict)
      }),
      { numRuns: scaled(20_000) },
    )
  })

  it.each([
    'git -C / push',
    'git push "x"',
    'git  status',
    'git status; rm -rf /',
    'git status\nrm -rf /',
    'git log *',
    'git log ~',
  ])('is not %j', (text) => expect(plainGit(text)).toBeUndefined())
})

describe('any text', () => {
  it('is judged without an error', () => {
    const texts = fc.oneof(line, fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }))
    fc.assert(
      fc.property(texts, (text) => judgeCommand(text, scene).verdict.decision !== undefined),
      { numRuns: scaled(3000) },
    )
  })

  it.each([
    ['substitutions', `${'$('.repeat(5000)}rm -rf /${')'.repeat(5000)}`],
    ['quotes', `sh -c "${'sh -c \\"'.repeat(500)}rm -rf /`],
    ['subshells', `${'('.repeat(3000)}rm -rf /${')'.repeat(3000)}`],
    ['braces', `rm -rf ${'{a,'.repeat(300)}/${'}'.repeat(300)}`],
    [
      'doubling variables',
      `a=xx;${Array.from({ length: 60 }, (_, n) => `a${n + 1}=$a${n || ''}$a${n || ''}`).join(';')}; rm -rf $a60 /`,
    ],
    ['circular variables', 'a=$b; b=$a; rm -rf $a'],
    ['wrappers', `${'sudo '.repeat(2000)}rm -rf /`],
    ['a circle of aliases', 'git -c alias.a=b -c alias.b=a a; rm -rf /'],
  ])('that nests %s is stopped, in bounded work', (_, text) => {
    expect(['deny', 'ask']).toContain(judgeCommand(text, scene).verdict.decision)
  })

  it('of a megabyte is judged like a short one', () => {
    const long = `cat <<'EOF' > notes.md\n${'rm -rf / is bad; "$( {a,b} `\n'.repeat(40_000)}EOF\n`
    expect(judgeCommand(long, scene).verdict.decision).toBe('allow')
    expect(judgeCommand(`${long}rm -rf /\n`, scene).verdict).toMatchObject({ decision: 'deny', rule: 'rm.root' })
    const many = `${'echo a b c;'.repeat(10_000)} rm -rf /`
    expect(['deny', 'ask']).toContain(judgeCommand(many, scene).verdict.decision)
  })
})

describe('a line of shell', () => {
  it.each<[string, string[][]]>([
    [`r\\m "-r"'f' $'\\x2f'`, [['rm', '-rf', '/']]],
    ['a=1 b; c | d && e', [['b'], ['c'], ['d'], ['e']]],
    ['x=/etc; rm $x/y ~/z', [[], ['rm', '/etc/y', '/home/ada/z']]],
    ['echo {a,b}{c,d}', [['echo', 'ac', 'ad', 'bc', 'bd']]],
    ['f() { a; }; for i in 1 2; do b $i; done', [['b', '1', '2'], ['a']]],
  ])('%s is read into its commands', (text, commands) => {
    expect(words(text)).toEqual(commands)
  })

  it('is followed where it goes', () => {
    const read = readShell('cd /a; (cd b; x); y; cd $Z; z', place)
    expect(read.commands.filter(({ argv }) => /^[xyz]$/.test(argv[0] ?? '')).map(({ cwd }) => cwd)).toEqual([
      '/a/b',
      '/a',
      '\u0000',
    ])
  })
})

describe('braces', () => {
  it.each([
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,{b,c}}', ['a', 'b', 'c']],
    ["'{a,b}'", ["'{a,b}'"]],
    ['{a}', ['{a}']],
    [['$', '{a,b}'].join(''), [['$', '{a,b}'].join('')]],
    ['{,x}', ['', 'x']],
  ])('expand %s', (source, expanded) => expect(expandBraces(source)).toEqual(expanded))
})

describe('options', () => {
  it('are read as getopt does: bundled, joined, by unique prefix, up to --', () => {
    const { flags, values, operands } = readOptions(['-xo', 'v', '-oW', '--for', '--mes=a', 'b', '--', '-c'], {
      valued: 'o',
      long: ['force', 'message=', 'format='],
    })
    expect([...flags]).toEqual(['x', 'o', 'for', 'message'])
    expect([...values]).toEqual([
      ['o', ['v', 'W']],
      ['message', ['a']],
    ])
    expect(operands).toEqual(['b', '-c'])
  })
})
