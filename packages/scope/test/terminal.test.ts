import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, openTerminal, outOfTime, script, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { socketOf } from '../src/tmux/tmux.ts'
import { pasteReader } from './pasted.ts'
import { isGone, kill, type Sessions, sessions, until } from './sessions.ts'

/** An agent that notes each line that it is told, and ends at `quit`. */
const talks = `echo "I am $SCOPE_SESSION_ID"; while read -r line; do echo "$line" >>told; case $line in quit) exit 0 ;; esac; done`

/** Sessions whose agents have terminals. The tmux server of the store ends with the test. */
function terminals(act = talks, env: Record<string, string> = {}) {
  const at = sessions({ act, env: { SCOPE_BACKEND: 'tmux', ...env }, keepsStdin: true })
  const store = { path: join(at.root, '.scope') }
  const tmux = (...words: readonly string[]) =>
    spawnSync('tmux', ['-L', socketOf(store), ...words], { encoding: 'utf8', env: cleanEnv() })
  onTestFinished(() => void tmux('kill-server'))
  return { ...at, tmux, names: () => tmux('list-sessions', '-F', '#{session_name}').stdout.trim().split('\n') }
}

type Terminals = ReturnType<typeof terminals>

const running = (at: Sessions, id: string) => until(() => at.isAtWork(id), `the agent of ${id} to run`)

