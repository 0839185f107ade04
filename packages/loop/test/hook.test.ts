import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempRepo } from '@switchyard/testkit'
import { detectHost } from '@switchyard/wire/adapters'
import type { Host } from '@switchyard/wire/host'
import { describe, expect, it } from 'vitest'
import { hook, input, recorded } from './hook-fixture.ts'

const silent: Record<Host, string> = { claude: '', codex: '{}\n', gemini: '', opencode: '{"do":"allow"}\n' }
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
    const { stdout } = run('loop', ['hook', 'stop'], { cwd: root, input: input(`${host}-stop`, root) })
    expect(stdout).toBe(silent[host])
  })
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
    [],
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
