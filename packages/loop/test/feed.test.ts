// Runs as sessions on `scope:feed`: what is written there, and that nothing which goes wrong with it is felt.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultEnv, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { events, ok, type Place, place, write } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const feedOf = ({ root }: Pick<Place, 'root'>) => join(root, '.jwz', 'topics', 'scope', 'feed.jsonl')

type Told = {
  id: string
  from: string
  body: string
  data: { session: string; event: string; [field: string]: unknown }
}

const topicLines = (root: string, ...names: readonly string[]): Told[] =>
  readFileSync(join(root, '.jwz', 'topics', ...names), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** What the feed holds by now. */
const told = ({ root }: Pick<Place, 'root'>) => topicLines(root, 'scope', 'feed.jsonl')

/** A session's events on the feed in few words; `loop:…` for the id of the run. */
const words = (at: Pick<Place, 'root'>) =>
  told(at).map(({ data }) => {
    const { session, event, activity, turn, reason, child } = data
    const text = [session, event, activity ?? turn ?? child, reason].filter((word) => word !== undefined).join(' ')
    return text.replaceAll(/loop:[0-9a-z]{8}/g, 'loop:RUN')
  })

/** Each event is as scope, which reads it, says. */
function expectShape({ root }: Pick<Place, 'root'>): void {
  const [event, activity] = ['event', 'activity'].map((name) =>
    z.fromJSONSchema(JSON.parse(run('scope', ['schema', name], { cwd: root }).stdout)),
  )
  for (const { data } of told({ root })) {
    const shape = data.event === 'activity' ? activity : event
    expect(shape?.safeParse(data).error, JSON.stringify(data)).toBeUndefined()
  }
}

describe('a run on the feed', () => {
  it('is a session, and each issue is one below it, from its claim to its end', () => {
    const at = place()
    const [good, bad] = [at.issue('good'), at.issue('bad')]
    const agent = at.agent('x', '[ "$title" = bad ] && { echo no; exit 1; }\necho 1 >"$title"')
    const flags = ['--with', agent, '--verify', 'true', '--max-iterations', '1']
    expect(at.loop('run', '--issues', ...flags).code).toBe(9)
    const all = words(at)
    const of = (id: string) => all.filter((text) => text.startsWith(`loop:RUN:${id} `))
    expect(of(good)).toEqual([
      ...[`loop:RUN:${good} created`, `loop:RUN:${good} started`, `loop:RUN:${good} turn busy`],
      ...[`loop:RUN:${good} activity claimed`, `loop:RUN:${good} iteration`, `loop:RUN:${good} activity working`],
      ...[`loop:RUN:${good} result`, `loop:RUN:${good} activity verifying`, `loop:RUN:${good} activity landing`],
      ...[`loop:RUN:${good} activity landed`, `loop:RUN:${good} done`],
    ])
    expect(of(bad).at(-1)).toMatch(/ failed gave-up: /)
    expect(all.filter((text) => text.startsWith('loop:RUN '))).toEqual([
      ...['loop:RUN created', 'loop:RUN started', 'loop:RUN turn busy'],
      ...[good, bad].map((id) => `loop:RUN child loop:RUN:${id}`),
      ...['loop:RUN failed a limit was reached', 'loop:RUN ended'],
    ])
    const [first, second] = told(at)
    expect(first?.data).toMatchObject({
      ...{ v: 1, by: 'loop', event: 'created', task: 'issues onto main', task_type: 'implement', agent, role: 'run' },
      ...{ model: null, access: 'write', backend: 'headless', alias: null, cwd: at.root },
    })
    expectShape(at)
    expect(first?.data['id']).toBe(first?.id)
    expect(second).toMatchObject({ id: `${first?.id}.1`, data: { id: `${first?.id}.1`, at: first?.data['at'] } })
    const record = topicLines(at.root, 'loop', 'run', `${events(at.root)[0]?.['run']}.jsonl`)
    expect(record[0]?.id).toBe(first?.id)
  })

  it('calls a person while an issue is parked and the run goes on', () => {
    const at = place()
    const id = at.issue('a')
    const agent = at.agent('x', 'echo 2 >a.txt')
    writeFileSync(join(at.root, 'a.txt'), 'mine\n')
    expect(at.loop('run', '--issues', '--with', agent, '--verify', 'true').code).toBe(1)
    const all = words(at)
    expect(all).toContainEqual(expect.stringMatching(new RegExp(`^loop:RUN turn needs_input ${id} is parked: `)))
    expectShape(at)
    expect(all.slice(-2)).toEqual(['loop:RUN failed not all of it has landed', 'loop:RUN ended'])
  })

  it('is the task itself where it works one, also of a session, which no process of its own keeps going', () => {
    const at = place()
    const { loop, stop } = sessionAt(at, 's-1')
    ok(loop('start', 'Write b.txt', '--check', 'test -f b.txt', '--max', '5'))
    stop('not yet')
    ok(loop('pause'))
    ok(loop('resume'))
    write(at.root, 'b.txt', '')
    expect(answered(stop('<loop-done>done</loop-done>')).warning).toContain('complete')
    const seen = words(at)
    expect([...new Set(seen)]).toEqual([
      ...['loop:RUN created', 'loop:RUN started', 'loop:RUN turn busy', 'loop:RUN iteration'],
      ...['loop:RUN activity working', 'loop:RUN result', 'loop:RUN turn paused', 'loop:RUN activity waiting'],
      ...['loop:RUN activity verifying', 'loop:RUN activity complete', 'loop:RUN done', 'loop:RUN ended'],
    ])
    const [created, started] = told(at)
    expect(created?.data).toMatchObject({ task: 'Write b.txt', agent: 'claude', role: 'loop', max_iterations: 5 })
    expect(started?.data).not.toHaveProperty('process')
    expectShape(at)
  })

  it('is not disturbed by a feed that takes nothing, and tells later what was not told', () => {
    const at = place()
    const { loop, stop } = sessionAt(at, 's-1')
    mkdirSync(feedOf(at), { recursive: true })
    const started = ok(loop('start', 'Write b.txt', '--max', '5'))
    expect(started.stderr).toBe('')
    expect(answered(stop('not yet')).block).toContain('Iteration 2 of 5')
    rmSync(feedOf(at), { recursive: true })
    expect(answered(stop('not yet')).block).toContain('Iteration 3 of 5')
    const ids = told(at).map(({ id }) => id)
    expect(words(at).slice(0, 5)).toEqual([
      ...['loop:RUN created', 'loop:RUN started', 'loop:RUN turn busy', 'loop:RUN iteration'],
      'loop:RUN activity working',
    ])
    expect(words(at).filter((text) => text === 'loop:RUN iteration')).toHaveLength(3)
    expect(ids).toEqual([...new Set(ids)])
  })

  it('tells by its next writer what a writer that was killed behind the record had not told', () => {
    const at = place()
    ok(sessionAt(at, 's-1').loop('start', 'Write b.txt', '--max', '5'))
    const before = words(at).length
    const fault = faultEnv({ call: 'openSync', nth: 1, action: 'kill', match: join('scope', 'feed.jsonl') })
    const killed = sessionAt(at, 's-1', fault).startStop('not yet')
    return killed.done.then(({ signal }) => {
      expect(signal).toBe('SIGKILL')
      expect(words(at)).toHaveLength(before)
      const recorded = events(at.root).length
      sessionAt(at, 's-1').stop('not yet')
      expect(events(at.root).length).toBeGreaterThan(recorded)
      expect(words(at).filter((text) => text === 'loop:RUN result')).toHaveLength(2)
    })
  })

  it('makes no bus where there is none to be made', () => {
    const at = place()
    expect(at.loop('status').code).toBe(3)
    expect(existsSync(dirname(feedOf(at)))).toBe(false)
  })
})