describe('a session in a terminal', () => {
  it('has a tmux session of its own, which a person may enter, and its contract byte for byte, once', async () => {
    const at = terminals()
    const odd = '-- leading; `ticks` \'quotes\' "two"\ttab \u001b[31mred\u001b[201~ \r\n end; \u{1f600} $(no) \\ '
    const id = at.scope(['spawn', '-'], { input: odd }).stdout.trim()
    await running(at, id)
    const argv = at.heard(id, 'argv').split('\0')
    expect(argv.at(-2)).toBe(at.file(id, 'contract.md'))
    expect(argv.at(-2)?.endsWith(`# Task\n\n${odd}`)).toBe(true)
    expect(at.poll(id)).toMatchObject({ status: 'running', turn: 'busy', backend: 'tmux', alive: true })
    expect([at.names(), at.file(id, 'tmux_session')]).toEqual([['scope-0'], 'scope-0\n'])
    await until(() => at.scope(['logs', id, '--screen']).stdout.includes('I am 0'), 'its words on the screen')
    at.tmux('send-keys', '-t', '=scope-0:', 'quit', 'Enter')
    expect(at.wait(id).code).toBe(0)
    expect(at.scope(['logs', id, '--output']).stdout).toContain('I am 0')
  })

  it('is ended when nothing was heard of it for as long as it may be idle', () => {
    const at = terminals()
    const hang = (limit: string) => {
      const id = at.spawn('Hang', '--idle-timeout', limit)
      return { id, ...at.wait(id) }
    }
    const { id, code, waited } = outOfTime(hang, (ended) => at.hasHeard(ended.id))
    expect(code).toBe(1)
    expect(waited.results[0]?.exit_reason).toMatch(/^nothing was heard of it for \d+ ms, and \d+ ms are allowed$/)
    expect(isGone(Number(at.heard(id, 'pid')))).toBe(true)
  })

  it('is told where its contract lies when that is too long for a command line', async () => {
    const at = terminals()
    const id = at.scope(['spawn', '-'], { input: 'long '.repeat(40_000) }).stdout.trim()
    await running(at, id)
    expect(at.heard(id, 'argv')).toContain(`Your contract is the file ${join(at.folder(id), 'contract.md')}`)
    at.scope(['abort', id])
  })

  it('has its contract pasted as one piece where the agent takes none on its command line', async () => {
    const at = terminals()
    script(join(at.bin, 'aider'), `#!/usr/bin/env node\n${pasteReader}`)
    const task = '-- a line; with `ticks`\n\n\ttab \'and\' "quotes" \u{1f600} $(no) \\;'
    const id = at.scope(['spawn', '-', '--agent', 'aider'], { input: task.repeat(400) }).stdout.trim()
    await until(() => at.has('submitted'), 'the contract to be submitted')
    expect(readFileSync(join(at.root, 'pasted'), 'utf8')).toBe(at.file(id, 'contract.md'))
    expect(readFileSync(join(at.root, 'submitted'), 'utf8')).toBe('1')
    expect(at.wait(id).code).toBe(0)
  })

  it('is told where its contract lies when that would end the paste, or press keys', async () => {
    const at = terminals()
    script(join(at.bin, 'aider'), `#!/usr/bin/env node\n${pasteReader}`)
    const task = 'one\u001b[201~\rrm -rf .\r\u0003two\r\nthree'
    const id = at.scope(['spawn', '-', '--agent', 'aider'], { input: task }).stdout.trim()
    await until(() => at.has('submitted'), 'the contract to be submitted')
    expect(readFileSync(join(at.root, 'pasted'), 'utf8')).toContain(
      `Your contract is the file ${join(at.folder(id), 'contract.md')}`,
    )
    expect(readFileSync(join(at.root, 'submitted'), 'utf8')).toBe('1')
    expect(at.file(id, 'contract.md').endsWith(task)).toBe(true)
    expect(at.wait(id).code).toBe(0)
  })

  it('hears of its agent’s turns by hooks that come with its start, and by no other then', async () => {
    const at = terminals()
    const id = at.spawn('Work')
    await running(at, id)
    const path = join(at.folder(id), 'hooks.json')
    expect(at.heard(id, 'argv').split('\0')).toContain(`--settings=${path}`)
    const { hooks } = JSON.parse(readFileSync(path, 'utf8'))
    const env = cleanEnv({ SCOPE_DIR: join(at.root, '.scope'), SCOPE_SESSION_ID: id, SCOPE_HOOKS: 'launched' })
    const stop = { session_id: 's1', cwd: at.root, hook_event_name: 'Stop', last_assistant_message: 'All done.' }
    const call = (command: string) =>
      spawnSync('sh', ['-c', command], { cwd: at.root, env, input: JSON.stringify(stop), encoding: 'utf8' })
    expect(call('scope hook --host claude')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(at.poll(id)).toMatchObject({ status: 'running', turn: 'busy', result: null })
    expect(call(hooks.Stop[0].hooks[0].command)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(at.poll(id)).toMatchObject({ status: 'done', turn: 'idle', result: 'All done.', alive: true })
    expect(at.wait(id).code).toBe(0)
    at.scope(['abort', id])
    expect(at.poll(id)).toMatchObject({ status: 'done', turn: null, alive: false })
  })

  it('has Codex tell of its turns by hooks among its words, each with the digest by which it is trusted', async () => {
    const at = terminals(talks, { SCOPE_BACKEND: '' })
    at.script('codex', `printf '%s\\0' "$@" >words; exec sleep 600`)
    const id = at.spawn('Work', '--agent', 'codex')
    await until(() => at.has('words') && at.poll(id).turn === 'busy', 'the agent to run')
    const words = readFileSync(join(at.root, 'words'), 'utf8').split('\0')
    const settings = words.flatMap((word, place) => (words[place - 1] === '-c' ? [word] : []))
    const hooks = settings.flatMap((word) => /^hooks\.([A-Z]\w+)=/.exec(word)?.[1] ?? [])
    const all = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop']
    expect(hooks).toEqual(expect.arrayContaining(all))
    const state = settings.find((word) => word.startsWith('hooks.state='))
    for (const event of ['session_start', 'user_prompt_submit', 'pre_tool_use', 'post_tool_use', 'stop']) {
      expect(state).toMatch(
        new RegExp(`"/<session-flags>/config\\.toml:${event}:0:0"=\\{"trusted_hash"="sha256:[0-9a-f]{64}"\\}`),
      )
    }
    const stop = settings.find((word) => word.startsWith('hooks.Stop='))
    const command = JSON.parse(/"command"=("(?:[^"\\]|\\.)*")/.exec(stop ?? '')?.[1] ?? '')
    const env = cleanEnv({ SCOPE_DIR: join(at.root, '.scope'), SCOPE_SESSION_ID: id, SCOPE_HOOKS: 'launched' })
    const told = { session_id: 'c1', cwd: at.root, hook_event_name: 'Stop', last_assistant_message: 'All done.' }
    const input = JSON.stringify({ ...told, turn_id: 't1', stop_hook_active: false })
    expect(spawnSync('sh', ['-c', command], { cwd: at.root, env, input })).toMatchObject({ status: 0 })
    expect(at.poll(id)).toMatchObject({ status: 'done', turn: 'idle', result: 'All done.', agent: 'codex' })
    at.scope(['abort', id])
  })

  it('tells its agent what is sent to it, and refuses what it could not take', async () => {
    const at = terminals()
    const id = at.spawn('Talk', '--id', 'talker')
    await running(at, id)
    expect(at.scope(['send', 'talker', '--', '-- go; on `now`']).code).toBe(0)
    await until(() => at.has('told'), 'the text to arrive')
    expect(readFileSync(join(at.root, 'told'), 'utf8')).toBe('-- go; on `now`\n')
    expect(at.scope(['send', id, 'a\u001b[201~b'])).toMatchObject({ code: 2, stdout: '' })
    expect(at.scope(['send', id])).toMatchObject({ code: 2 })
    expect(at.scope(['attach', id])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('scope logs 0 --screen'),
    })
    at.scope(['send', id, 'quit'])
    at.wait(id)
    const { code, stderr } = at.scope(['send', id, 'more'])
    expect([code, stderr]).toEqual([
      5,
      'scope: the terminal of session 0 is closed, the session is done; scope resume 0\n',
    ])
    const without = at.spawn('Quiet', '--headless')
    expect(at.scope(['send', without, 'x'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('has no terminal'),
    })
    at.scope(['abort', without])
  })

  it('is entered beside the pane of a person who works in tmux, and goes on when that is closed', async () => {
    const at = terminals()
    const id = at.spawn('Show')
    await running(at, id)
    const shell = openTerminal(at.root, `PS1="ready> " exec sh -i`, { PATH: [at.bin, toolPath()].join(':') })
    await shell.see(/ready>/)
    shell.type(`scope attach ${id}`)
    shell.keys('Enter')
    await until(() => shell.ask('#{window_panes}') === '2', 'a pane beside it')
    await shell.see(/I am 0/)
    shell.keys('C-b', 'd')
    await until(() => shell.ask('#{window_panes}') === '1', 'the pane to be closed')
    expect(at.poll(id)).toMatchObject({ status: 'running', alive: true })
    at.scope(['abort', id])
  })

  it('keeps secrets of the environment off command lines, the screen, the log and the disk', async () => {
    const at = terminals(talks, { SOME_API_KEY: 'secret-4711' })
    const id = at.spawn('Hush')
    await running(at, id)
    expect(at.heard(id, 'env')).toContain('SOME_API_KEY=secret-4711')
    const shown = [
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }),
      at.tmux('list-panes', '-a', '-F', '#{pane_start_command}').stdout,
      at.tmux('show-environment', '-t', '=scope-0').stdout,
      ...at.files(id).map((name) => (statSync(join(at.folder(id), name)).isFile() ? at.file(id, name) : '')),
    ]
    expect(shown.filter((text) => text.includes('secret-4711'))).toEqual([])
    expect(at.files(id)).not.toContain('env.json')
    at.scope(['abort', id])
  })

  it('touches no other tmux: not that of a person, whose session is called 0, and no name that begins alike', async () => {
    const at = terminals()
    const person = openTerminal(at.root, 'PS1="ready> " exec sh -i', { PATH: [at.bin, toolPath()].join(':') })
    await person.see(/ready>/)
    const before = person.ask('#{session_name} #{session_windows} #{window_panes}')
    for (let count = 0; count < 12; count++) at.spawn(`Task ${count}`)
    await running(at, '11')
    person.type('scope abort 1')
    person.keys('Enter')
    await until(() => at.poll('1').status === 'aborted', 'the session to be aborted')
    expect(at.poll('11').status).toBe('running')
    expect(at.names()).toEqual(expect.arrayContaining(['scope-0', 'scope-10', 'scope-11']))
    await until(() => !at.names().includes('scope-1'), 'the terminal of 1 to be closed')
    expect(person.ask('#{session_name} #{session_windows} #{window_panes}')).toBe(before)
    at.scope(['abort', ...[...Array(12).keys()].map(String)])
  })
})

