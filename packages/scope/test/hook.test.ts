import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { activitySchema } from '../src/session/activity-schema.ts'
import { contract, conversation, fixture, hooked } from './hooked.ts'

const names = 'session-start prompt pre-tool post-tool notice stop'.split(' ')
const hosts = ['claude', 'codex', 'gemini', 'opencode'] as const

/** A session whose agent was told its contract. */
async function atWork(given: Parameters<typeof hooked>[0] = {}) {
  const session = hooked(given)
  await session.begin()
  session.hook('claude-session-start')
  session.hook('claude-prompt', { prompt: contract })
  return session
}

describe('the hooks of a session', () => {
  it.each(hosts)('follow a turn from its start to its end: %s', async (host) => {
    const session = hooked()
    await session.begin()
    const { session_id } = fixture(`${host}-session-start`)
    session.hook(`${host}-session-start`)
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'idle', agent_session: session_id })
    session.hook(`${host}-prompt`, { prompt: contract })
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'busy' })
    session.hook(`${host}-pre-tool`)
    expect(session.poll().activity).toBe('running: echo hi > file')
    session.hook(`${host}-notice`)
    const asked = session.poll()
    expect(asked).toMatchObject({ status: 'running', turn: 'needs_input' })
    expect(asked.needs_input).toMatch(/echo hi > file|run_shell_command|needs your permission/)
    session.hook(`${host}-post-tool`)
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'busy', needs_input: null, result: null })
    session.hook(`${host}-stop`)
    expect(session.poll()).toMatchObject({ status: 'done', turn: 'idle', result: 'All done.', activity: '' })
    const events = session.events().map(({ event }) => event)
    expect(events.slice(3)).toEqual(['ready', 'submitted', 'turn', 'turn', 'result', 'turn', 'done'])
    expect(session.has('hook.log')).toBe(false)
  })

  it('say that an agent compacts its context, and that it rests then; the log hears of neither', async () => {
    const session = await atWork()
    const before = session.text('events.jsonl')
    for (const name of ['subagent-stop', 'notice-idle']) session.hook(`claude-${name}`)
    expect(session.poll().activity).toBe('')
    for (const end of ['claude-session-start-compact', 'claude-session-end']) {
      session.hook('claude-pre-compact')
      expect(session.poll().activity).toBe('compacting')
      session.hook(end)
      expect(session.poll().activity).toBe('')
    }
    session.hook('claude-pre-compact')
    session.hook('claude-session-end', { reason: 'clear' })
    expect(session.poll().activity).toBe('compacting')
    expect(session.text('events.jsonl')).toBe(before)
    expect(session.has('hook.log')).toBe(false)
  })

  it('take the reason from the request, and the notice behind it for no other', async () => {
    const session = await atWork()
    session.hook('claude-notice-request')
    session.hook('claude-notice')
    expect(session.poll().needs_input).toBe('permission for running: echo hi > file')
    session.hook('claude-prompt', { prompt: 'no, do this' })
    expect(session.poll()).toMatchObject({ turn: 'busy', needs_input: null })
    session.hook('claude-pre-tool', {
      tool_name: 'AskUserQuestion',
      tool_input: { questions: [{ question: 'Which of the two?' }] },
    })
    expect(session.poll().needs_input).toBe('Which of the two?')
  })

  it('ask nobody where the agent was told not to ask', async () => {
    const session = await atWork()
    session.hook('claude-notice-request', { permission_mode: 'dontAsk' })
    expect(session.poll()).toMatchObject({ turn: 'busy', needs_input: null })
  })

  it('say so when a turn fails', async () => {
    const session = await atWork()
    session.hook('claude-stop-failure')
    expect(session.poll()).toMatchObject({ turn: 'needs_input', status: 'running', result: null })
    expect(session.poll().needs_input).toMatch(/^its turn failed: /)
  })

  it('put each event on the bus, and activities that are in no log', async () => {
    const session = await atWork()
    session.hook('claude-pre-tool', { tool_name: 'Read', tool_input: { file_path: '/src/auth.ts' } })
    session.hook('claude-pre-tool', { tool_name: 'Read', tool_input: { file_path: '/src/auth.ts' } })
    expect(session.text('events.jsonl')).not.toContain('auth.ts')
    for (const topic of ['session:0', 'scope:feed']) {
      const { stdout } = run('jwz', ['read', topic, '--jsonl'], { cwd: session.root })
      const data = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).data)
      expect(data.map(({ event }) => event).slice(3)).toEqual(['ready', 'submitted', 'activity'])
      expect(activitySchema.parse(data.at(-1))).toMatchObject({ session: '0', activity: 'reading auth.ts' })
    }
  })

  it('do without a bus', async () => {
    const session = await atWork({ hasBus: false })
    session.hook('claude-pre-tool')
    session.hook('claude-stop')
    expect(session.poll().status).toBe('done')
    expect(existsSync(session.bus.path)).toBe(false)
  })
})

