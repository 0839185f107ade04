// Two agents in one terminal are two; `me` is whoever calls; an answer reaches who asked; `-` is stdin everywhere.
import { run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

/** One terminal, two agents, as their hosts name their sessions. */
const pane = { TMUX: '/tmp/tmux/default,1,0', TMUX_PANE: '%1' }
const first = { ...pane, CLAUDE_CODE_SESSION_ID: 'a' }
const second = { ...pane, CLAUDE_CODE_SESSION_ID: 'b' }

describe('two agents in one terminal', () => {
  const cwd = tempRepo()
  const jwz = (args: readonly string[], env: Record<string, string>) => run('jwz', args, { cwd, env })
  const name = (env: Record<string, string>) => jwz(['whoami', '-q'], env).stdout.trim()

  it('have names of their own, the same at each call, whichever host they are of', () => {
    const sessions = [
      first,
      second,
      { ...pane, CODEX_THREAD_ID: 'a' },
      { ...pane, CODEX_SESSION_ID: 'b' },
      { ...pane, GEMINI_SESSION_ID: 'a' },
      { ...pane, OPENCODE_SESSION_ID: 'a' },
      pane,
    ]
    const names = sessions.map(name)
    expect(new Set(names).size).toBe(sessions.length)
    expect(sessions.map(name)).toEqual(names)
    expect(name({ ...first, TMUX_PANE: '%2' })).toBe(names[0])
    expect(name({ ...first, JWZ_AGENT: 'ann' })).toBe('ann')
    expect(JSON.parse(jwz(['whoami', '--json'], first).stdout)).toMatchObject({ name: names[0], source: 'agent' })
  })

  it('keep names apart that they save, and do not get the one of the pane', () => {
    expect(jwz(['whoami', '--save', 'person'], pane).code).toBe(0)
    expect([name(pane), name(first) === 'person']).toEqual(['person', false])
    expect(jwz(['whoami', '--save', 'ann'], first).code).toBe(0)
    expect([name(pane), name(first), name(second) === 'ann']).toEqual(['person', 'ann', false])
    expect(jwz(['whoami', '--forget'], first).code).toBe(0)
  })

  it('cannot both have a lease, or an issue', () => {
    expect(jwz(['lease', 'acquire', 'src/**'], first).code).toBe(0)
    expect(jwz(['lease', 'acquire', 'src/**'], second)).toMatchObject({ code: 5, stdout: '' })
    const tissue = (args: readonly string[], env: Record<string, string>) => run('tissue', args, { cwd, env })
    const id = tissue(['new', 'one', '-q'], pane).stdout.trim()
    expect(tissue(['claim', id, '-q'], first)).toMatchObject({ code: 0, stdout: `${id}\n` })
    expect(tissue(['claim', id], second)).toMatchObject({ code: 5, stdout: '' })
    expect(tissue(['claim', id, '-q'], first).code).toBe(0)
  })
})

describe('an answer', () => {
  const ids = (found: { stdout: string }) => found.stdout.trim().split('\n')

  it('is addressed to the author of what it answers, and reaches their inbox', () => {
    const { jwz, post } = freshBus()
    const asked = post('t', 'why?', '--as', 'alice')
    const answer = jwz(['reply', asked, '-m', 'because', '--as', 'bob']).stdout.trim()
    expect(ids(jwz(['inbox', '-q', '--as', 'alice']))).toEqual([answer])
    const later = post('t', 'also', '--as', 'carol', '--reply-to', asked)
    expect(ids(jwz(['inbox', '-q', '--as', 'alice'])).sort()).toEqual([answer, later].sort())
    expect(JSON.parse(jwz(['show', answer, '--json']).stdout)).toMatchObject({ reply_to: asked, to: ['alice'] })
  })

  it('goes where --to says, and one to oneself to those whom the first was for', () => {
    const { jwz, post } = freshBus()
    const asked = post('t', 'why?', '--as', 'alice', '--to', 'bob')
    const named = jwz(['reply', asked, '-m', 'x', '--as', 'bob', '--to', 'carol', '--json'])
    expect(JSON.parse(named.stdout).to).toEqual(['carol'])
    const more = jwz(['reply', asked, '-m', 'and how?', '--as', 'alice', '--json'])
    expect(JSON.parse(more.stdout).to).toEqual(['bob'])
    const note = post('t', 'a note', '--as', 'alice')
    expect(JSON.parse(jwz(['reply', note, '-m', 'more', '--as', 'alice', '--json']).stdout).to).toBeUndefined()
  })

  it('is not needed where a topic is an agent’s own: agent:NAME reaches NAME', () => {
    const { jwz, post } = freshBus()
    const id = post('agent:oracle', 'hi', '--as', 'alice')
    expect(ids(jwz(['inbox', '-q', '--as', 'oracle']))).toEqual([id])
    expect(jwz(['inbox', '-q', '--as', 'orac']).code).toBe(3)
  })
})

describe('me', () => {
  it('is the caller where a message is addressed and looked for, and is never stored', () => {
    const { jwz } = freshBus()
    const env = { env: { JWZ_AGENT: 'ada' } }
    const sent = jwz(['post', 't', '-m', 'x', '--as', 'bob', '--to', 'ada', '-q']).stdout
    const own = jwz(['post', 't', '-m', 'y', '--to', 'me', '--to', '@me', '--json'], env)
    expect(JSON.parse(own.stdout).to).toEqual(['ada', 'ada'])
    expect(jwz(['read', 't', '--to', 'me', '--from', 'bob', '-q'], env).stdout).toBe(sent)
    expect(jwz(['latest', 't', '--from', '@me', '-q'], env).stdout.trim()).toBe(JSON.parse(own.stdout).id)
  })
})

describe('- as a value', () => {
  it('is stdin, byte for byte, behind every flag that takes a text', () => {
    const { jwz, post } = freshBus()
    const input = '"a b"\n\tc\n'
    const bodies = [
      jwz(['post', 't', '-m', '-', '--json'], { input }),
      jwz(['post', 't', '-m-', '--json'], { input }),
      jwz(['post', 't', '--message=-', '--json'], { input }),
      jwz(['reply', post('t', 'x'), '-m', '-', '--json'], { input }),
    ].map(({ stdout }) => JSON.parse(stdout).body)
    expect(bodies).toEqual([input, input, input, input])
    const data = jwz(['post', 't', '-m', 'x', '--data', '-', '--json'], { input: '{"n":1}\n' })
    expect(JSON.parse(data.stdout).data).toEqual({ n: 1 })
  })

  it('may stand once; twice is exit 2, and nothing is posted', () => {
    const { jwz } = freshBus()
    for (const args of [
      ['-m', '-', '-'],
      ['-m', '-', '--data', '-'],
      ['-m', '-', '-F', '-'],
    ]) {
      expect(jwz(['post', 't', ...args], { input: 'x' })).toEqual({
        ...{ code: 2, signal: null, stdout: '' },
        stderr: 'jwz: expected one - for stdin, got 2; there is one stdin; give the others as a text or a file\n',
      })
    }
    expect(jwz(['topic', 'list', '-q']).stdout).toBe('')
  })
})
