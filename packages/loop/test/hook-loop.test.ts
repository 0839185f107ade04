import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import type { EventName } from '@switchyard/wire/adapter'
import type { Host } from '@switchyard/wire/host'
import { describe, expect, it } from 'vitest'
import { hook, recorded, task } from './hook-fixture.ts'
import { ok } from './place.ts'

const hosts: readonly Host[] = ['claude', 'codex', 'gemini', 'opencode']
const root = tempRepo()
const sessionTopic = (host: Host, session: string) => join(root, `.jwz/topics/loop/session/${host}/${session}.jsonl`)

type Said = Record<string, unknown> | undefined

/** What sends the agent back to work, in the words of its host. */
function blockOf(host: Host, said: Said): string {
  const { reason } = said ?? {}
  const decision = host === 'gemini' ? 'deny' : 'block'
  expect(said).toEqual(host === 'opencode' ? { do: 'block', reason } : { decision, reason })
  return String(reason)
}

function contextOf(host: Host, said: Said): string {
  const inner = said?.['hookSpecificOutput']
  const text =
    typeof inner === 'object' && inner !== null && 'additionalContext' in inner ? inner.additionalContext : ''
  return String(host === 'opencode' ? said?.['text'] : text)
}

const lastMessage: Record<Host, string> = {
  claude: 'last_assistant_message',
  codex: 'last_assistant_message',
  gemini: 'prompt_response',
  opencode: 'last_message',
}

/** Which run a session has is asked alike at every event; these say the most. */
const looked: readonly EventName[] = ['stop', 'session-start', 'pre-compact']

describe.each(hosts)('a loop in a session of %s', (host) => {
  it('sends the agent back until it is done, then lets it go', () => {
    const done = join(tempFolder(), 'done')
    const bound = task(root, host, '--check', `test -f ${done}`)
    expect(blockOf(host, bound.hook(`${host}-stop`).said)).toContain('tidy up')
    const claims = { [lastMessage[host]]: 'x\n<loop-done>done</loop-done>' }
    expect(blockOf(host, bound.hook(`${host}-stop`, claims).said)).toContain(`test -f ${done}`)
    writeFileSync(done, '')
    const { said } = bound.hook(`${host}-stop`, claims)
    expect(said?.[host === 'opencode' ? 'warning' : 'systemMessage']).toContain('complete')
    expect(bound.hook(`${host}-stop`).said?.['decision']).toBeUndefined()
  })

  it('hears the words that exist, and tells the agent of the others', () => {
    const bound = task(root, host, '--max', '20')
    const says = (text: string) => bound.hook(`${host}-stop`, { [lastMessage[host]]: `x\n${text}` }).said
    for (const word of ['FAILED', 'NOT DONE', 'BLOCKED', 'no', '', 'banana']) {
      writeFileSync(join(root, 'word.txt'), word)
      expect(blockOf(host, says(`<loop-done>${word}</loop-done>`))).toContain(
        `<loop-done>${word}</loop-done> is no signal; the words are: done, complete, nothing, stuck, limit, max_iterations.`,
      )
    }
    rmSync(join(root, 'word.txt'))
    const warned = says('  <loop-done>Stuck: no credentials</loop-done>')
    expect(warned?.[host === 'opencode' ? 'warning' : 'systemMessage']).toContain('no credentials')
  })

  it('is none of another session in the same folder, is noted before a compaction, and outlives its session', () => {
    const bound = task(root, host)
    for (const { name, event } of recorded.filter((one) => one.host === host)) {
      if (!looked.includes(event)) continue
      expect(hook(name, root).stdout).toMatch(/^(?:\{\}\n|\{"do":"allow"\}\n)?$/)
    }
    expect(bound.events()).toEqual([])

    writeFileSync(join(root, 'new file.txt'), 'x')
    bound.hook(`${host}-pre-compact`, { cwd: '/', env: { JWZ_STORE: join(root, '.jwz') } })
    const anchor = JSON.parse(ok(run('loop', ['status', '--anchor', '--json'], { cwd: root })).stdout)
    expect(anchor).toMatchObject({ run: bound.run, mode: 'task', goal: 'tidy up', iteration: 1, max: 10 })
    expect(anchor).toMatchObject({ worktree: root, session: { host, id: bound.session } })
    expect(anchor.progress).toEqual([`${git(root, 'rev-parse', '--short', 'HEAD')} Start`])
    expect(anchor.modified_files).toEqual(['new file.txt'])

    bound.hook(`${host}-session-end`)
    const again = recorded.find(({ name }) => name.startsWith(`${host}-session-start-`))?.name ?? ''
    expect(contextOf(host, bound.hook(again).said)).toContain(bound.run)
    expect(blockOf(host, bound.hook(`${host}-stop`).said)).toContain('tidy up')
  })
})

