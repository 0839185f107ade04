import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, run, scaled, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { recordsIn } from './fixture.ts'
import { tissue } from './tissue.ts'

/** A store outside any repository, with a bus beside it. */
function withBus(): string {
  const root = tempFolder('feed')
  mkdirSync(join(root, '.jwz/topics'), { recursive: true })
  return root
}

/** Ids on a topic as its readers see them. */
function heard(root: string, topic: string): string[] {
  const { code, stdout } = run('jwz', ['read', topic, '--limit', '100000', '--quiet'], { cwd: root })
  return code === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

/** Ids of the single events of the log, in its order. */
function logged(root: string, issue?: string): unknown[] {
  const singles = recordsIn(root).flatMap((record) => (Array.isArray(record['events']) ? record['events'] : [record]))
  const confirmed = new Set(singles.filter(({ type }) => type === 'confirmed').map(({ of }) => of))
  // A claim is news once it is confirmed, which is none by itself.
  const news = singles.filter(({ type, id }) => type !== 'confirmed' && (type !== 'claimed' || confirmed.has(id)))
  return news.filter((event) => issue === undefined || event.issue === issue).map(({ id }) => id)
}

function notesIn(root: string): string[] {
  const folder = join(root, '.tissue/outbox')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.gitignore') : []
}

describe('a writer that is killed between the log and the feed', () => {
  for (const args of [
    ['new', 'Killed'],
    ['close', 'one', 'two'],
    ['claim', 'one'],
  ]) {
    it(`has the next one publish for it, once: ${args[0]}`, () => {
      let kills = 0
      for (let nth = 1, isOver = false; !isOver; nth += full ? 1 : 23) {
        const root = withBus()
        const ids = ['One', 'Two'].map((title) => tissue(root, ['new', title]).stdout.trim())
        const victim = args.map((arg) => ({ one: ids[0] ?? '', two: ids[1] ?? '' })[arg] ?? arg)
        const { code } = run('tissue', victim, { cwd: root, env: faultEnv({ call: '*', nth, action: 'kill' }) })
        isOver = code === 0
        if (!isOver) kills += 1
        const next = tissue(root, ['new', 'Next'])
        expect(next, `step ${nth}`).toMatchObject({ code: 0 })
        expect(heard(root, 'tissue:feed'), `step ${nth}`).toEqual(logged(root))
        for (const issue of [...ids, next.stdout.trim()])
          expect(heard(root, `issue:${issue}`), `step ${nth}`).toEqual(logged(root, issue))
        expect(notesIn(root)).toEqual([])
      }
      expect(kills).toBeGreaterThan(5)
    })
  }

  it('leaves a note that git does not see, and only where there is a bus', () => {
    const root = withBus()
    const env = faultEnv({ call: 'writeSync', nth: 1, action: 'kill', match: 'feed.jsonl' })
    run('tissue', ['new', 'Killed'], { cwd: root, env })
    expect(notesIn(root)).toHaveLength(1)
    expect(readFileSync(join(root, '.tissue/outbox/.gitignore'), 'utf8')).toBe('*\n')
    expect(heard(root, 'tissue:feed')).toEqual([])
    tissue(root, ['new', 'Next'])
    expect(heard(root, 'tissue:feed')).toEqual(logged(root))
    const alone = tempFolder('feed')
    tissue(alone, ['new', 'Alone'])
    expect(existsSync(join(alone, '.tissue/outbox'))).toBe(false)
  })
})

describe('the feed', () => {
  it('begins when the bus does: what was before is not news', () => {
    const root = tempFolder('feed')
    tissue(root, ['new', 'Before'])
    mkdirSync(join(root, '.jwz/topics'), { recursive: true })
    tissue(root, ['new', 'After'])
    expect(heard(root, 'tissue:feed')).toEqual(logged(root).slice(-1))
  })

  it('is caught up with when the bus can be written to again, in the order of the log', () => {
    const root = withBus()
    writeFileSync(join(root, '.jwz/topics/tissue'), 'a file where a folder has to be')
    for (const title of ['One', 'Two'])
      expect(tissue(root, ['new', title]).stderr).toMatch(/^written, but not published/)
    expect(notesIn(root)).toHaveLength(2)
    rmSync(join(root, '.jwz/topics/tissue'))
    expect(tissue(root, ['new', 'Three'])).toMatchObject({ code: 0, stderr: '' })
    expect(heard(root, 'tissue:feed')).toEqual(logged(root))
    expect(notesIn(root)).toEqual([])
  })

  it('says in a line what happened, to whom', () => {
    const root = withBus()
    const id = tissue(root, ['new', 'Told']).stdout.trim()
    tissue(root, ['claim', id])
    tissue(root, ['claim', '--renew', id, '--ttl', '1ms'])
    tissue(root, ['claim', id, '--as', 'bob'])
    tissue(root, ['release', id, '--as', 'bob', '--to', 'carol'])
    tissue(root, ['status', id, 'paused', '--reason', 'no time'])
    const { stdout } = run('jwz', ['read', `issue:${id}`, '--json'], { cwd: root })
    const bodies = JSON.parse(stdout).map(({ body }: { body: string }) => body.replace(/until .*/, 'until …'))
    expect(bodies).toEqual([
      `${id} created: Told`,
      `${id} claimed until …`,
      `${id} kept until …`,
      `${id} claimed, after ada, until …`,
      `${id} released to carol`,
      `${id} set to paused: no time`,
    ])
  })

  it('says nothing of what was imported as events, which happened elsewhere', () => {
    const root = withBus()
    const other = tempFolder('feed')
    tissue(other, ['new', 'Elsewhere'])
    const input = run('tissue', ['export'], { cwd: other }).stdout
    expect(tissue(root, ['import', '-'], input).code).toBe(0)
    expect(heard(root, 'tissue:feed')).toEqual([])
  })

  it('has one message for each event of a batch, and none that is too long', () => {
    const root = withBus()
    const ids = Array.from({ length: 40 }, (_, at) =>
      tissue(root, ['new', `${at} ${'long '.repeat(50)}`]).stdout.trim(),
    )
    const lines = recordsIn(root).length
    expect(tissue(root, ['close', ...ids, '--reason', 'x'.repeat(20_000)]).code).toBe(0)
    expect(recordsIn(root)).toHaveLength(lines + 1)
    expect(heard(root, 'tissue:feed')).toEqual(logged(root))
    const feed = readFileSync(join(root, '.jwz/topics/tissue/feed.jsonl'), 'utf8').split('\n')
    expect(Math.max(...feed.map((line) => Buffer.byteLength(line)))).toBeLessThan(32 * 1024)
  })

  it('has every event once for its readers when many write at once and some are killed', async () => {
    const root = withBus()
    const ends = await Promise.all(
      Array.from({ length: scaled(200) }, async (_, at) => {
        const env =
          at % 4 === 0 ? faultEnv({ call: 'writeSync', nth: 1 + (at % 3), action: 'kill', match: '.jwz' }) : {}
        return start('tissue', ['new', `Issue ${at}`], { cwd: root, env, input: '' }).done
      }),
    )
    expect(ends.some(({ signal }) => signal === 'SIGKILL')).toBe(true)
    expect(tissue(root, ['new', 'Last']).code).toBe(0)
    expect(heard(root, 'tissue:feed').sort()).toEqual(logged(root).sort())
    expect(notesIn(root)).toEqual([])
  })
})
