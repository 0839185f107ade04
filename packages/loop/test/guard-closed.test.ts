import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { git, run, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import type { Host } from '@switchyard/wire/host'
import { describe, expect, it } from 'vitest'

const root = tempRepo({ 'a.txt': 'one\n', 'src/b.txt': 'two\n' })
git(root, 'branch', '-M', 'main')
const home = tempFolder('home')
const env = { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null' }

const guard = (args: readonly string[], { cwd = root, input = '', more = {} } = {}) =>
  run('loop', ['guard', ...args], { cwd, input, env: { ...env, ...more } })

describe('a call that cannot be judged', () => {
  it('has too many words, or too long a text', () => {
    const words = guard(['test', '-'], { input: `rm -rf ${'a '.repeat(500_000)}/` })
    expect(words).toMatchObject({ code: 1, stdout: expect.stringContaining('ask: loop guard (guard.unjudged)') })
    expect(guard(['test', '-', '-q'], { input: `rm -rf ${'a '.repeat(130_000)}/` })).toMatchObject({ code: 1 })
    const text = guard(['test', '-'], { input: `echo ${'x'.repeat(5_000_000)}; rm -rf /`, more: { LOOP_RUN_ID: 'r' } })
    expect(text).toMatchObject({ code: 1, stdout: expect.stringContaining('deny: loop guard (guard.unjudged)') })
  })

  it.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['more than the hook reads', `{"a":"${'x'.repeat(17_000_000)}"}`],
    ['no tool', { session_id: 's' }],
    ['a text where fields belong', { tool_name: 'Bash', tool: 'bash', tool_input: 'rm -rf ~', args: 'rm -rf ~' }],
    ['no command', { tool_name: 'Bash', tool: 'bash', tool_input: { command: 7 }, args: { command: 7 } }],
  ])('comes as %s: each host hears so in its own words', (_, given) => {
    const fields = (host: Host) => ({ cwd: root, event: 'pre-tool', ...(host === 'opencode' ? {} : named[host]) })
    const said = (host: Host) => {
      const input = typeof given === 'string' ? given : JSON.stringify({ ...fields(host), ...given })
      const told = input.replace('"Bash"', host === 'gemini' ? '"run_shell_command"' : '"Bash"')
      const { code, stdout, stderr } = run('loop', ['hook', '--host', host], { cwd: root, env, input: told })
      expect([code, stderr]).toEqual([0, ''])
      const worded = run('loop', ['hook', 'pre-tool', '--host', host], { cwd: root, env, input: told })
      const { systemMessage, warning, ...answer } = JSON.parse(stdout)
      expect(JSON.parse(worded.stdout)).toEqual(answer)
      // Where nobody can tell the event, the person hears so at any.
      expect(systemMessage ?? warning).toEqual(
        typeof given === 'string' ? expect.stringContaining('the hook did nothing: expected') : undefined,
      )
      return answer
    }
    const asked = { permissionDecisionReason: expect.stringContaining('loop guard (guard.unjudged)') }
    expect(said('claude')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask', ...asked } })
    expect(said('codex')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny', ...asked } })
    expect(said('gemini')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('guard.unjudged') })
    expect(said('opencode')).toMatchObject({ do: 'ask', reason: expect.stringContaining('guard.unjudged') })
  })

  it.each([
    ['no event', {}],
    ['one that nobody knows', { hook_event_name: 'BeforeToolUse' }],
    ['no name', { hook_event_name: 7 }],
  ])('comes with %s', (_, name) => {
    const input = JSON.stringify({
      cwd: root,
      session_id: 's',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      ...name,
    })
    expect(JSON.parse(run('loop', ['hook', '--host', 'codex'], { cwd: root, env, input }).stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
      systemMessage: expect.stringContaining("expected the host's JSON to name an event"),
    })
  })

  it.each([
    ['behind hook', ['pre-tool'], '{}'],
    ['in the JSON', [], '{"hook_event_name":"PreToolUse"}'],
    ['nowhere', [], '{}'],
  ])('is one of settings that another version wrote, the event %s', (_, event, input) => {
    const hook = (...words: string[]) =>
      JSON.parse(run('loop', ['hook', ...event, ...words], { cwd: root, env, input }).stdout)
    expect(hook('--host', 'gemini', '--new')).toMatchObject({ decision: 'deny' })
    expect(hook('--host=codex', '--new')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
    expect(hook('--host', 'opencode', '--new')).toMatchObject({ do: 'deny' })
    expect(hook('--new')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } })
  })

  it('is no tool, of settings that another version wrote', () => {
    const input = '{"hook_event_name":"Stop"}'
    const { stdout } = run('loop', ['hook', '--host', 'claude', '--new'], { cwd: root, env, input })
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('the hook did nothing') })
  })
})

const named = {
  claude: { hook_event_name: 'PreToolUse' },
  codex: { hook_event_name: 'PreToolUse' },
  gemini: { hook_event_name: 'BeforeTool' },
}

