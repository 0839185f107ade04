import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run, start, tempRepo } from '@switchyard/testkit'
import { detectHost } from '@switchyard/wire/adapters'
import { eventIn } from '@switchyard/wire/event-name'
import type { Host } from '@switchyard/wire/host'
import { describe, expect, it } from 'vitest'
import { hookTable } from '../src/plugin/hook-table.ts'
import { hook, input, recorded } from './hook-fixture.ts'

const silent: Record<Host, string> = { claude: '', codex: '{}\n', gemini: '', opencode: '{"do":"allow"}\n' }
const push = { command: 'git push --force origin main' }
const forcedPush: Readonly<Record<Host, Record<string, unknown>>> = {
  claude: { tool_name: 'Bash', tool_input: push },
  codex: { tool_name: 'Bash', tool_input: push },
  gemini: { tool_name: 'run_shell_command', tool_input: push },
  opencode: { tool: 'bash', args: push },
}
const built = [
  'stop',
  'pre-tool',
  'post-tool',
  'pre-compact',
  'subagent-stop',
  'session-start',
  'session-end',
  'stop-failure',
]

describe('a session without a loop', () => {
  const root = tempRepo()
  it.each(recorded)('hears nothing: $name', ({ name, host }) => {
    expect(hook(name, root)).toMatchObject({ stdout: silent[host], stderr: '' })
    expect(existsSync(join(root, '.jwz'))).toBe(false)
  })

  it.each(recorded)('is told apart without --host: $name', ({ fields, host }) => {
    expect(detectHost(fields)).toBe(host)
  })

  it.each(['claude', 'codex', 'gemini', 'opencode'] as const)('is told apart at its stop: %s', (host) => {
    const { stdout } = run('loop', ['hook'], { cwd: root, input: input(`${host}-stop`, root) })
    expect(stdout).toBe(silent[host])
  })
})

describe('settings of an earlier version, which name the event behind hook', () => {
  const root = tempRepo()
  it.each(recorded)('hear what those of this one hear: $name', ({ name, host, event }) => {
    const given = input(name, root, host === 'gemini' || event !== 'pre-tool' ? {} : forcedPush[host])
    const said = (...words: string[]) => run('loop', ['hook', ...words, '--host', host], { cwd: root, input: given })
    expect(said()).toMatchObject({ code: 0, stderr: '' })
    expect(said(event)).toEqual(said())
  })

  it('are heard where the JSON names no event, or another', () => {
    const denied = (fields: object) => {
      const given = { session_id: 's', cwd: root, ...forcedPush.claude, ...fields }
      return run('loop', ['hook', 'pre-tool', '--host', 'claude'], { cwd: root, input: JSON.stringify(given) }).stdout
    }
    expect(denied({})).toContain('git.force-push')
    expect(denied({ hook_event_name: 'Stop' })).toContain('git.force-push')
  })
})

it('knows each event of a host by the name that it is installed for', () => {
  for (const entries of Object.values(hookTable)) {
    for (const { event, name } of entries) expect(eventIn({ hook_event_name: name })).toBe(event)
  }
})

it('is read whole, whichever words its beginning has', () => {
  const root = tempRepo()
  const long = 'PreToolUse '.repeat(20_000)
  expect(hook('claude-stop', root, { last_assistant_message: long })).toMatchObject({ stdout: '' })
  const far = { padding: 'x'.repeat(200_000), hook_event_name: 'PreToolUse', session_id: 's', cwd: root }
  const given = JSON.stringify({ ...far, ...forcedPush.claude })
  const { stdout } = run('loop', ['hook', '--host', 'claude'], { cwd: root, input: given })
  expect(stdout).toContain('git.force-push')
})

it('shows its help whatever stdin is', () => {
  const help = start('loop', ['hook', '--help'], { cwd: tempRepo() })
  return expect(help.done).resolves.toMatchObject({ code: 0 })
})

describe('input that is not the JSON of a host', () => {
  const root = tempRepo()
  it.each([
    ['nothing', ''],
    ['text that is no JSON', 'hello'],
    ['text that is no JSON', '{"a":'],
    ['text that is no JSON', '\u0000\u0001\u0002'],
    ['something else', '[]'],
    ['something else', 'null'],
    ['something else', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['more than 16777216 bytes', `{"a":"${'x'.repeat(17_000_000)}"}`],
  ])('lets the agent go on and says so: %s', (got, text) => {
    const { code, stdout } = run('loop', ['hook', 'stop', '--host', 'codex'], { cwd: root, input: text })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).systemMessage).toContain(`expected the host's JSON on stdin, got ${got};`)
  })

  it.each([
    ['stop', '--bogus'],
    ['stop', '--timeout', 'soon'],
    ['stop', 'more', '--json'],
    ['pre-tool', '--host'],
    ['no-such-event'],
  ])('never fails for the words behind it, which a host would take for a block: %j', (...words) => {
    const { code, stdout, stderr } = run('loop', ['hook', ...words], { cwd: root, input: '{"session_id":"s"}' })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).systemMessage).toContain('expected')
    expect(stderr).toContain('expected')
  })

  it.each<Record<string, unknown>>([
    { session_id: 7, cwd: ['x'], tool_name: {}, tool_input: 'rm' },
    { session_id: '../../x', cwd: '/no/such/folder', tool_name: 'Bash', tool_input: { command: 7 } },
    { session_id: '\u0000', cwd: '\u0000', transcript_path: '\u0000' },
    { __proto__: 1, constructor: 'x', toString: null },
    { session_id: 's'.repeat(100_000), stop_hook_active: 'yes', background_tasks: [null, 7, 'x'] },
  ])('takes wrong fields for missing ones: %j', (fields) => {
    // But for the guard, which asks: see guard-closed.test.ts.
    for (const event of built.filter((name) => name !== 'pre-tool')) {
      const given = { cwd: root, input: JSON.stringify(fields) }
      expect(run('loop', ['hook', event, '--host', 'claude'], given)).toMatchObject({ code: 0, stdout: '' })
    }
  })
})