describe('a turn that ends', () => {
  it('is not the end of a session that was not told its contract', async () => {
    const session = hooked()
    await session.begin()
    session.hook('claude-session-start')
    session.hook('claude-prompt', { prompt: 'something else' })
    session.hook('claude-stop')
    expect(session.poll()).toMatchObject({ status: 'running', result: 'All done.', turn: 'idle' })
    session.hook('claude-prompt', { prompt: contract })
    session.hook('claude-stop', { last_assistant_message: 'Now it is.' })
    expect(session.poll()).toMatchObject({ status: 'done', result: 'Now it is.' })
  })

  it('is not the end of a session that works in the background', async () => {
    const session = await atWork()
    session.hook('claude-stop-background')
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'busy', result: 'Waiting.' })
    session.hook('claude-stop')
    expect(session.poll().status).toBe('done')
  })

  it('is not the end of a session with children, whose end is', async () => {
    const session = await atWork()
    await session.begin('0.0')
    session.hook('claude-stop')
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'idle', children: ['0.0'] })
    session.scope(['abort', '0.0'])
    expect(session.poll()).toMatchObject({ status: 'done' })
  })

  it('gives an exited session its result, and leaves it exited', async () => {
    const session = await atWork()
    session.scope(['exit', 'the plan does not fit'], session.env)
    session.hook('claude-pre-tool')
    session.hook('claude-stop')
    expect(session.poll()).toMatchObject({ status: 'exited', turn: 'idle', result: 'All done.', activity: '' })
    expect(session.text('exit_reason')).toBe('the plan does not fit\n')
  })

  it('is taken from the transcript where the host sends no text, with what it cost', async () => {
    const session = await atWork()
    const path = join(session.root, 'transcript.jsonl')
    const usage = { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 4 }
    const say = (id: string, text: string) =>
      `${JSON.stringify({ type: 'assistant', message: { id, content: [{ type: 'text', text }], usage } })}\n`
    writeFileSync(path, say('m1', 'First,') + say('m1', 'and last.'))
    session.hook('claude-stop', { transcript_path: path, last_assistant_message: undefined })
    expect(session.poll()).toMatchObject({ result: 'First,\nand last.', status: 'done' })
    expect(session.poll().tokens).toEqual({ input_tokens: 60, output_tokens: 4, cached_tokens: 30 })
    session.hook('claude-prompt', { prompt: 'more' })
    writeFileSync(path, say('m2', 'Second.'), { flag: 'a' })
    session.hook('claude-stop', { transcript_path: path, last_assistant_message: 'Second.' })
    expect(session.poll().tokens).toEqual({ input_tokens: 120, output_tokens: 8, cached_tokens: 60 })
  })

  it('of one that is done and lives can begin anew: by a prompt, or by work that another hook asked for', async () => {
    const session = await atWork()
    session.hook('claude-stop')
    session.hook('claude-prompt', { prompt: 'one more thing' })
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'busy' })
    session.hook('claude-stop')
    session.hook('claude-post-tool')
    expect(session.poll().status).toBe('done')
    session.hook('claude-pre-tool')
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'busy' })
  })
})

describe('an agent without a screen', () => {
  it('has its turns from its supervisor; its hooks say which conversation it is, and what it does', async () => {
    const session = hooked({ backend: 'headless' })
    await session.begin()
    await session.tell({ event: 'submitted', by: 'supervisor', bytes: 3 })
    for (const name of ['session-start', 'prompt', 'pre-tool', 'notice-request', 'post-tool']) {
      session.hook(`claude-${name}`)
    }
    expect(session.poll()).toMatchObject({ turn: 'busy', agent_session: conversation })
    expect(session.poll().activity).toBe('running: echo hi > file')
    session.hook('claude-stop')
    expect(session.poll()).toMatchObject({ status: 'running', turn: 'busy', result: null, activity: '' })
    expect(session.events().map(({ event }) => event)).toEqual([
      ...['created', 'launched', 'started', 'submitted', 'ready'],
    ])
  })
})

