import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { adapters } from '@switchyard/wire/adapters'
import type { Host } from '@switchyard/wire/host'
import type { SettingsHost } from '@switchyard/wire/settings/hook-entry'
import { describe, expect, it } from 'vitest'
import { hookTable } from '../src/plugin/hook-table.ts'

const root = tempRepo({ 'a.txt': 'one\n', 'src/b.txt': 'two\n' })
git(root, 'branch', '-M', 'main')
mkdirSync(join(root, '.claude'))
symlinkSync('.claude', join(root, 'settings'))
symlinkSync('.git/hooks', join(root, 'hooks'))
const env = { HOME: realpathSync(tempFolder('home')), GIT_CONFIG_GLOBAL: '/dev/null' }

/** What the hook of a host says to a tool: its decision, and the rule. */
function said(host: Host, tool: string, given: object, more = {}): string {
  const fields = host === 'opencode' ? { tool, args: given } : { tool_name: tool, tool_input: given }
  const name =
    host === 'opencode' ? { event: 'pre-tool' } : { hook_event_name: host === 'gemini' ? 'BeforeTool' : 'PreToolUse' }
  const input = JSON.stringify({ session_id: 's', cwd: root, ...name, ...fields })
  const { code, stdout } = run('loop', ['hook', '--host', host], {
    cwd: root,
    env: { ...env, ...more },
    input,
  })
  expect(code).toBe(0)
  const decision = /"(?:permissionDecision|decision|do)":"(\w+)"/.exec(stdout)?.[1] ?? 'allow'
  return `${decision} ${/\(([a-z]+\.[a-z-]+)\)/.exec(stdout)?.[1] ?? ''}`.trim()
}

describe('a file that only its own tool or the person writes', () => {
  it.each<[Host, string, (path: string) => object, string]>([
    ['claude', 'Write', (path) => ({ file_path: join(root, path) }), 'ask'],
    ['claude', 'NotebookEdit', (path) => ({ notebook_path: path }), 'ask'],
    ['claude', 'mcp__files__write_file', (path) => ({ path }), 'ask'],
    ['codex', 'apply_patch', (path) => ({ command: `*** Begin Patch\n*** Update File: ${path}\n` }), 'deny'],
    ['gemini', 'write_file', (path) => ({ file_path: path }), 'deny'],
    ['gemini', 'mcp_files_write_file', (path) => ({ path }), 'deny'],
    ['opencode', 'filesystem_write_file', (path) => ({ path }), 'ask'],
    ['opencode', 'edit', (path) => ({ filePath: path }), 'ask'],
  ])('is not written unasked by %s with %s', (host, tool, given, decision) => {
    expect(said(host, tool, given('loop.json'))).toBe(`${decision} rm.settings`)
    expect(said(host, tool, given('.git/hooks/pre-commit'))).toBe(`${decision} git.settings`)
    expect(said(host, tool, given('src/b.txt'))).toBe('allow')
  })

  it('is found by the hook under another name, too', () => {
    expect(said('claude', 'Write', { file_path: 'settings/settings.json' })).toBe('ask rm.settings')
    expect(said('claude', 'Update', { path: '.GIT/HEAD' })).toBe('deny rm.git')
  })
})

describe('the folder that a call names', () => {
  it.each<[Host, string, object]>([
    ['gemini', 'run_shell_command', { command: 'rm -rf objects', dir_path: '.git' }],
    ['gemini', 'run_shell_command', { command: 'rm -rf objects', directory: '.git' }],
    ['opencode', 'bash', { command: 'rm -rf objects', workdir: join(root, '.git') }],
    ['codex', 'exec_command', { cmd: 'rm -rf objects', workdir: join(root, '.git') }],
    ['claude', 'Bash', { command: 'rm -rf objects', cwd: '.git' }],
  ])('is where %s runs it: %s %j', (host, tool, given) => {
    expect(said(host, tool, given)).toBe('deny rm.git')
    expect(said(host, tool, { ...given, command: 'ls', cmd: 'ls' })).toBe('allow')
  })

  it('changes nothing of what holds in the session', () => {
    const given = { command: 'touch x', dir_path: root }
    expect(said('gemini', 'run_shell_command', given, { LOOP_WORKTREE: join(root, 'src') })).toBe('deny issue.outside')
  })
})