describe('the end of a session in a terminal', () => {
  it.each([
    ['agent', (at: Terminals) => kill(Number(at.heard('0', 'pid'))), /^signal SIGKILL$/],
    ['supervisor', (at: Terminals) => kill(at.supervisor('0')), /^process \d+, which kept it going, is gone$/],
    [
      'tmux server',
      async (at: Terminals) => void at.tmux('kill-server'),
      /^(its terminal was closed|process \d+, which .*)$/,
    ],
  ])('is failed when its %s is killed, and nothing of it goes on', async (_, end, reason) => {
    const at = terminals(`setsid sh -c 'trap "" TERM HUP; echo $$ >stray; while :; do sleep 1; done' & ${talks}`)
    const id = at.spawn('Die')
    await until(() => at.isAtWork(id) && at.has('stray'), 'the agent to run')
    await end(at)
    const { code, waited } = at.wait(id, '--timeout', '5m')
    expect([code, waited.results[0]?.status, waited.results[0]?.exit_reason]).toEqual([
      1,
      'failed',
      expect.stringMatching(reason),
    ])
    const stray = Number(readFileSync(join(at.root, 'stray'), 'utf8'))
    await until(() => isGone(Number(at.heard(id, 'pid'))) && isGone(stray), 'all of it to be gone')
  })

  it('is aborted with what has left its terminal, and the terminal is closed', async () => {
    const at = terminals(`setsid sh -c 'trap "" TERM HUP; echo $$ >stray; while :; do sleep 1; done' & ${talks}`)
    const id = at.spawn('Stop')
    await until(() => at.isAtWork(id) && at.has('stray'), 'the agent to run')
    expect(at.scope(['abort', id]).stdout).toBe('session 0 is aborted\n')
    const stray = Number(readFileSync(join(at.root, 'stray'), 'utf8'))
    expect([isGone(Number(at.heard(id, 'pid'))), isGone(stray)]).toEqual([true, true])
    await until(() => at.tmux('list-sessions').status === 1, 'the terminal to be closed')
    expect(at.poll(id)).toMatchObject({ status: 'aborted', alive: false, turn: null })
  })

  it('is exited when its agent says so, and the agent ends though it would not', async () => {
    const at = terminals(`scope exit 'No way'; ${talks}`)
    const id = at.spawn('Try')
    const { code, waited } = at.wait(id)
    expect([code, waited.results[0]?.exit_reason]).toEqual([5, 'No way'])
    await until(() => isGone(Number(at.heard(id, 'pid'))), 'the agent to end')
    await until(() => at.poll(id).turn === null, 'its end to be told')
    expect(at.poll(id).status).toBe('exited')
  })

  it('is failed with what its agent said last', () => {
    const at = terminals(`echo Starting; echo "Error: no model for $SECRET_TOKEN"; exit 3`)
    const id = at.scope(['spawn', 'Fail'], {}, { SECRET_TOKEN: 'tok-12345678' }).stdout.trim()
    const { code, waited } = at.wait(id)
    expect([code, waited.results[0]?.exit_reason]).toEqual([1, 'exit code 3: Error: no model for [secret]'])
  })

  it('is failed when its time is over', async () => {
    const at = terminals()
    const id = at.spawn('Linger', '--timeout', '2s')
    const { code, waited } = at.wait(id)
    expect([code, waited.results[0]?.exit_reason]).toEqual([1, 'it was out of time after 2000 ms'])
  })
})

describe('where tmux is missing', () => {
  it('sessions have no terminal, and one that must have one is refused', () => {
    const at = sessions({ env: { SCOPE_BACKEND: '' } })
    const bare = tempFolder('bare')
    for (const name of ['node', 'sh', 'cat', 'env', 'git', 'printf', 'claude']) {
      const path = spawnSync('sh', ['-c', `command -v ${name}`], {
        encoding: 'utf8',
        env: { PATH: `${at.bin}:${process.env['PATH']}` },
      })
      if (path.stdout.startsWith('/')) execFileSync('ln', ['-s', path.stdout.trim(), join(bare, name)])
    }
    const id = at.scope(['spawn', 'Plain'], {}, { PATH: bare }).stdout.trim()
    expect(at.wait(id).code).toBe(0)
    expect(at.poll(id).backend).toBe('headless')
    const { code, stderr } = at.scope(['spawn', 'Plain'], {}, { PATH: bare, SCOPE_BACKEND: 'tmux' })
    expect([code, stderr]).toEqual([8, 'scope: cannot run tmux: no such program; install tmux, or say --headless\n'])
    expect(at.scope(['spawn', 'Plain'], {}, { SCOPE_BACKEND: 'screen' }).code).toBe(2)
  })
})