describe('a hook does nothing', () => {
  it.each(hosts)('in a session that is not of scope: %s', (host) => {
    const root = tempRepo()
    for (const name of names) {
      const given = { input: JSON.stringify({ ...fixture(`${host}-${name}`), cwd: root }), cwd: root }
      expect(run('scope', ['hook', '--host', host], given)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    }
    expect(readdirSync(root).filter((name) => name.startsWith('.') && name !== '.git')).toEqual([])
  })

  it.each([
    ['no SCOPE_DIR', { SCOPE_DIR: undefined }],
    ['a SCOPE_DIR that is not there', { SCOPE_DIR: '/nowhere/.scope' }],
    ['a SCOPE_DIR that is no place', { SCOPE_DIR: '.scope' }],
    ['no session', { SCOPE_SESSION_ID: undefined }],
    ['a session that was never made', { SCOPE_SESSION_ID: '7' }],
    ['a session that is no name', { SCOPE_SESSION_ID: '../0' }],
  ])('with %s', async (_, env) => {
    const session = hooked()
    await session.begin()
    const before = session.text('events.jsonl')
    for (const name of names) session.hook(`claude-${name}`, {}, env)
    expect(session.text('events.jsonl')).toBe(before)
    expect(session.has('activity')).toBe(false)
  })

  it.each([
    ['was aborted', { event: 'aborted', by: 'test', reason: 'wrong' }],
    ['has failed', { event: 'failed', by: 'test', reason: 'died' }],
  ] as const)('in a session that %s', async (_, draft) => {
    const session = await atWork()
    await session.tell(draft)
    const before = session.text('events.jsonl')
    for (const name of names) session.hook(`claude-${name}`)
    expect(session.text('events.jsonl')).toBe(before)
    expect(session.has('activity') || session.has('result')).toBe(false)
  })

  it('in a conversation that the agent has started by hand, in the same environment', async () => {
    const session = await atWork()
    const before = session.text('events.jsonl')
    for (const name of names) session.hook(`claude-${name}`, { session_id: 'another' })
    expect(session.text('events.jsonl')).toBe(before)
    session.hook('claude-session-start', { session_id: 'another', source: 'clear' })
    expect(session.poll().agent_session).toBe('another')
  })

  it('until a session that was resumed has begun another conversation', async () => {
    const session = await atWork()
    await session.tell({ event: 'failed', by: 'test', reason: 'died' }, { event: 'resumed', by: 'test' })
    const process = { pid: 1, start: '', boot: '', namespace: '' }
    await session.tell({ event: 'started', by: 'test', process }, { event: 'submitted', by: 'test', bytes: 1 })
    session.hook('claude-pre-tool', { session_id: 'another' })
    expect(session.has('activity')).toBe(false)
    session.hook('claude-session-start', { session_id: 'another', source: 'resume' })
    expect(session.events().at(-1)).toMatchObject({ event: 'ready', agent_session: 'another' })
    session.hook('claude-session-start', { session_id: 'a third', source: 'startup' })
    expect(session.events().at(-1)).toMatchObject({ event: 'ready', agent_session: 'another' })
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"a":'],
    ['a list', '[]'],
    ['no event', '{}'],
    ['an event that nobody knows', '{"hook_event_name":"Teatime","session_id":"x"}'],
    ['too much', `{"a":"${'x'.repeat(17_000_000)}"}`],
    ['bytes', '\u0000\u0001'],
  ])('with input that is %s, but for a line in hook.log', async (_, input) => {
    const session = hooked()
    await session.begin()
    const before = session.text('events.jsonl')
    for (const env of [{}, session.env]) {
      const done = run('scope', ['hook', '--host', 'claude'], { cwd: session.root, env, input })
      expect(done).toMatchObject({ code: 0, stdout: '', stderr: '' })
    }
    expect(session.text('events.jsonl')).toBe(before)
    expect(JSON.parse(session.text('hook.log'))).toMatchObject({ v: 1, error: expect.stringMatching(/^expected /) })
  })

  it('through a link that came with a repository', async () => {
    const session = hooked()
    await session.begin()
    const elsewhere = tempFolder('elsewhere')
    writeFileSync(join(elsewhere, 'kept'), 'kept')
    symlinkSync(join(elsewhere, 'kept'), session.file('result'))
    symlinkSync(join(elsewhere, 'kept'), session.file('activity'))
    session.hook('claude-session-start')
    session.hook('claude-prompt', { prompt: contract })
    session.hook('claude-pre-tool')
    session.hook('claude-stop')
    expect(readFileSync(join(elsewhere, 'kept'), 'utf8')).toBe('kept')
    expect(readdirSync(elsewhere)).toEqual(['kept'])
  })
})
