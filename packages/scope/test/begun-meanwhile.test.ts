import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, outOfTime, stopped } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isGone, type Sessions, sessions, until } from './sessions.ts'

const stays = 'touch ready; [ -e go ] || sleep 600'
/** A session whose agent waits in a command for what it has started. */
const waits = `case $SCOPE_SESSION_ID in 0) [ -e go ] || scope spawn Child --wait ;; *) ${stays} ;; esac`

async function bothAtWork(act: string): Promise<Sessions> {
  const at = sessions({ act })
  at.spawn('Parent')
  await until(() => existsSync(join(at.root, 'ready')), 'both to be at work')
  return at
}

const viewsOf = (at: Sessions) =>
  JSON.parse(at.scope(['list', '--all', '--json']).stdout).map(
    ({ id, status, turn, alive }: Record<string, unknown>) => ({ id, status, turn, alive }),
  )

describe('a session that its parent waits for in a command', () => {
  it('is paused with its parent, and goes on with it', async () => {
    const at = await bothAtWork(waits)
    const agent = Number(at.heard('0.0', 'pid'))
    expect(at.scope(['pause', '0', '--quiet'])).toMatchObject({ code: 0, stdout: '0\n0.0\n' })
    const paused = { status: 'running', turn: 'paused', alive: false }
    expect([isGone(agent), viewsOf(at)]).toEqual([true, ['0', '0.0'].map((id) => ({ id, ...paused }))])
    at.write('go', '')
    expect(at.scope(['resume', '0']).code).toBe(0)
    expect(at.wait('0', '0.0')).toMatchObject({
      code: 0,
      waited: { results: [{ status: 'done' }, { status: 'done' }] },
    })
  })

  it('goes on where its parent alone is aborted', async () => {
    const at = await bothAtWork(waits)
    expect(at.scope(['abort', '0', '--keep-children'])).toMatchObject({ code: 0, stdout: 'session 0 is aborted\n' })
    expect([isGone(Number(at.heard('0', 'pid'))), isGone(Number(at.heard('0.0', 'pid')))]).toEqual([true, false])
    at.write('go', '')
    expect(at.scope(['abort', '0.0']).stdout).toBe('session 0.0 is aborted\n')
  })

  it('goes on where the turn of its parent ends while that command runs beside it', async () => {
    const behind = 'scope spawn Child --wait >/dev/null & while [ ! -e ready ]; do sleep 0.05; done'
    const act = `case $SCOPE_SESSION_ID in 0) ${behind} ;; *) touch ready; while [ ! -e go ]; do sleep 0.05; done ;; esac`
    const at = await bothAtWork(act)
    await until(() => at.events('0').some(({ event }) => event === 'ended'), 'the turn of the parent to end')
    expect(viewsOf(at)).toMatchObject([{ status: 'running' }, { id: '0.0', status: 'running', turn: 'busy' }])
    at.write('go', '')
    expect(at.wait('0', '0.0').code).toBe(0)
  })
})

it('what a session has started is aborted when its time is over, also what it waits for', async () => {
  const starts = '{ scope spawn Beside; scope spawn Waited --wait; }'
  const at = sessions({ act: `[ $SCOPE_SESSION_ID != $SCOPE_ROOT_ID ] || ${starts}; sleep 600` })
  const linger = (limit: string) => {
    const id = at.spawn('Linger', '--timeout', limit)
    return { id, ...at.wait(id) }
  }
  const { id, code } = outOfTime(linger, (done) => at.hasHeard(`${done.id}.1`))
  const ids = [`${id}.0`, `${id}.1`]
  const aborted = { status: 'aborted', exit_reason: `session ${id} was out of time` }
  expect([code, at.wait(...ids).waited.results]).toMatchObject([1, [aborted, aborted]])
  const pids = ids.map((one) => Number(at.heard(one, 'pid')))
  await until(() => pids.every(isGone), 'their agents to be ended')
})

describe('a session that is being made while its parent is ended', () => {
  const steps = [
    ['is not made any more', { call: 'writeFileSync', nth: 1, match: 'sessions/0/published' }, 5],
    ['is ended with it before it has begun', { call: 'openSync', nth: 1, match: 'sessions/0.0/supervisor.log' }, 0],
    ['is ended with it as it begins', { call: 'mkdirSync', nth: 2, match: 'sessions/0.0/events.jsonl.lock' }, 0],
  ] as const
  const ends = [
    ['pause', { turn: 'paused', alive: false }],
    ['abort', { status: 'aborted', turn: null, alive: false }],
  ] as const
  it.each(steps.flatMap(([what, fault, code]) => ends.map((end) => [what, fault, code, ...end] as const)))(
    '%s %j %i %s',
    async (_, fault, code, verb, stands) => {
      const at = sessions({ act: 'sleep 600' })
      const id = at.spawn('Parent')
      await until(() => at.isAtWork(id), 'the parent to be at work')
      const making = at.start(['spawn', 'Child'], { SCOPE_SESSION_ID: id, ...faultEnv({ ...fault, action: 'stop' }) })
      onTestFinished(() => void making.child.kill('SIGKILL'))
      await stopped(making.child.pid)
      expect(at.scope([verb, id]).code).toBe(0)
      making.child.kill('SIGCONT')
      expect((await making.done).code).toBe(code)
      const ids = code === 0 ? ['0', '0.0'] : ['0']
      await until(() => viewsOf(at).every(({ alive }: { alive: boolean }) => !alive), 'nothing to be at work')
      expect(viewsOf(at)).toEqual(ids.map((one) => expect.objectContaining({ id: one, ...stands })))
      if (at.hasHeard('0.0')) expect(isGone(Number(at.heard('0.0', 'pid')))).toBe(true)
      if (verb === 'abort') return
      expect(at.scope(['resume', id]).code).toBe(0)
      await until(() => viewsOf(at).every(({ turn }: { turn: string }) => turn === 'busy'), 'all to go on')
    },
  )
})
