import { faultEnv } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, type Sessions, sessions, until } from './sessions.ts'

const forEver = 'while :; do sleep 1; done'

const inStore = (at: Sessions) =>
  ['sessions', 'live', 'names', 'removed'].map((name) => [name, at.inStore(name).toSorted()])

const nothing = ['sessions', 'live', 'names', 'removed'].map((name) => [name, []])

describe('scope abort --purge', () => {
  it('ends a tree and leaves nothing of it but what the bus has heard; its ids are never given again', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in 0) scope spawn Child --id kid ;; esac; ${forEver}`)
    at.spawn('Parent', '--id', 'top')
    await until(() => at.hasHeard('0.0'), 'the child to run')
    const pids = ['0', '0.0'].map((id) => Number(at.heard(id, 'pid')))
    const { code, stdout } = at.scope(['abort', 'top', '--purge'])
    expect([code, stdout]).toEqual([
      0,
      'session 0.0 is aborted, its files are removed\nsession 0 is aborted, its files are removed\n',
    ])
    expect(pids.map(isGone)).toEqual([true, true])
    expect(inStore(at)).toEqual(nothing)
    expect(at.told('session/0').length).toBeGreaterThan(2)
    expect(at.scope(['poll', '0']).code).toBe(3)
    expect(at.scope(['list', '--all']).stdout).toBe('')
    at.agent('')
    expect(at.spawn('Next', '--id', 'top')).toBe('1')
    expect(at.wait('1').code).toBe(0)
    expect(JSON.parse(at.scope(['abort', '1', '--purge', '--json']).stdout)).toEqual({
      ...{ v: 1, id: '1', status: 'done', was: 'done', purged: true },
    })
  })

  it('takes a child away from a parent that goes on, which is done without it', async () => {
    const at = sessions()
    at.agent(
      `case $SCOPE_SESSION_ID in 0) scope spawn Child; while [ ! -e go ]; do sleep 0.05; done ;; *) ${forEver} ;; esac`,
    )
    at.spawn('Parent')
    await until(() => at.hasHeard('0.0'), 'the child to run')
    expect(at.scope(['abort', '0.0', '0.0', '--purge']).code).toBe(0)
    at.write('go', '')
    expect(at.wait('0').code).toBe(0)
    expect(at.scope(['list', '--all', '--quiet']).stdout).toBe('0\n')
  })

  it('refuses where work would be without a name, and what excludes it, and ends nothing then', async () => {
    const at = sessions({ act: forEver })
    const id = at.spawn('Apart', '--worktree')
    await until(() => at.hasHeard(id), 'the agent to run')
    const { code, stderr } = at.scope(['abort', id, '--purge'])
    expect([code, stderr]).toEqual([
      5,
      'scope: session 0 has a worktree of its own, which --purge does not remove; scope abort 0, then scope worktree drop 0\n',
    ])
    expect(at.scope(['abort', id, '--purge', '--keep-children']).code).toBe(2)
    expect(at.poll(id)).toMatchObject({ status: 'running', alive: true })
    at.scope(['abort', id])
  })

  it('killed between any two steps shows all of a session or nothing, and the next one removes the rest', () => {
    for (const call of ['renameSync', 'rmSync'] as const) {
      for (let nth = 1; nth <= 2; nth++) {
        const at = sessions()
        at.spawn('Work', '--id', 'name')
        at.wait('0')
        at.scope(['abort', '0', '--purge'], {}, faultEnv({ call, nth, action: 'kill', match: '.scope' }))
        const { code } = at.scope(['poll', '0'])
        expect([call, nth, call === 'renameSync' && nth === 1 ? 0 : 3]).toEqual([call, nth, code])
        const other = at.spawn('Other', '--id', code === 0 ? 'other' : 'name')
        at.wait(other)
        expect(at.scope(['abort', ...(code === 0 ? ['0'] : []), other, '--purge']).code).toBe(0)
        expect([call, nth, inStore(at)]).toEqual([call, nth, nothing])
      }
    }
  })
})