describe('a compaction', () => {
  it('is followed by what the loop knows', () => {
    const bound = task(root, 'claude', '--check', 'false')
    bound.hook('claude-stop', { last_assistant_message: '<loop-done>done</loop-done>' })
    writeFileSync(join(root, 'half.txt'), 'x')
    bound.hook('claude-pre-compact')
    const text = contextOf('claude', bound.hook('claude-session-start-compact').said)
    for (const word of ['tidy up', 'Iteration 2 of 10', 'half.txt', 'the verify command failed']) {
      expect(text).toContain(word)
    }
  })

  it('that a host announces before each call is noted once', () => {
    const bound = task(root, 'gemini')
    for (let call = 0; call < 2; call++) bound.hook('gemini-pre-compact')
    const topic = readFileSync(join(root, '.jwz/topics/loop/anchor.jsonl'), 'utf8')
    expect(topic.split('\n').filter((line) => line.includes(`"run":"${bound.run}"`))).toHaveLength(1)
  })

  it('finds no loop once it is over', () => {
    const bound = task(root, 'claude')
    bound.hook('claude-stop', { last_assistant_message: '<loop-done>done</loop-done>' })
    bound.hook('claude-pre-compact')
    expect(bound.hook('claude-session-start-compact').stdout).toBe('')
    const shown = run('loop', ['status', '--anchor', '--run', bound.run], { cwd: root })
    expect(shown).toMatchObject({ code: 3, stdout: '' })
    expect(shown.stderr).toBe(
      `loop: expected an anchor of run ${bound.run}, there is none; one is kept before a conversation is compacted\n`,
    )
  })

  it('is shown to whoever asks, of the run of the session, or of one that is named', () => {
    const bound = task(root, 'claude')
    bound.hook('claude-pre-compact')
    const flags = ['--run', bound.run.toUpperCase()]
    const anchor = (args: readonly string[], env = {}) =>
      run('loop', ['status', '--anchor', ...args], { cwd: root, env })
    const shown = ok(anchor(flags)).stdout
    expect(shown).toContain(`Loop run ${bound.run}, iteration 1 of 10.\nGoal: tidy up\nFolder: ${root}\n`)
    const last = task(root, 'codex')
    last.hook('codex-pre-compact')
    expect(ok(anchor([], { CLAUDE_CODE_SESSION_ID: bound.session })).stdout).toBe(shown)
    expect(ok(anchor(['--quiet'])).stdout).toBe(`${last.run}\n`)
    expect(ok(anchor(['--quiet', ...flags])).stdout).toBe(`${bound.run}\n`)
    expect(anchor(['--run', 'nope']).code).toBe(3)
    expect(anchor(['--all']).stderr).toBe('loop: expected --anchor or --all, got both\n')
  })
})

describe('a rate limit', () => {
  it('pauses the loop until the session works again', () => {
    const bound = task(root, 'claude')
    const at = Math.floor(Date.now() / 1000) + 5 * 3600
    const { said } = bound.hook('claude-stop-failure', { error_details: `limit reached|${at}` })
    expect(said?.['systemMessage']).toContain(`run ${bound.run} is paused by a rate limit of claude until`)
    expect(bound.events()[0]).toMatchObject({ event: 'control', command: 'pause', by: 'rate-limit', until: at * 1000 })
    expect(Math.round(statSync(sessionTopic('claude', bound.session)).mtimeMs / 1000)).toBe(at)
    expect(contextOf('claude', bound.hook('claude-session-start-resume').said)).toContain('tidy up')
    expect(blockOf('claude', bound.hook('claude-stop').said)).toContain('tidy up')
  })

  it('is told apart from other failures, which are noted', () => {
    const bound = task(root, 'opencode')
    const failed = bound.hook('opencode-stop-failure', { error: 'authentication_failed' })
    expect(failed.stdout).toBe('{"do":"allow"}\n')
    expect(bound.events().at(-1)).toMatchObject({ event: 'warned', text: expect.stringContaining('not logged in') })
    expect(blockOf('opencode', bound.hook('opencode-stop').said)).toContain('tidy up')
  })
})

