// Hooks that race, that are killed, and that come in any order.
import { faultEnv, full, scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draftsOf } from '../src/hook/decide.ts'
import type { SessionEvent } from '../src/session/event-schema.ts'
import { foldSession, type Session } from '../src/session/fold-session.ts'
import { isOver } from '../src/session/transitions.ts'
import { contract, hooked } from './hooked.ts'

const tools = ['pre-tool', 'post-tool', 'notice', 'pre-tool', 'post-tool'].map((name) => `claude-${name}`)

describe('twenty hooks at once', () => {
  it('leave a session aborted whose abort comes among them, with each line of its log whole', async () => {
    const session = hooked()
    await session.begin()
    session.hook('claude-session-start')
    session.hook('claude-prompt', { prompt: contract })
    const hooks = Array.from({ length: 20 }, (_, number) => {
      const name = number === 11 ? 'claude-stop' : (tools[number % tools.length] ?? '')
      return session.start(name, { tool_name: 'Read', tool_input: { file_path: `/f${number}` } })
    })
    const aborted = session.scope(['abort', '0', '--reason', 'wrong branch'])
    expect(aborted.code).toBe(0)
    for (const { done } of hooks) {
      const { code, signal, stdout, stderr } = await done
      // An abort ends all that a session has started, its hooks too.
      expect([0, 'SIGTERM', 'SIGKILL']).toContain(signal ?? code)
      expect(stdout + stderr).toBe('')
    }
    const { status } = session.poll()
    const events = session.events().map(({ event }) => event)
    const end = events.findIndex((event) => event === 'aborted' || event === 'done')
    expect(status).toBe(events[end])
    expect(session.poll().activity).toMatch(/^(?:reading f\d+)?$/)
    expect(session.has('hook.log')).toBe(false)
  })

  it('say once that a session needs input, and end its turn with one of their texts', async () => {
    const session = hooked()
    await session.begin()
    session.hook('claude-session-start')
    session.hook('claude-prompt', { prompt: contract })
    await Promise.all(Array.from({ length: 20 }, () => session.start('claude-notice-request').done))
    expect(session.events().filter(({ event }) => event === 'turn')).toHaveLength(1)
    const texts = Array.from({ length: 20 }, (_, number) => `text ${number} `.repeat(200))
    await Promise.all(texts.map((text) => session.start('claude-stop', { last_assistant_message: text }).done))
    const { status, result } = session.poll()
    expect(status).toBe('done')
    expect(texts).toContain(result)
  })
})

describe('a hook that is killed', () => {
  it.each(['claude-session-start', 'claude-prompt', 'claude-pre-tool', 'claude-notice-request', 'claude-stop'])(
    'at any step leaves the session as before or behind it, and the next one gets on: %s',
    async (name) => {
      for (let nth = 1; ; nth += full ? 1 : 23) {
        const session = hooked()
        await session.begin()
        const before = ['claude-session-start', 'claude-prompt', 'claude-pre-tool']
        for (const earlier of before.slice(0, before.indexOf(name) === -1 ? 3 : before.indexOf(name))) {
          session.hook(earlier, { prompt: contract })
        }
        const was = session.poll()
        const killed = await session.start(
          name,
          { prompt: contract },
          faultEnv({ call: '*', nth, action: 'kill', match: '.scope' }),
        ).done
        const stands = session.poll()
        if (killed.signal === null) break
        session.hook(name, { prompt: contract })
        const is = session.poll()
        expect([was.turn, is.turn]).toContain(stands.turn)
        expect([was.status, is.status]).toContain(stands.status)
        expect([was.activity, is.activity, '']).toContain(stands.activity)
        if (name === 'claude-stop') expect(is).toMatchObject({ status: 'done', result: 'All done.' })
        expect(session.events().every(({ v }) => v === 1)).toBe(true)
      }
    },
  )
})

/** Hooks, and what others do to a session meanwhile. */
const acts = ['start', 'clear', 'contract', 'prompt', 'pre', 'post', 'notice', 'fail', 'stop', 'done'] as const
const others = ['exited', 'aborted', 'failed', 'resumed', 'started', 'ended'] as const
const common = { host: 'claude', session: 'c', cwd: '/', agentId: undefined, agentType: undefined } as const

it('never leaves an end, whatever comes in whatever order, but by a prompt to one that is done, or when it is resumed', () => {
  const one = fc.constantFrom(...acts, ...others)
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), fc.constantFrom('tmux', 'headless'), (words, backend) => {
      let session = begun(backend)
      for (const word of words) {
        for (const draft of draftsFor(session, word)) {
          const event = { v: 1, id: 'x', at: 0, session: '0', by: 'hook', ...draft } as SessionEvent
          const next = foldSession(session, event) ?? session
          if (isOver(session.state) && next.state !== session.state) {
            expect([event.event, session.state]).toEqual(
              event.event === 'resumed' ? ['resumed', session.state] : ['prompted', 'done'],
            )
          }
          if (next.state === 'done' && session.state !== 'done') expect(event.event).toBe('done')
          session = next
        }
      }
    }),
    { numRuns: scaled(5000) },
  )
})

const said = { v: 1, id: 'x', at: 0, session: '0', by: 'test' } as const
const process = { pid: 1, start: '1', boot: 'b', namespace: 'n' }

function begun(backend: 'tmux' | 'headless'): Session {
  const task = { task: 't', task_type: 'implement', agent: 'claude', model: null, access: 'write' } as const
  const place = { backend, cwd: '/', alias: null, role: 'run', spawner: process } as const
  const session = foldSession(undefined, { ...said, event: 'created', ...task, ...place })
  const running = foldSession(session, { ...said, event: 'started', process })
  if (running === undefined) throw new Error('expected a session')
  return running
}

function draftsFor(session: Session, word: (typeof acts)[number] | (typeof others)[number]) {
  const hook = (event: object, told = {}) =>
    draftsOf(session, { ...common, transcript: undefined, ...event } as never, told)
  const tool = { name: 'Read', kind: 'other', command: undefined, paths: [] }
  switch (word) {
    case 'start':
      return hook({ event: 'session-start', source: 'startup' })
    case 'clear':
      return hook({ event: 'session-start', source: 'clear', session: 'd' })
    case 'contract':
      return hook({ event: 'prompt', prompt: contract }, { contract })
    case 'prompt':
      return hook({ event: 'prompt', prompt: 'more' }, { contract })
    case 'pre':
      return hook({ event: 'pre-tool', tool }, { activity: 'reading a' })
    case 'post':
      return hook({ event: 'post-tool', tool, result: '' })
    case 'notice':
      return hook({ event: 'notice', tool, needs: 'a permission' }, { reason: 'why' })
    case 'fail':
      return hook({ event: 'stop-failure', failure: 'other', resetsAt: undefined }, { reason: 'why' })
    case 'stop':
      return [
        { event: 'result', bytes: 1, agent_session: 'c', usage: null, cost_usd: null },
        { event: 'turn', turn: 'idle' },
      ]
    case 'started':
      return [{ event: word, process }]
    case 'ended':
      return [{ event: word, exit_code: 0, signal: null }]
    case 'exited':
    case 'aborted':
    case 'failed':
      return [{ event: word, reason: 'r' }]
    default:
      return [{ event: word }]
  }
}
