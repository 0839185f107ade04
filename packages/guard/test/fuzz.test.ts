import { join } from 'node:path'
import { git, scaled, tempFolder, tempRepo } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../src/judge-command.ts'
import { readScene, type Scene } from '../src/scene/scene.ts'
import { worldOf } from './world.ts'

const root = tempRepo({ 'a.txt': 'one\n', 'src/b.txt': 'two\n' })
git(root, 'branch', '-M', 'main')
const world = { ...worldOf({ HOME: tempFolder('home'), GIT_CONFIG_GLOBAL: '/dev/null' }), clock: () => 0 }
const main = readScene(root, world)
const issue: Scene = { ...main, worktree: join(root, 'src') }
const inherited = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'name', 'length']
const verdicts = ['allow', 'warn', 'ask', 'deny']

/** What the guard says, and that it neither failed nor took more work than it may. */
function judged(text: string, scene: Scene, agent?: string) {
  const { cpuUsage } = process
  const before = cpuUsage()
  const { verdict } = judgeCommand(text, scene, agent)
  const { user, system } = cpuUsage(before)
  expect([text.slice(0, 300), verdict.at]).not.toEqual([
    text.slice(0, 300),
    expect.stringContaining('a bug in the guard'),
  ])
  expect(verdicts).toContain(verdict.decision)
  expect([text.slice(0, 300), (user + system) / 1_000_000 < 8]).toEqual([text.slice(0, 300), true])
  return verdict
}

describe('the names that every object has', () => {
  const shapes = [
    (name: string) => name,
    (name: string) => `${name} x`,
    (name: string) => `git ${name}`,
    (name: string) => `git -c ${name}=x ${name} ${name}`,
    (name: string) => `git config ${name} ${name}`,
    (name: string) => `git push --${name} origin ${name}`,
    (name: string) => `git branch ${name} -D ${name}`,
    (name: string) => `sudo --${name} ${name} ${name}`,
    (name: string) => `xargs ${name}`,
    (name: string) => `true | ${name} b`,
    (name: string) => `npm ${name} ${name}; docker ${name} ${name}; kubectl ${name}; aws ${name}; gh ${name}`,
    (name: string) => `${name}=1 ${name} "$${name}"; rm -f "$${name}"`,
    (name: string) => `echo \${${name}:-${name}} > ${name}`,
    (name: string) => `python3 -m ${name} -c ${name}; node -e ${name}; ${name} -c ${name}; ssh ${name} ${name}`,
    (name: string) => `find ${name} -${name} -exec ${name} {} +`,
    (name: string) => `curl --${name} ${name}; tar -C ${name}; sed -i ${name} ${name}; prisma ${name}; loop ${name}`,
    (name: string) => `poetry run ${name}; mise exec ${name}; uv ${name}; bundle ${name}; tmux ${name}; env ${name}`,
    (name: string) => `printf '%${name}' ${name} | ${name} | base64 -d | sh; alias ${name}=${name}; trap ${name} EXIT`,
  ]

  it.each(inherited)('crash nothing, in whatever place they stand: %s', (name) => {
    for (const shape of shapes) {
      const text = `${shape(name)}\ngit push --force origin main`
      expect([text, judged(text, main).decision]).toEqual([text, 'deny'])
      expect([text, judged(text, issue).decision]).toEqual([text, 'deny'])
      expect([text, judged(text, main, 'reviewer').decision]).toEqual([text, 'deny'])
    }
  })
})

describe('any command', () => {
  const wordy = fc.constantFrom(
    ...inherited,
    ...[
      'rm',
      '-rf',
      '/',
      '~',
      '.',
      '..',
      '*',
      '.*',
      '[!.]*',
      '?',
      '{a,b}',
      '{1..9}',
      '$x',
      '"$@"',
      `\${x:-y}`,
      '$((1+1))',
    ],
    ...[
      'git',
      'push',
      '-f',
      '--force',
      'origin',
      'main',
      '+main',
      ':main',
      'reset',
      '--hard',
      '-C',
      '-c',
      'alias.x=!sh',
    ],
    ...['sh', '-c', 'eval', 'xargs', '-I{}', 'find', '-exec', '{}', '+', 'sudo', 'env', '-i', 'ssh', 'docker', 'exec'],
    ...["'rm -rf /'", '"$(cat x)"', '`ls`', '$(', ')', '(', '{', '}', 'if', 'then', 'fi', 'for', 'in', 'do', 'done'],
    ...[
      'a=b',
      'HOME=/x',
      'f(){',
      ';}',
      '[[',
      ']]',
      '<(',
      '>(',
      '${',
      '\\',
      "'",
      '"',
      '$',
      '#',
      '!',
      '\u0000',
      'é',
      '😀',
    ],
    ...[
      'python3',
      '-c',
      '\'import os; os.system("rm -rf /")\'',
      'awk',
      'sed',
      '-i',
      's/a/b/',
      'tee',
      'loop.json',
      '.git/x',
    ],
  )
  const joint = fc.constantFrom(
    ' ',
    ' ',
    ' ',
    ' ',
    '',
    ';',
    ' | ',
    ' && ',
    ' || ',
    '\n',
    ' > ',
    ' >> ',
    ' < ',
    ' <<< ',
    ' & ',
    ' <<E\n',
    '\nE\n',
  )
  const plain = fc.array(fc.tuple(wordy, joint), { minLength: 1, maxLength: 25 }).map((parts) => parts.flat().join(''))
  const nested = fc
    .tuple(
      fc.constantFrom('$(', '(', '{ ', 'sudo ', 'eval ', 'sh -c "', '${x:-', '<(', '[[ ', 'if '),
      fc.nat(400),
      plain,
    )
    .map(([open, times, inner]) => open.repeat(times) + inner)
  const huge = fc
    .tuple(wordy, fc.nat(3000), plain)
    .map(([word, times, rest]) => `${rest} ${word.repeat(times)} ${rest}`)
  const many = fc.tuple(plain, fc.nat(200)).map(([text, times]) => `${text} `.repeat(times))
  const any = fc.oneof({ weight: 12, arbitrary: plain }, nested, huge, many)

  it('gets one of the verdicts, within its budget', () => {
    const scene = fc.constantFrom<[Scene, string | undefined]>(
      [main, undefined],
      [issue, undefined],
      [main, 'reviewer'],
    )
    fc.assert(
      fc.property(any, scene, (text, [where, agent]) => void judged(text, where, agent)),
      { numRuns: scaled(100_000, 50) },
    )
  })

  it.each([
    'rm -rf',
    'git add',
    'git push origin',
    'python3 -c',
    'sh -c',
    'find',
    'xargs',
    'psql -c',
    'sed -i',
    '>',
    'x=',
  ])('is read in bounded work, however long it is: %s', (start) => {
    for (const part of [
      '/',
      "'",
      '"',
      'a ',
      '$(',
      '\\',
      '{a,b}',
      'system("',
      '*[',
      '-c ',
      '$x',
      '<<E\n',
      'a-',
      ' -x=',
    ]) {
      judged(`${start} ${part.repeat(scaled(60_000, 6))}; git push -f origin main`, issue)
    }
  })

  it('is judged with some of its budget left when it is large but plain', () => {
    const files = Array.from({ length: 3000 }, (_, at) => `src/part-${at}/file.ts`).join(' ')
    expect(judged(`git add ${files}`, main).decision).toBe('allow')
    expect(judged(`rm ${files}`, issue).rule).not.toBe('guard.unjudged')
  })
})