describe('a hook leaves the loop alone', () => {
  it('for a subagent, and where a variable turns it off', () => {
    const bound = task(root, 'claude')
    expect(bound.hook('claude-stop', { agent_id: 'a1' }).stdout).toBe('')
    for (const name of ['LOOP_DISABLE', 'IDLE_LOOP_DISABLE', 'LOOP_RUN_ID', 'LOOP_DEPTH']) {
      expect(bound.hook('claude-stop', { env: { [name]: '1' } }).stdout).toBe('')
      expect(bound.hook('claude-session-start-resume', { env: { [name]: '1' } }).stdout).toBe('')
    }
    expect(bound.events()).toEqual([])
    const off = { LOOP_DISABLE: '0', IDLE_LOOP_DISABLE: '0', LOOP_RUN_ID: '0', LOOP_DEPTH: '0' }
    expect(bound.hook('claude-stop', { env: off }).said).toMatchObject({ decision: 'block' })
  })

  it('while the agent waits for work of its own', () => {
    const bound = task(root, 'claude')
    expect(bound.hook('claude-stop-background').stdout).toBe('')
    expect(bound.hook('claude-stop').said).toMatchObject({ decision: 'block' })
  })
})

describe('where a hook looks', () => {
  it('is the project too, when the agent has walked away', () => {
    const bound = task(root, 'claude')
    const away = { cwd: '/no/such/folder' }
    expect(bound.hook('claude-stop', { ...away, env: { CLAUDE_PROJECT_DIR: root } }).said).toMatchObject({
      decision: 'block',
    })
    expect(hook('claude-stop', tempFolder(), { session_id: bound.session, ...away }).stdout).toBe('')
  })

  it('is noted beside the repository, where loop is used', () => {
    hook('claude-pre-tool', root)
    expect(existsSync(join(root, '.git/loop/hooks/claude.pre-tool'))).toBe(true)
    const unused = tempRepo()
    hook('claude-pre-tool', unused)
    expect(existsSync(join(unused, '.git/loop'))).toBe(false)
  })

  it('keeps the session heard', () => {
    const bound = task(root, 'codex')
    const topic = sessionTopic('codex', bound.session)
    utimesSync(topic, 1, Date.now() / 1000 - 3600)
    bound.hook('codex-pre-tool')
    expect(Date.now() - statSync(topic).mtimeMs).toBeLessThan(1_800_000)
  })
})

describe('a bus', () => {
  it('that was removed ends the loop with a word, once', () => {
    const place = tempRepo()
    const bound = task(place, 'claude')
    rmSync(join(place, '.jwz'), { recursive: true })
    expect(bound.hook('claude-stop').said).toEqual({ systemMessage: expect.stringContaining('was removed') })
    expect(bound.hook('claude-stop').stdout).toBe('')
    expect(existsSync(join(place, '.jwz'))).toBe(false)
  })

  it('that is damaged lets the agent stop', () => {
    const bound = task(root, 'codex')
    const garbage = Buffer.concat([Buffer.from('{"v":1,"id":'), Buffer.alloc(3000, 0xff), Buffer.from('\n')])
    writeFileSync(join(root, `.jwz/topics/loop/run/${bound.run}.jsonl`), garbage)
    expect(bound.hook('codex-stop').said?.['decision']).toBeUndefined()
    writeFileSync(sessionTopic('codex', bound.session), garbage)
    expect(bound.hook('codex-stop').said?.['decision']).toBeUndefined()
  })

  it('that cannot be read is a warning', () => {
    const bound = task(root, 'claude')
    const topic = join(root, `.jwz/topics/loop/run/${bound.run}.jsonl`)
    rmSync(topic)
    mkdirSync(topic)
    expect(bound.hook('claude-stop').said).toEqual({ systemMessage: expect.stringContaining('loop: ') })
  })
})
