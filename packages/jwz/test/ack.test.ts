import { appendFileSync } from 'node:fs'
import { faultEnv } from '@switchyard/testkit'
import { ackSchema } from '@switchyard/topic/schema'
import { describe, expect, it } from 'vitest'
import { acknowledgedSchema, pendingSchema } from '../src/consumer/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

const empty = { code: 3, signal: null, stdout: '', stderr: '' }

describe('jwz ack', () => {
  it('writes one record into the topic of the message, however often it is called', () => {
    const { jwz, post, records } = freshBus()
    const id = post('t', 'question', '--to', 'bob')
    expect(jwz(['ack', id.slice(-6), '--as', 'bob'])).toEqual(ok(`${id}\n`))
    expect(jwz(['ack', id, '--as', 'bob', '-q'])).toEqual(ok(`${id}\n`))
    const again = JSON.parse(jwz(['ack', id, '--as', 'bob', '--json']).stdout)
    expect(acknowledgedSchema.parse(again)).toEqual({ v: 1, message: id, topic: 't', from: 'bob', new: false })
    const [, record, ...more] = records('t')
    expect(more).toEqual([])
    expect(ackSchema.parse(record)).toMatchObject({ type: 'ack', v: 1, topic: 't', from: 'bob', message: id })
  })

  it('is no message to any reader, and show names who has acknowledged', () => {
    const { jwz, post } = freshBus()
    const id = post('t', 'question', '--to', 'bob')
    expect(JSON.parse(jwz(['show', id, '--json']).stdout)).not.toHaveProperty('acked')
    for (const name of ['bob', 'carol', 'bob']) jwz(['ack', id, '--as', name])
    expect(jwz(['read', 't', '-q'])).toEqual(ok(`${id}\n`))
    expect(jwz(['latest', 't'])).toEqual(ok('question\n'))
    expect(jwz(['read', 't', '--consumer', 'ci', '-q'])).toEqual(ok(`${id}\n`))
    expect(jwz(['doctor', 't']).stdout).toBe('t: 3 records, 0 torn, 0 repeated, 0 corrupt\n')
    expect(JSON.parse(jwz(['show', id, '--json']).stdout)).toMatchObject({ id, acked: ['bob', 'carol'] })
    expect(jwz(['show', id]).stdout).toContain('\nacknowledged by: bob, carol\n')
  })

  it('does not stand between a conditional message and what that expects', () => {
    const { jwz, post, file } = freshBus()
    const id = post('t', 'question')
    jwz(['ack', id, '--as', 'bob'])
    const next = { v: 1, id: 'next', at: 1, topic: 't', from: 'ann', body: 'x', expect: id }
    appendFileSync(file('t'), `${JSON.stringify(next)}\n`)
    expect(jwz(['read', 't', '-q'])).toEqual(ok(`${id}\nnext\n`))
  })

  it('takes several ids, and writes nothing when one is not there', () => {
    const { jwz, post, records } = freshBus()
    const ids = [post('t', 'a'), post('u', 'b')]
    expect(jwz(['ack', ...ids, 'nothing-like-it'])).toEqual(
      failed(3, 'no message nothing-like-it; jwz search or jwz read shows ids'),
    )
    expect([records('t').length, records('u').length]).toEqual([1, 1])
    expect(jwz(['ack', ...ids])).toEqual(ok(`${ids.join('\n')}\n`))
    expect(jwz(['ack'])).toEqual(
      failed(2, 'ack takes ids of messages, or --pending; got neither; jwz inbox shows what is addressed to you'),
    )
  })

  it('--pending lists what waits and for whom; all have acknowledged when anybody but the sender has', () => {
    const { jwz, post } = freshBus()
    const pending = (...args: string[]) => jwz(['ack', '--pending', ...args])
    expect(pending()).toEqual({ ...empty, stderr: 'nobody is waited for\n' })
    const both = post('t', 'for both', '--to', 'bob', '--to', 'carol')
    const all = post('issue:1', 'for all', '--to', 'all')
    post('t', 'for nobody')
    expect(pending('-q')).toEqual(ok(`${both}\n${all}\n`))
    expect(pending('-q', 'issue:*')).toEqual(ok(`${all}\n`))
    expect(pending('-q', '--limit', '1')).toEqual(ok(`${both}\n`))
    expect(pending('--limit', '1').stderr).toBe('1 of 2 shown; --limit shows more\n')
    jwz(['ack', both, '--as', 'carol'])
    jwz(['ack', all, '--as', 'ann'])
    const [first, second] = JSON.parse(pending('--json').stdout)
    expect(pendingSchema.parse(first)).toMatchObject({ id: both, acked: ['carol'], pending: ['bob'] })
    expect(second).toMatchObject({ id: all, acked: ['ann'], pending: ['all'] })
    expect(pending('t').stdout).toMatch(new RegExp(`^t waits for bob: ${both} ann .*Z to bob, carol\nfor both\n$`))
    expect(pending('-q', '--since', '2099-01-01')).toEqual(empty)
    for (const id of [both, all]) jwz(['ack', id, '--as', 'bob'])
    expect(pending('--json')).toEqual({ ...empty, stdout: '[]\n' })
  })

  it('that is killed before any of its file calls leaves at most one record, and the next one works', () => {
    const bus = freshBus()
    let step = 0
    for (let code: number | null = null; code !== 0; ) {
      step += 1
      const id = bus.post('t', `step ${step}`, '--to', 'bob')
      const env = { JWZ_AGENT: 'bob', ...faultEnv({ call: '*', nth: step, action: 'kill', match: '.jwz' }) }
      code = bus.jwz(['ack', id], { env }).code
      if (code === 0) expect(bus.jwz(['ack', '--pending', '-q'])).toEqual(empty)
      bus.jwz(['ack', id], { env: { JWZ_AGENT: 'bob' } })
      expect(bus.jwz(['ack', '--pending', '-q'])).toEqual(empty)
      expect(bus.records('t').filter(({ message }) => message === id)).toHaveLength(1)
      expect(step).toBeLessThan(100)
    }
    expect(step).toBeGreaterThan(5)
  })
})
