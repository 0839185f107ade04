import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { hooked } from './hooked.ts'
import { isGone, type Sessions, sessions, until } from './sessions.ts'

const statesOf = (at: Sessions): string[] =>
  JSON.parse(at.scope(['list', '--all', '--json']).stdout).map(({ status }: { status: string }) => status)

describe('scope spawn, killed at any step', () => {
  it('leaves no session, or one that comes to an end; the next ones have ids of their own', async () => {
    const at = sessions()
    const trace = join(at.root, 'trace')
    at.scope(
      ['spawn', 'Whole', '--wait'],
      {},
      faultEnv({ call: '*', nth: 100_000, action: 'kill', match: '.scope', trace }),
    )
    const steps = readFileSync(trace, 'utf8').trim().split('\n').length
    expect(steps).toBeGreaterThan(30)
    const told = new Set(['0'])
    const stride = Math.max(1, Math.floor(steps / scaled(steps)))
    for (let nth = 1; nth <= steps; nth += stride) {
      const fault = faultEnv({ call: '*', nth, action: 'kill', match: '.scope' })
      const { stdout } = at.scope(['spawn', `Step ${nth}`], {}, fault)
      for (const id of stdout.trim().split('\n').filter(Boolean)) {
        expect(told.has(id)).toBe(false)
        told.add(id)
      }
    }
    const after = at.spawn('After')
    expect(told.has(after)).toBe(false)
    await until(() => statesOf(at).every((state) => !['pending', 'running'].includes(state)), 'all to be over')
    for (const id of told) expect(at.poll(id).task).toMatch(/^(Whole|Step \d+)$/)
    expect(at.poll(after).status).toBe('done')
    expect(at.scope(['list', '--json']).code).toBe(0)
    const isMade = (id: string) => existsSync(join(at.folder(id), 'state'))
    await until(() => !at.live().some(isMade), 'no mark of one at work')
  })
})

describe('a session whose writer was killed', () => {
  it('between its log and its files has them mended by the next look', () => {
    const at = sessions()
    const id = at.spawn('Whole')
    at.wait(id)
    writeFileSync(join(at.folder(id), 'state'), 'running\n')
    expect(at.poll(id).status).toBe('done')
    expect(at.file(id, 'state')).toBe('done\n')
  })

  it('between two of its files has the others written by the next look', async () => {
    for (let nth = 1; ; nth++) {
      const session = hooked()
      await session.begin()
      const fault = faultEnv({ call: 'renameSync', nth, action: 'kill', match: 'sessions/0/' })
      const { signal } = session.scope(['abort', '0', '--reason', 'wrong'], fault)
      const { status } = session.poll()
      const reason = status === 'aborted' ? 'wrong\n' : ''
      expect([nth, session.text('state'), session.text('exit_reason')]).toEqual([nth, `${status}\n`, reason])
      if (signal === null) break
    }
  })

  it('between its log and the bus is told there by the next writer, with the same ids', async () => {
    const at = sessions()
    const id = at.spawn('Whole')
    at.wait(id)
    const feed = join(at.root, '.jwz', 'topics', 'scope', 'feed.jsonl')
    const idsOn = () => new Set(at.told('scope/feed').map((message) => message.id))
    await until(() => isGone(at.supervisor(id)), 'the writer to have told all')
    rmSync(join(at.folder(id), 'published'))
    writeFileSync(feed, '')
    at.scope(['resume', id])
    at.wait(id)
    // Who waits goes by the log; the bus hears of it after that.
    await until(() => idsOn().size === at.events(id).length, 'the bus to hear of all')
    expect(idsOn()).toEqual(new Set(at.events(id).map((event) => event.id)))
  })

  it('in the middle of a line is read up to there', () => {
    const at = sessions()
    const id = at.spawn('Whole')
    at.wait(id)
    appendFileSync(join(at.folder(id), 'events.jsonl'), '{"v":1,"event":"abor')
    expect(at.poll(id).status).toBe('done')
    at.scope(['resume', id])
    expect(at.wait(id).code).toBe(0)
  })
})

describe('a store that somebody else wrote', () => {
  it('is shown, and nothing in it is ever run', () => {
    const own = sessions()
    const id = own.spawn('Mine')
    own.wait(id)
    const at = sessions({ act: 'touch ran' })
    mkdirSync(join(at.root, '.scope', 'sessions', '0'), { recursive: true })
    for (const name of own.files(id)) {
      if (name !== 'published') writeFileSync(join(at.folder('0'), name), own.file(id, name))
    }
    expect(at.poll('0')).toMatchObject({ status: 'done', task: 'Mine' })
    for (const args of [
      ['supervise', '0'],
      ['resume', '0'],
    ]) {
      const { code, stderr } = at.scope(args)
      expect([code, stderr]).toEqual([5, expect.stringContaining('were not written on this machine')])
    }
    expect(at.has('ran')).toBe(false)
    expect(existsSync(join(at.root, 'ran'))).toBe(false)
  })

  it('runs no other contract than the one that was signed', () => {
    const at = sessions()
    const id = at.spawn('Mine')
    at.wait(id)
    writeFileSync(join(at.folder(id), 'contract.md'), 'Something else')
    expect(at.scope(['supervise', id]).code).toBe(5)
  })

  it('takes no name for a path, and follows no link', () => {
    const at = sessions()
    at.wait(at.spawn('Mine'))
    for (const name of ['../0', '0/../0', 'x/y', '', '-1', '__proto__', '0-1-sing']) {
      const { code, stdout } = at.scope(['poll', '--', name])
      expect([name, code === 2 || code === 3, stdout]).toEqual([name, true, ''])
    }
  })
})
