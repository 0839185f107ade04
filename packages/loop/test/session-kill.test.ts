import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, git, scaled, start } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, landedIds, leftovers, ok, type Place, place, show } from './place.ts'
import { answered, type SessionPlace, sessionAt } from './session-place.ts'

const done = '<loop-done>done</loop-done>'

/** Moments to die at: every write to a topic, or one of the later. */
const moments = (all: number) => (full ? Array.from({ length: all }, (_, index) => index + 1) : [Math.ceil(all * 0.7)])

/** The session's stop hook, killed just before its n-th write to a topic. True when it lived to the end. */
function stopKilled(here: Place, nth: number, message: string, action: 'kill' | 'short'): boolean {
  const env = faultEnv({ call: 'writeSync', nth, action, match: '/topics/loop/' })
  return sessionAt(here, 's-1', env).stop(message).signal === null
}

const agrees = (here: Place) =>
  expect(ok(here.loop('trace', newest(here), '--replay', '--json')).stdout).toContain('"agrees":true')

const newest = (here: Place): string => JSON.parse(here.loop('status', '--json').stdout).run

describe('a stop hook that is killed', () => {
  it.each(moments(9))('at write %i leaves a task that goes on', (nth) => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x', '--check', 'test -f b.txt', '--max', '50'))
    stopKilled(here, nth, done, nth % 2 === 0 ? 'short' : 'kill')
    expect(answered(stop('')).block).toContain('Iteration')
    writeFileSync(join(here.root, 'b.txt'), '')
    expect(answered(stop(done)).warning).toContain('complete')
    expect(answered(stop(''))).toEqual({})
    agrees(here)
  })

  it.each(moments(17))('at write %i leaves an issue that lands once', (nth) => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    const id = here.issue('Write b.txt')
    const { stdout } = ok(loop('start', '--issue', id, '--verify', 'test -f b.txt'))
    const worktree = /^Worktree: ([^,]+),/m.exec(stdout)?.[1] ?? ''
    writeFileSync(join(worktree, 'b.txt'), '')
    git(worktree, 'add', '.')
    git(worktree, 'commit', '-qm', 'Add b.txt', '-m', `Issue: ${id}`)
    if (!stopKilled(here, nth, done, 'kill')) answered(stop(done))
    expect(show(here.root, id).status).toBe('closed')
    expect(landedIds(here.root)).toEqual([id])
    expect(answered(stop(''))).toEqual({})
    agrees(here)
    // The folder and the lock of a killed hook go with whoever looks next for what died.
    here.doctor('--fix')
    expect(leftovers(here.root)).toEqual([])
  })

  it('while the task begins leaves nothing that holds the session', () => {
    for (const nth of moments(6)) {
      const here = place()
      const env = faultEnv({ call: 'writeSync', nth, action: 'kill', match: '/topics/loop/' })
      sessionAt(here, 's-1', env).loop('start', 'x')
      const { loop, stop } = sessionAt(here, 's-1')
      ok(loop('start', 'again', '--max', '50'))
      expect(answered(stop('')).block).toContain('again')
    }
  })
})

describe('at the same time', () => {
  const blocks = (answers: readonly { block?: string }[]) => answers.filter(({ block }) => block !== undefined).length
  const turns = (root: string) =>
    events(root).filter(({ event, input }) => event === 'decided' && Object(input).of === 'turn').length

  it('several hooks of one stop: each turn that is counted is answered once', async () => {
    const here = place()
    const session = sessionAt(here, 's-1')
    ok(session.loop('start', 'x', '--max', '50'))
    for (let round = 0; round < scaled(10); round++) {
      const before = turns(here.root)
      const answers = await Promise.all([1, 2, 3].map(() => session.startStop(`round ${round}`).done))
      expect(turns(here.root) - before).toBe(blocks(answers.map(answered)))
      writeFileSync(join(here.root, 'n.txt'), String(round))
    }
    agrees(here)
  })

  it('a stop and a cancellation: the run is cancelled, by this stop or the next', async () => {
    for (let round = 0; round < scaled(10); round++) {
      const here = place()
      const session: SessionPlace = sessionAt(here, 's-1')
      ok(session.loop('start', 'x', '--max', '50'))
      const stopping = session.startStop('')
      const cancelling = start('loop', ['cancel'], { cwd: here.root })
      const [stopped, cancelled] = await Promise.all([stopping.done, cancelling.done])
      expect(cancelled.code).toBe(0)
      const last = answered(stopped).block === undefined ? answered(stopped) : answered(session.stop(''))
      expect(last.warning).toContain('cancelled')
      expect(events(here.root).at(-1)).toMatchObject({ event: 'finished' })
      agrees(here)
    }
  })
})