describe('a hook that fails', () => {
  const plugin = fileURLToPath(new URL('../plugin/opencode/loop.js', import.meta.url))
  const script = `import { LoopPlugin } from ${JSON.stringify(plugin)}
const told = async () => ({})
const client = { app: { log: told }, session: { prompt: told } }
const hooks = await LoopPlugin({ client, directory: '.' })
try {
  await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's' }, { args: { command: 'ls' } })
  console.log('used')
} catch (error) {
  console.log(error.message)
}`

  it.each([
    ['dies without a word', 'cat > /dev/null; exit 1', 'loop: the answer of loop hook to pre-tool was no JSON'],
    [
      'is killed in a word',
      `cat > /dev/null; printf '{"do":'; kill -9 $$`,
      'loop: the answer of loop hook to pre-tool was no JSON',
    ],
    ['answers', `cat > /dev/null; printf '{"do":"allow"}'`, 'used'],
    ['is not installed', undefined, 'used'],
  ])('lets opencode use no tool, if it is there: %s', (_, line, said) => {
    const bin = tempFolder('bin')
    if (line !== undefined) writeFileSync(join(bin, 'loop'), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    const file = join(bin, 'session.mjs')
    writeFileSync(file, script)
    const system = line === undefined ? '' : `:${process.env['PATH']}`
    const stdout = execFileSync(process.execPath, [file], { env: { PATH: `${bin}${system}` }, encoding: 'utf8' })
    expect(stdout.trim()).toBe(said)
  })
})

describe('settings that cannot be read', () => {
  const project = (put: (path: string) => void) => {
    const folder = tempRepo({ 'a.txt': '\n' })
    put(join(folder, 'loop.json'))
    return folder
  }

  it.each<[string, (path: string) => void]>([
    ['a link to what has no end', (path) => symlinkSync('/dev/zero', path)],
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['more than a megabyte', (path) => writeFileSync(path, `{"guard":{"protect":["${'a'.repeat(1_100_000)}"]}}`)],
    ['no JSON', (path) => writeFileSync(path, '{"guard":')],
  ])('leave the built-in rules, and that is said: %s', (_, put) => {
    const cwd = project(put)
    expect(guard(['test', 'git reset --hard', '-q'], { cwd })).toMatchObject({ code: 1, stdout: 'deny\n' })
    const input = JSON.stringify({ cwd, tool_name: 'Bash', tool_input: { command: 'ls' } })
    const { stdout } = run('loop', ['hook', 'pre-tool', '--host', 'claude'], { cwd, env, input })
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining("the guard's built-in rules hold") })
  })

  it('are those of rules by the names that every object has', () => {
    const cwd = project((path) => {
      const rule = { command: ['make', 'deploy'], decision: 'deny', reason: 'a person deploys' }
      writeFileSync(path, JSON.stringify({ guard: { add: [{ id: 'constructor', ...rule }] } }))
    })
    trust(cwd)
    expect(guard(['test', 'make deploy', '-q'], { cwd })).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(guard(['rules'], { cwd }).stdout).toMatch(/^constructor +deny /m)
  })
})

describe('a pattern that would take for ever', () => {
  it.each([
    ['rm -rf ../*[!.]*[!.]*[!.]*[!.]*[!.]*[!.]*[!.]*[!.]*Q ; rm -rf ~', 'deny'],
    [`rm -rf ../${'*[!.]'.repeat(200)}Q ; rm -rf ~`, 'deny'],
    [`rm -rf ${'/'.repeat(100_000)}x; rm -rf ~`, 'ask'],
    [`git push -f origin a${'a'.repeat(60)}!`, 'ask'],
  ])('is matched in the time of any other: %#', (command, decision) => {
    const cwd = join(tempFolder('parent'), 'checkout-of-the-customer-portal-frontend-2024')
    execFileSync('git', ['init', '-q', '-b', 'main', cwd])
    writeFileSync(join(cwd, 'loop.json'), JSON.stringify({ guard: { protect: [`${'*a'.repeat(30)}Q`] } }))
    expect(guard(['test', '-', '-q'], { cwd, input: command })).toMatchObject({ code: 1, stdout: `${decision}\n` })
  })
})

describe('a name that every object has', () => {
  it.each([
    [{ LOOP_WORKTREE: root }, [], 'toString x; git push --force origin main'],
    [{ LOOP_WORKTREE: root }, [], 'xargs constructor; git push --force origin main'],
    [{}, ['--agent', 'reviewer'], 'git constructor; rm -rf src'],
    [{}, ['--agent', 'reviewer'], 'valueOf; rm -rf ~'],
  ])('take nothing from the judgement of a second process: %#', (more, flags, command) => {
    expect(guard(['test', command, '-q', ...flags], { more })).toMatchObject({ code: 1, stdout: 'deny\n' })
  })
})
