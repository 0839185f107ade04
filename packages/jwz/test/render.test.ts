import { renderAge } from '@switchyard/cli-kit/age'
import { snippet } from '@switchyard/cli-kit/snippet'
import { parseTextQuery } from '@switchyard/cli-kit/text-query'
import type { Message } from '@switchyard/topic'
import { describe, expect, it } from 'vitest'
import { agentLines } from '../src/render/agents.ts'
import { renderFound } from '../src/render/found.ts'
import { renderFull } from '../src/render/full.ts'
import { type LeaseView, leaseLines } from '../src/render/lease.ts'
import { topicLines } from '../src/render/topics.ts'
import { type Look, paintName, renderMessage, renderStreamed } from '../src/text/message-line.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const pipe: Look = { isTerminal: false, color: false, now }
const plain: Look = { isTerminal: true, color: false, now }
const coloured: Look = { isTerminal: true, color: true, now }

const message: Message = {
  v: 1,
  id: '01KAH5T8M1D6YF2R9S0C3E5GJK',
  at: now - 180_000,
  topic: 'issue:1',
  from: 'bob',
  body: 'One\nTwo\n',
  role: 'reviewer',
  tags: ['a', 'b'],
  reply_to: '01KAH5T5A9Q3VX0W8ZK4M2N7PB',
}

