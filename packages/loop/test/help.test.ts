import { readFileSync } from 'node:fs'
import { guideFaults } from '@switchyard/cli-kit/verb-guide'
import { run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { guide } from '../src/verb-guide.ts'
import { verbs } from '../src/verbs.ts'
import { ok, place } from './place.ts'

describe('loop help', () => {
  it('has every verb in one group', () => {
    expect(guideFaults(guide, Object.keys(verbs))).toEqual([])
  })

  it('fits a screen', () => {
    const { code, stdout } = run('loop', ['help'], { cwd: tempFolder('help') })
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.filter((line) => line.length > 130)).toEqual([])
    expect(lines.length).toBeLessThan(50)
    expect(stdout).toContain('\nWORK\n  run ')
  })

  it('lists what people type; hook, which hosts call, has its own page', () => {
    const help = (...args: string[]) => run('loop', ['help', ...args], { cwd: tempFolder('help') })
    expect(help().stdout).not.toMatch(/^ {2}hook\b/m)
    expect(help('hook')).toMatchObject({ code: 0, stdout: expect.stringContaining('loop hook') })
  })

  it('lists no flags that are for programs: trace takes --dot and --replay, and its page has neither', () => {
    const { stdout } = run('loop', ['trace', '--help'], { cwd: tempFolder('help') })
    expect(stdout).toMatch(/^ {6}--store DIR /m)
    expect(stdout).not.toMatch(/--(dot|replay)/)
  })

  it.each([
    [['drain'], 'expected a verb, got "drain"; did you mean loop run --issues?'],
    [['once', 'x'], 'expected a verb, got "once"; did you mean loop run --once?'],
    [['worktree', 'exec', 'x'], 'expected a verb, got "worktree exec"; did you mean loop worktree path?'],
    [['plugin', 'validate', 'x'], 'did you mean loop plugin build --check?'],
    [['recover', '--dry-run'], 'expected a verb, got "recover"; did you mean loop doctor --fix?'],
    [['queue', 'retry'], 'expected a verb, got "queue retry"; did you mean loop land?'],
    [['anchor', 'show'], 'did you mean loop status --anchor?'],
    [['guard', 'explain', 'ls'], 'expected a verb, got "guard explain"; did you mean loop guard test --explain?'],
    [['worktree', 'ad', 'x'], 'did you mean loop worktree add?'],
    [['worktree', 'add'], 'expected <name>'],
  ])('says what to do about %j', (args, message) => {
    const { code, stdout, stderr } = run('loop', args, { cwd: tempFolder('help') })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

it('a shell is offered the worktrees there are', () => {
  const at = place()
  ok(at.loop('worktree', 'add', 'try-it'))
  const script = ok(at.loop('completion', 'bash')).stdout
  expect(script).toContain("'worktree') command 'loop' 'worktree' 'list'")
})

it('the reference of the guide names every verb, and no other', () => {
  const page = readFileSync(new URL('../../../docs/loop.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n## Reference\n([\s\S]*?)(?:\n## |$)/.exec(page) ?? []
  const named = [...section.matchAll(/^\| `([a-z-]+(?: [a-z-]+)?)[^|]*` \|/gm)].map(([, name]) => name)
  const words = Object.keys(verbs)
  expect(words.filter((name) => !named.includes(name))).toEqual([])
  expect(named.filter((name) => name === undefined || !words.includes(name))).toEqual([])
})
