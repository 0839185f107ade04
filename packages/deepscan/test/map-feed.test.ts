// The agents of a map in scope's dashboard, and events on the bus.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { mapPlace } from './map-place.ts'

const told = z.object({
  id: z.string(),
  from: z.string(),
  data: z.looseObject({ session: z.string(), event: z.string() }),
})

describe('a map on the feed of sessions', () => {
  it('is a session, and so is each of its workers, with what it does and has used', () => {
    const at = mapPlace(3)
    expect(run('jwz', ['post', 'x', '-m', 'a bus'], { cwd: at.root }).code).toBe(0)
    at.agent('good', "path.endsWith('f00.js') && attempt === 1 ? process.exit(1) : say(evals())")
    expect(at.map('good', '--jobs', '1').code).toBe(0)
    const feed = at.linesIn(join(at.root, '.jwz/topics/scope/feed.jsonl')).map((line) => told.parse(line))
    const words = feed.map(({ data }) => {
      const text = [data.session, data.event, data['activity'] ?? data['turn'] ?? data['child']]
        .filter(Boolean)
        .join(' ')
      return text.replaceAll(/deepscan:[0-9a-f]{8}-[0-9a-z]{8}/g, 'RUN')
    })
    expect(words).toEqual([
      ...['RUN created', 'RUN started', 'RUN turn busy', 'RUN child RUN:0'],
      ...['RUN:0 created', 'RUN:0 started', 'RUN:0 turn busy', 'RUN:0 activity chunk 1 of 3: src/f00.js'],
      ...['RUN:0 result', 'RUN:0 activity waiting: exit 1', 'RUN:0 result'],
      ...[
        'RUN:0 activity chunk 2 of 3: src/f01.js',
        'RUN:0 result',
        'RUN:0 activity chunk 3 of 3: src/f02.js',
        'RUN:0 result',
      ],
      ...['RUN:0 activity', 'RUN:0 done', 'RUN done', 'RUN ended'],
    ])
    const [event, activity] = ['event', 'activity'].map((name) =>
      z.fromJSONSchema(JSON.parse(run('scope', ['schema', name], { cwd: at.root }).stdout)),
    )
    for (const { data } of feed) {
      const shape = data.event === 'activity' ? activity : event
      expect(shape?.safeParse(data).error, JSON.stringify(data)).toBeUndefined()
    }
    expect(feed[0]?.data).toMatchObject({
      by: 'deepscan',
      task: 'What is dangerous?',
      agent: 'good',
      role: 'run',
      access: 'read',
    })
    const listed = run('scope', ['list', '--all', '--json'], { cwd: at.root })
    expect(listed.code).toBe(0)
  })

  it('makes no bus where there is none', () => {
    const at = mapPlace(1)
    at.agent('good', 'say(evals())')
    expect(at.map('good').code).toBe(0)
    expect(existsSync(join(at.root, '.jwz'))).toBe(false)
  })
})
