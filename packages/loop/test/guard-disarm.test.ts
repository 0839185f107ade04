import { join } from 'node:path'
import { git, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ok, place } from './place.ts'
import { sessionAt } from './session-place.ts'

const here = place()
const { root } = here

/** What the hook of Claude Code says in a session: its decision, and the rule. */
function hook(session: string, tool: string, given: object, cwd = root, mode = 'default'): string {
  const called = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: given, permission_mode: mode }
  const input = JSON.stringify({ session_id: session, cwd, ...called })
  const { code, stdout } = run('loop', ['hook', '--host', 'claude'], { cwd, input })
  expect(code).toBe(0)
  const decision = /"permissionDecision":"(\w+)"/.exec(stdout)?.[1] ?? 'allow'
  return `${decision} ${/\(([a-z]+\.[a-z-]+)\)/.exec(stdout)?.[1] ?? ''}`.trim()
}

describe('a client that asks for nothing', () => {
  const free = (tool: string, given: object) => hook('s-3', tool, given, root, 'bypassPermissions')

  it.each([
    'echo {} > .claude/settings.json',
    'cp x .claude/settings.json',
    'git push origin :feature > ~/.bashrc',
    'git push origin :feature && true',
    'git push origin ":feature"',
    'git push --receive-pack=.git/x origin :feature',
    'git push origin :feature\ntrue',
  ])('has denied what it might let run unasked: %s', (command) => {
    expect(free('Bash', { command })).toMatch(/^deny /)
    expect(hook('s-3', 'Bash', { command })).toMatch(/^ask /)
  })

  it('has denied files that it might write unasked', () => {
    const settings = { file_path: join(root, '.claude/settings.json'), content: '{}' }
    expect(free('Write', settings)).toBe('deny rm.settings')
    expect(hook('s-3', 'Write', settings)).toBe('ask rm.settings')
  })

  it.each(['git push origin :feature', 'loop cancel', 'loop cancel --all'])('asks about plain words: %s', (command) => {
    expect(free('Bash', { command })).toMatch(/^ask /)
  })
})

describe('a session that works an issue', () => {
  const session = sessionAt(here, 's-1')
  const id = here.issue('Write b.txt')
  ok(session.loop('start', '--issue', id, '--verify', 'test -f b.txt'))
  const [worktree = ''] = git(root, 'worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => /^worktree (.*\/loop\/.*)$/.exec(line)?.[1] ?? [])

  it('is held to it wherever it stands', () => {
    expect(hook('s-1', 'Write', { file_path: join(root, 'src/a.ts') })).toBe('deny issue.outside')
    expect(hook('s-1', 'Write', { file_path: join(worktree, 'a.ts') })).toBe('allow')
    expect(hook('s-1', 'Bash', { command: 'git commit --no-verify -m x' })).toMatch(/^deny git\./)
    expect(hook('s-1', 'Bash', { command: `cd ${root} && git commit -m x` }, worktree)).toBe('deny git.main-tree')
    expect(hook('s-1', 'Bash', { command: 'echo x > .git/hooks/pre-commit' })).toBe('deny issue.store')
    expect(hook('s-2', 'Write', { file_path: join(root, 'src/a.ts') })).toBe('allow')
  })

  it('closes it by landing, and is cancelled by the person', () => {
    expect(hook('s-1', 'Bash', { command: `tissue close ${id}` })).toBe('deny loop.disarm')
    expect(hook('s-1', 'Bash', { command: 'loop uninstall claude' })).toBe('deny loop.disarm')
    expect(hook('s-1', 'Bash', { command: 'loop review post lgtm' })).toBe('deny loop.verdict')
    expect(hook('s-1', 'Bash', { command: 'loop cancel' })).toBe('ask loop.cancel')
    ok(session.loop('cancel'))
    ok(run('loop', ['status'], { cwd: root }))
  })
})
