import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agentSchema } from '../src/message/agent-schema.ts'
import { freshBus, ok } from './bus.ts'

/** A bus on which ann speaks now, bob did an hour ago and carol a week ago. */
function busOfThree() {
  const bus = freshBus()
  bus.post('t', 'x', '--role', 'author', '--model', 'm-1')
  const say = (topic: string, from: string, ageMs: number, fields: Record<string, unknown> = {}) => {
    const record = { v: 1, id: `${from}-${ageMs}`, at: Date.now() - ageMs, topic, from, body: 'x', ...fields }
    appendFileSync(bus.file(topic), `${JSON.stringify(record)}\n`)
  }
  bus.post('u', 'x')
  say('t', 'bob', 3_600_000, { role: 'reviewer' })
  say('u', 'bob', 7_200_000, { role: 'author', model: 'm-2' })
  say('u', 'carol', 7 * 86_400_000)
  return { ...bus, say, agents: (...args: string[]) => bus.jwz(['agents', ...args]) }
}

describe('jwz agents', () => {
  it('lists who has spoken in the last day, who spoke last first, with the newest role and model', () => {
    const { agents } = busOfThree()
    const listed = agentSchema.array().parse(JSON.parse(agents('--json').stdout))
    expect(listed).toEqual([
      { ...listed[0], name: 'ann', state: 'active', messages: 2, topics: ['u', 't'], role: 'author', model: 'm-1' },
      { ...listed[1], name: 'bob', state: 'idle', messages: 2, topics: ['t', 'u'], role: 'reviewer', model: 'm-2' },
    ])
    const at = new Date(listed[1]?.last_at ?? 0).toISOString()
    expect(agents('t').stdout).toContain(`bob\tidle\t${at}\t1\treviewer\t\tt\n`)
  })

  it('retires an agent by itself after a day, shows it with --all, and has it back when it speaks', () => {
    const { agents, say } = busOfThree()
    expect(agents('--all', '-q')).toEqual(ok('ann\nbob\ncarol\n'))
    expect(JSON.parse(agents('--all', '--json').stdout)[2]).toMatchObject({ name: 'carol', state: 'retired' })
    expect(agents('--since', '30d', '-q')).toEqual(ok('ann\nbob\n'))
    expect(agents('--since', '90m', '--json').stdout).toContain('"name":"bob","state":"idle"')
    expect(agents('--since', '30m', '-q')).toEqual(ok('ann\n'))
    say('t', 'carol', 0)
    expect(agents('-q').stdout.split('\n')).toContain('carol')
  })

  it('says that nobody is there, and when there are more', () => {
    const { agents } = busOfThree()
    expect(agents('nothing:*')).toEqual({
      ...ok(''),
      stderr: 'nobody has spoken here; --all shows who has retired\n',
    })
    expect(agents('--json', 'nothing:*')).toEqual(ok('[]\n'))
    expect(agents('--limit', '1').stderr).toBe('1 of 2 shown; --limit shows more\n')
    expect(agents('--since', 'soon').code).toBe(2)
  })
})