describe('a message', () => {
  it('is indented at a terminal, with its age and the end of its id', () => {
    expect(renderMessage(message, plain)).toBe('bob  reviewer #a #b  3m ago  3E5GJK  answers M2N7PB\n  One\n  Two\n\n')
  })

  it('says that it is urgent, and names its files', () => {
    const files = ['a.txt', 'b\nc'].map((name) => ({ name, sha256: 'f'.repeat(64), bytes: 1234 }))
    const urgent = { ...message, urgent: true, attachments: files }
    expect(renderMessage(urgent, pipe).split('\n')[0]).toMatch(/Z urgent reviewer #a #b \+a.txt \+b\\nc$/)
    expect(renderMessage(urgent, plain)).toMatch(/^bob {2}urgent {2}reviewer #a #b \+a.txt \+b\\nc {2}3m ago/)
    expect(renderStreamed(urgent, pipe)).toMatch(/ bob urgent: One/)
    expect(renderFull(urgent, pipe)).toContain(`\nurgent: yes\n`)
    expect(renderFull(urgent, pipe)).toContain(`\nattached: a.txt (1.2 kB, ${'f'.repeat(64)})\nattached: b\\nc (`)
  })

  it('says at a terminal what it answers and by which name it is answered', () => {
    expect(renderStreamed(message, plain)).toMatch(/^\d\d:57:00 issue:1 bob 3E5GJK answers M2N7PB: One \(\+1 line\)$/)
    expect(renderFull(message, plain)).toContain('\nat: 2026-11-21T11:57:00.000Z (3m ago)\n')
  })

  it('has its sender in one colour wherever the name stands, however wide the column', () => {
    const agents = ['bob', 'a longer name'].map((name) => ({
      v: 1 as const,
      name,
      state: 'active' as const,
      last_at: now,
      messages: 1,
      role: null,
      model: null,
      topics: [],
    }))
    const draw = agentLines(agents, coloured)
    for (const agent of agents) expect(draw(agent)).toContain(paintName(agent.name, coloured))
  })

  it('is unadorned in a pipe', () => {
    expect(renderMessage(message, pipe)).toBe(`${message.id} bob 2026-11-21T11:57:00.000Z reviewer #a #b\nOne\nTwo\n`)
    expect(renderStreamed(message, pipe)).toBe('2026-11-21T11:57:00.000Z issue:1 bob: One (+1 line)')
  })

  it('has colours of ours only, the same for a sender each time', () => {
    const evil = { ...message, from: 'e\u001b[2Jve', body: '\u001b[31mred\u001b]0;title\u0007', role: '\u001b[1mboss' }
    const drawn =
      renderMessage(evil, coloured) +
      renderStreamed(evil, coloured) +
      renderFound(evil, parseTextQuery('red'), coloured)
    const styles = [...drawn.matchAll(/\u001b(\[\d+m)?/g)].map(([, style]) => style)
    expect(styles).not.toContain(undefined)
    expect(drawn).not.toContain('\u001b[31m')
    expect(renderMessage(message, coloured).split('\n')[0]).toBe(
      renderMessage({ ...message, body: 'x' }, coloured).split('\n')[0],
    )
    expect(renderMessage(message, plain)).not.toContain('\u001b')
  })

  it('cannot forge a line with a name: what would end one is shown as JSON writes it', () => {
    const forger = { ...message, id: 'a\nb', from: 'bob\n2026 issue:1 alice', topic: 'x\ty', tags: ['t\r\nu'] }
    for (const look of [pipe, plain]) {
      expect(renderMessage({ ...forger, body: '' }, look).trimEnd()).not.toMatch(/[\r\n\t]/)
      expect(renderStreamed({ ...forger, body: 'ok' }, look)).toMatch(
        / x\\ty bob\\n2026 issue:1 alice( a\\nb answers M2N7PB)?: ok$/,
      )
    }
    expect(renderFull(forger, pipe).split('\n').slice(0, 3)).toEqual([
      'id: a\\nb',
      'topic: x\\ty',
      'from: bob\\n2026 issue:1 alice',
    ])
  })

  it('shows a time that no calendar has as a number', () => {
    expect(renderStreamed({ ...message, at: 1e300 }, pipe)).toMatch(/^1e\+300 /)
    expect(renderStreamed({ ...message, at: 1e300 }, plain)).toMatch(/^1e\+300 /)
  })
})

describe('topicLines', () => {
  const topics = [
    {
      topic: 'issue:auth-123',
      messages: 4,
      bytes: 1536,
      segments: 1,
      first_at: 1,
      last_at: now - 90_000_000,
      last_from: 'carol',
    },
    { topic: 'news', messages: 130, bytes: 64 * 1024 * 1024, segments: 65, first_at: 1, last_at: now, last_from: 'ci' },
    { topic: 'empty', messages: 0, bytes: 0, segments: 1, first_at: null, last_at: null, last_from: null },
  ]

  it('aligns columns at a terminal', () => {
    expect(topics.map(topicLines(topics, plain))).toEqual([
      'issue:auth-123    4   1.5 kB    1d ago  carol',
      'news            130  67.1 MB  just now  ci',
      'empty             0      0 B',
    ])
  })

  it('separates fields with tabs in a pipe', () => {
    expect(topics.map(topicLines(topics, pipe))).toEqual([
      'issue:auth-123\t4\t2026-11-20T11:00:00.000Z\tcarol\t1536',
      'news\t130\t2026-11-21T12:00:00.000Z\tci\t67108864',
      'empty\t0\t\t\t0',
    ])
  })
})

describe('renderAge', () => {
  it.each([
    [-60_000, 'just now'],
    [4_999, 'just now'],
    [5_000, '5s ago'],
    [59_999, '59s ago'],
    [60_000, '1m ago'],
    [3_600_000, '1h ago'],
    [172_800_000, '2d ago'],
  ])('%i ms is %s', (ms, text) => {
    expect(renderAge(now - ms, now)).toBe(text)
  })
})

describe('snippet', () => {
  it('is one line around the first word, cut at both ends', () => {
    const body = `${'before '.repeat(20)}\n\tneedle ${'after '.repeat(40)}`
    const mark = (hit: string) => `<${hit}>`
    const text = snippet(body, parseTextQuery('NEEDLE'), mark)
    expect(text).toMatch(/^….*before <needle> after .*…$/)
    expect(text).not.toContain('\n')
    expect(snippet('short', parseTextQuery('absent'), mark)).toBe('short')
    expect(snippet('a b c', parseTextQuery('c OR a NOT b'), mark)).toBe('<a> b <c>')
    const faces = snippet(`${'\u{1f642}'.repeat(99)}x`, parseTextQuery('x'), mark)
    expect(Buffer.from(faces).toString()).toBe(faces)
    expect(snippet('\u0130 x', parseTextQuery('x'), mark)).toBe('\u0130 x')
  })
})

describe('leases', () => {
  const lease: LeaseView = {
    v: 1,
    id: 'l1',
    holder: 'bob',
    keys: ['deploy'],
    mode: 'exclusive',
    since: now,
    until: now + 600_000,
    reason: 'a release',
    fence: 1,
    state: 'held',
  }

  it('stand in columns at a terminal', () => {
    const leases = [lease, { ...lease, keys: ['src/**', 'docs'], holder: 'alice', reason: null }]
    expect(leases.map(leaseLines(leases, plain))).toEqual([
      'deploy       bob    10m left  a release',
      'src/** docs  alice  10m left',
    ])
  })
})
