import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ulid } from '@switchyard/ground/ulid'
import { describe, expect, it } from 'vitest'
import { sessions } from './sessions.ts'
import { made, written } from './store.ts'

/** Puts data onto the feed, a message each. */
function feed(root: string, told: readonly { id: string; at: number }[]): void {
  const common = { v: 1, topic: 'scope:feed', from: 'test', body: 'news' }
  const lines = told.map((data) => `${JSON.stringify({ ...common, id: data.id, at: data.at, data })}\n`)
  mkdirSync(join(root, '.jwz', 'topics', 'scope'), { recursive: true })
  writeFileSync(join(root, '.jwz', 'topics', 'scope', 'feed.jsonl'), lines.join(''))
}

describe('dashboard', () => {
  it('is what scope does without a verb: it prints the tree once where there is no terminal, those that wait for a person and the way to them first', () => {
    const at = sessions()
    written(at.root, [
      ...made('0', { task: 'Refactor auth to JWT' }),
      ...made('0.0', { task: 'Extract JWT helpers' }),
      ...made('1', { task: 'Write tests' }),
      ...made('1.0', { task: 'Of users' }),
      ...made('1.1', { task: 'Of roles', needs: 'May I run npm test?' }),
    ])
    const { code, stdout, stderr } = at.scope([])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      [
        '1\trunning\tclaude\tWrite tests\t',
        '1.1\tneeds input\tclaude\tOf roles\t',
        '1.0\trunning\tclaude\tOf users\t',
        '0\trunning\tclaude\tRefactor auth to JWT\t',
        '0.0\trunning\tclaude\tExtract JWT helpers\t',
        '',
      ].join('\n'),
    )
    expect(at.scope(['--once']).stdout).toBe(stdout)
    expect(at.scope(['-q']).stdout).toBe('1\n1.1\n1.0\n0\n0.0\n')
    expect(JSON.parse(at.scope(['--json']).stdout)).toMatchObject([{ id: '1' }, { id: '1.1' }, {}, {}, {}])
  })

  it('shows those above a session at work, also where they ended long ago', () => {
    const at = sessions()
    written(at.root, [...made('7', { isOver: true }), ...made('7.3', {})])
    expect(at.scope(['-q']).stdout).toBe('7\n7.3\n')
  })

  it('shows sessions of other tools however much of its own the feed holds since, and none that is silent for a day', () => {
    const at = sessions()
    written(at.root, made('0', {}))
    const earlier = Date.now() - 25 * 3_600_000
    const silent = made('loop:silent', { at: earlier }).map((told) => {
      if (told.event !== 'started') return told
      const { process: _, ...rest } = told
      return rest
    })
    const others = [
      ...made('loop:long', { at: earlier }),
      ...made('loop:over', { at: earlier, isOver: true }),
      ...silent,
    ]
    const busy = { v: 1, at: Date.now(), session: '0', event: 'activity', by: 'hook', activity: 'reading' }
    const own = Array.from({ length: 10_500 }, (_, count) => ({ ...busy, id: ulid(count) }))
    feed(at.root, [...others, ...own])
    expect(at.scope(['-q']).stdout).toBe('0\nloop:long\n')
  })

  it('says that there are none, makes no store, and names a verb that does not exist', () => {
    const at = sessions()
    expect(at.scope([])).toMatchObject({ code: 0, stdout: '', stderr: 'no sessions; scope spawn starts one\n' })
    expect(at.has('.scope')).toBe(false)
    expect(at.scope(['spwan'])).toMatchObject({ code: 2, stderr: expect.stringContaining('spawn') })
    expect(at.scope(['--onec'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--onec') })
    expect(at.scope(['--help']).stdout).toContain('USAGE scope <verb>')
  })
})