describe('a folder that a line of shell enters by a pattern', () => {
  const worktree = join(root, '.worktrees', 'loop', 'one')
  const worker = { LOOP_WORKTREE: worktree }
  const written = (pattern: string) => said('claude', 'Bash', { command: `cd ${pattern} && touch x` }, worker)
  mkdirSync(worktree, { recursive: true })
  mkdirSync(join(root, '.other', 'two'), { recursive: true })

  it('is the one that the pattern means', () => {
    for (const pattern of [
      '.worktrees/loop/*',
      '.worktrees/*/on?',
      '.w*/../.w*/loop/[no]*',
      '.worktrees/loop/one/*/..',
    ])
      expect([pattern, written(pattern)]).toEqual([pattern, 'allow'])
  })

  it('is not known where the pattern means several, none or another', () => {
    for (const pattern of ['.*/*', '*/loop/one', '.worktrees/loop/x*', '.other/*', 'sr*'])
      expect([pattern, written(pattern)]).toEqual([pattern, 'deny issue.outside'])
  })
})

describe('a tool that a host does not list as its own', () => {
  const used = (host: Host, tool: string, given: object) =>
    adapters[host].tool(host === 'opencode' ? { tool, args: given } : { tool_name: tool, tool_input: given })
  const matches = (host: SettingsHost, tool: string) =>
    new RegExp(`^(?:.*(?:${hookTable[host].find(({ event }) => event === 'pre-tool')?.matcher}).*)$`).test(tool)

  it.each<[Host, string, object, string[]]>([
    ['codex', 'mcp__files__write_file', { path: 'a' }, ['a']],
    ['gemini', 'mcp_files_edit_file', { path: 'a' }, ['a']],
    ['gemini', 'files__create_directory', { path: 'a' }, ['a']],
    ['gemini', 'move_file', { source: 'a', destination: 'b' }, ['b', 'a']],
    ['opencode', 'filesystem_write_file', { path: 'a' }, ['a']],
    ['opencode', 'serena_replace_symbol_body', { relative_path: 'a' }, ['a']],
    ['opencode', 'files_put', { paths: ['a', 'b'] }, ['a', 'b']],
  ])('writes when its name and what it is given say so: %s %s %j', (host, tool, given, paths) => {
    expect(used(host, tool, given)).toMatchObject({ kind: 'write', paths })
    if (host !== 'opencode') expect(matches(host, tool)).toBe(true)
  })

  it.each<[Host, string, object]>([
    ['claude', 'Read', { file_path: '/etc/hosts' }],
    ['claude', 'Glob', { path: '/' }],
    ['claude', 'Grep', { path: '/' }],
    ['claude', 'LS', { path: '/' }],
    ['claude', 'TodoWrite', { todos: [] }],
    ['claude', 'mcp__files__read_file', { path: '/etc/hosts' }],
    ['codex', 'update_plan', { plan: [] }],
    ['gemini', 'read_file', { file_path: '/etc/hosts' }],
    ['gemini', 'list_directory', { dir_path: '/' }],
    ['gemini', 'search_file_content', { path: '/' }],
    ['gemini', 'read_many_files', { include: ['/etc/hosts'] }],
    ['gemini', 'write_todos', { todos: [] }],
    ['gemini', 'save_memory', { fact: 'x' }],
    ['gemini', 'mcp_shop_get_output', { path: '/etc/hosts' }],
    ['opencode', 'todowrite', { todos: [] }],
    ['opencode', 'list', { path: '/' }],
    ['opencode', 'filesystem_read_text_file', { path: '/etc/hosts' }],
    ['opencode', 'issues_create', { title: 'x' }],
  ])('is let alone: %s %s %j', (host, tool, given) => {
    expect(used(host, tool, given).kind).toBe('other')
  })

  it('writes in the worktree of the issue alone', () => {
    const worker = { LOOP_WORKTREE: root }
    for (const [host, tool] of [
      ['gemini', 'mcp_fs_write_file'],
      ['opencode', 'fs_write_file'],
    ] as const) {
      expect(said(host, tool, { path: '/etc/hosts' }, worker)).toBe('deny issue.outside')
      expect(said(host, tool, { path: 'src/b.txt' }, worker)).toBe('allow')
    }
  })
})
