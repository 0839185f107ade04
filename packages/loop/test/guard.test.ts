import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guardExplanation, guardRule, guardVerdict } from '@switchyard/guard/guard-schema'
import { ruleTable } from '@switchyard/guard/rule-table'
import { readSettings } from '@switchyard/guard/settings'
import { git, run, tempRepo, trust } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { configSchema } from '../src/config/config-schema.ts'

const root = tempRepo({ 'a.txt': 'one\n', 'src/b.txt': 'two\n' })
git(root, 'branch', '-M', 'main')

/** A repository with settings. */
function project(settings: unknown): string {
  const folder = tempRepo({ 'a.txt': '\n' })
  writeFileSync(join(folder, 'loop.json'), typeof settings === 'string' ? settings : JSON.stringify(settings))
  if (typeof settings !== 'string') trust(folder)
  return folder
}

const guard = (args: readonly string[], cwd = root, input = '', env = {}) =>
  run('loop', ['guard', ...args], { cwd, input, env })

describe('loop guard test', () => {
  it('lets the innocent through with exit 0', () => {
    expect(guard(['test', 'ls -la'])).toMatchObject({ code: 0, stdout: 'allow\n', stderr: '' })
    expect(guard(['test', 'ls -la', '--json'])).toMatchObject({
      code: 0,
      stdout: '{"decision":"allow","rule":null,"reason":"","at":""}\n',
    })
  })

  it('exits 1 where it denies and where it asks, and says which rule and what to do instead', () => {
    const denied = guard(['test', 'git push -f origin main'])
    expect(denied).toMatchObject({ code: 1, stderr: '' })
    expect(denied.stdout).toBe(
      'deny: loop guard (git.force-push): git push -f origin main: this push can rewrite a protected branch; ' +
        'push to a branch of your own and let it be merged\n',
    )
    expect(guard(['test', 'git branch -D topic', '--quiet'])).toMatchObject({ code: 1, stdout: 'ask\n' })
    expect(guard(['test', 'curl -s x | sh', '-q'])).toMatchObject({ code: 0, stdout: 'warn\n' })
  })

  it('reads a command from stdin and judges it where --cwd says', () => {
    expect(guard(['test', '-', '-q'], root, 'rm -rf ..\n')).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(guard(['test', 'rm -rf *', '--cwd', 'src', '-q'])).toMatchObject({ code: 0, stdout: 'allow\n' })
    expect(guard(['test', 'rm -rf *', '-q'])).toMatchObject({ code: 1, stdout: 'deny\n' })
  })

  it('judges what a tool would write within an issue, and leaves it alone outside of one', () => {
    const write = (path: string, env = {}) => guard(['test', '--tool', 'Write', '--path', path, '-q'], root, '', env)
    expect(write('/etc/hosts')).toMatchObject({ code: 0, stdout: 'allow\n' })
    const within = { LOOP_WORKTREE: join(root, 'src') }
    expect(write(join(root, 'a.txt'), within)).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(write(join(root, 'src', 'c.txt'), within)).toMatchObject({ code: 0, stdout: 'allow\n' })
    expect(write(join(root, '.jwz', 'x'), within)).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(write(join(root, 'loop.json'), within)).toMatchObject({ code: 1, stdout: 'deny\n' })
  })

  it('holds read-only agents to reading', () => {
    expect(guard(['test', 'touch x', '--agent', 'loop:reviewer', '-q'])).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(guard(['test', 'git log', '--agent', 'loop:reviewer', '-q'])).toMatchObject({ code: 0, stdout: 'allow\n' })
  })

  it('wants a command or a tool, not both', () => {
    expect(guard(['test'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--tool') })
    expect(guard(['test', 'ls', '--tool', 'Write'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('answers as its schema says', () => {
    const { stdout } = guard(['test', 'rm -rf /', '--json'])
    expect(guardVerdict.strict().parse(JSON.parse(stdout))).toMatchObject({ decision: 'deny', rule: 'rm.root' })
    expect(run('loop', ['schema', 'verdict'], { cwd: root }).stdout).toContain('"decision"')
  })
})

describe('loop guard test --explain', () => {
  it('refuses the id of a rule, and says where rules are explained', () => {
    expect(guard(['test', '--explain', 'git.force-push'])).toMatchObject({
      code: 2,
      stderr: 'loop: expected a line of shell, git.force-push is a rule; loop guard rules says what each is for\n',
    })
  })

  it('refuses a tool, which has no line of shell', () => {
    expect(guard(['test', '--explain', '--tool', 'Write', '--path', 'x'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('shows the commands within the command and what they met', () => {
    expect(guard(['test', '--explain', 'cd src && sudo sh -c "rm -rf .."'])).toMatchObject({
      code: 1,
      stdout: [
        'cd src',
        "sudo sh -c 'rm -rf ..'",
        "  sh -c 'rm -rf ..'  (by sudo)",
        '    rm -rf ..  (by sudo, sh -c)',
        `      deny: rm.repository: ${ruleTable['rm.repository'].reason}`,
        `verdict: deny: loop guard (rm.repository): rm -rf ..: ${ruleTable['rm.repository'].reason}`,
        '',
      ].join('\n'),
    })
  })

  it('answers as its schema says, from stdin too', () => {
    const { code, stdout } = guard(['test', '--explain', '-', '--json'], root, 'cd src; ls')
    const explained = guardExplanation.strict().parse(JSON.parse(stdout))
    expect(code).toBe(0)
    expect(explained.commands.map(({ command, cwd }) => [command, cwd])).toEqual([
      ['cd src', root],
      ['ls', join(root, 'src')],
    ])
    expect(guard(['test', '--explain', 'ls', '--cwd', 'src', '-q'])).toMatchObject({ code: 0, stdout: 'allow\n' })
  })
})

describe('loop guard rules', () => {
  it('lists every rule with what it decides', () => {
    const { code, stdout } = guard(['rules', '--json'])
    expect(code).toBe(0)
    const rules = z.array(guardRule.strict()).parse(JSON.parse(stdout))
    expect(rules.map(({ rule }) => rule)).toEqual(Object.keys(ruleTable))
    expect(guard(['rules', '-q']).stdout.split('\n').slice(0, 2)).toEqual(['git.force-push', 'git.force-push-branch'])
  })

  it('shows what the project changed and added', () => {
    const own = { id: 'own.deploy', command: ['make', 'deploy'], decision: 'ask', reason: 'a person deploys' }
    const folder = project({ guard: { rules: { 'git.hard-reset': 'off' }, add: [own] } })
    const { stdout } = guard(['rules', '--cwd', folder])
    expect(stdout).toMatch(/^git\.hard-reset +off +reset --hard \(built in: deny\)$/m)
    expect(stdout).toMatch(/^own\.deploy +ask +make deploy \(of this project\)$/m)
  })
})

describe('the guide', () => {
  it('has the table of rules as it is', () => {
    const page = readFileSync(new URL('../../../docs/loop.md', import.meta.url), 'utf8')
    const rows = Object.entries(ruleTable).map(([id, { decision, what }]) => `| \`${id}\` | ${decision} | ${what} |`)
    const told = page.split('\n').filter((line) => /^\| `[a-z]+\.[a-z-]+` \| (?:deny|ask|warn|allow) /.test(line))
    expect(told, 'each rule of packages/guard/src/verdict/rule-table.ts is a row of docs/loop.md').toEqual(rows)
  })
})

describe('loop.json', () => {
  it('changes a rule, switches one off, adds one, and protects more branches', () => {
    const folder = project({
      base: 'develop',
      guard: {
        protect: ['release/*'],
        rules: { 'git.hard-reset': 'off', 'git.clean': 'warn', 'shell.remote-script': 'deny' },
        add: [
          { id: 'own.deploy', command: ['make', '*'], flags: ['--prod'], decision: 'deny', reason: 'a person deploys' },
        ],
      },
    })
    const say = (command: string) => guard(['test', command, '-q'], folder).stdout.trim()
    expect(say('git reset --hard')).toBe('allow')
    expect(say('git clean -fdx')).toBe('warn')
    expect(say('curl x | sh')).toBe('deny')
    expect(say('make deploy --prod')).toBe('deny')
    expect(say('sudo make deploy --prod')).toBe('deny')
    expect(say('make deploy')).toBe('allow')
    expect(say('git push -f origin develop')).toBe('deny')
    expect(say('git push origin release/1.0')).toBe('deny')
    expect(say('git push origin develop')).toBe('allow')
  })

  it('is that of the main tree, whatever a worktree says in its own', () => {
    const folder = project({ guard: { rules: { 'shell.remote-script': 'deny' } } })
    const worktree = join(folder, '.worktrees', 'loop', 'x')
    git(folder, 'worktree', 'add', '-q', worktree)
    writeFileSync(join(worktree, 'loop.json'), '{"guard":{"rules":{"shell.remote-script":"off"}}}')
    expect(guard(['test', 'curl x | sh', '-q'], worktree).stdout).toBe('deny\n')
    expect(guard(['test', 'curl x | sh', '-q', '--cwd', worktree], folder).stdout).toBe('deny\n')
  })

  it('lets no branch go by what it says is the base', () => {
    const folder = project({})
    git(folder, 'checkout', '-q', '-b', 'acme')
    const worktree = join(folder, '.worktrees', 'loop', 'x')
    git(folder, 'worktree', 'add', '-q', worktree)
    const say = (branch: string) => guard(['test', `git push -f origin ${branch}`, '-q'], worktree).stdout
    expect([say('acme'), say('other'), say('else')]).toEqual(['deny\n', 'ask\n', 'ask\n'])
    writeFileSync(join(folder, 'loop.json'), '{"base":"other"}')
    expect([say('acme'), say('other'), say('else')]).toEqual(['deny\n', 'deny\n', 'ask\n'])
  })

  it('is read by the guard as its schema says', () => {
    const odd = fc.constantFrom<unknown>(null, 7, '', [], {}, [''], [7], 'x')
    const decision = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('deny', 'ask', 'warn', 'allow', 'off') }, odd)
    const words = fc.oneof({ weight: 6, arbitrary: fc.array(fc.constantFrom('a', '*', '-f', 'é')) }, odd)
    const id = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('own.a', 'b-2', 'B', 'a..b', 'a\n') }, odd)
    const fields = <T>(of: Record<string, fc.Arbitrary<T>>) =>
      fc.oneof(
        { weight: 9, arbitrary: fc.record(of, { requiredKeys: [] }) },
        { weight: 1, arbitrary: fc.record({ ...of, other: fc.constant(1) }) },
        { weight: 1, arbitrary: odd },
      )
    const own = fc.oneof(
      { weight: 6, arbitrary: fc.record({ id, command: words, decision, reason: fc.constantFrom('so', '') }) },
      fields<unknown>({ id, command: words, flags: words, has: words, decision, reason: id }),
    )
    const rules = fc.oneof({ weight: 6, arbitrary: fc.dictionary(fc.constantFrom('git.clean', 'x'), decision) }, odd)
    const add = fc.oneof({ weight: 6, arbitrary: fc.array(own, { maxLength: 2 }) }, odd)
    const packs = fc.oneof({ weight: 6, arbitrary: fc.subarray(['strict-git', 'secrets', 'data', 'system']) }, odd)
    const guarded = fields<unknown>({ protect: words, rules, add, packs })
    fc.assert(
      fc.property(guarded, (of) => {
        const text = JSON.stringify({ guard: of })
        const schema = configSchema.safeParse(JSON.parse(text))
        const { warning, protect, rules, add, packs } = readSettings(text)
        expect([text, warning === undefined]).toEqual([text, schema.success])
        if (!schema.success) return
        const read = {
          protect,
          rules: Object.fromEntries(rules),
          add,
          packs,
        }
        const told = schema.data.guard
        const whole = told.add.map((rule) => ({ ...rule, flags: rule.flags ?? [], has: rule.has ?? [] }))
        expect(read).toEqual({ ...told, add: whole })
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['{', 'loop.json'],
    ['{"guard": {"rules": {"git.clean": "never"}}}', 'guard.rules.git.clean'],
    ['{"guard": {"add": [{"id": "x"}]}}', 'guard.add.command'],
    ['{"guard": []}', 'guard'],
  ])('that is broken (%s) leaves the built-in rules, with a warning', (text, named) => {
    const said = guard(['test', 'git reset --hard', '-q'], project(text))
    expect(said).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(guard(['test', 'git reset --hard'], project(text)).stderr).toContain(named)
  })
})
