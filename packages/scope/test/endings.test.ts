import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outOfTime, removeBusy } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, kill, sessions, until } from './sessions.ts'

const forEver = 'while :; do sleep 1; done'
/** A child that has left its parent and its session, and does not listen. */
const daemon = `setsid sh -c 'trap "" TERM; echo $$ >stray; ${forEver}' & while [ ! -s stray ]; do sleep 0.05; done`

describe('the end of a session', () => {
  it('is failed when its agent fails, with its last words', () => {
    const at = sessions({ act: 'echo no disk >&2; exit 7' })
    const id = at.spawn('Fail')
    const { code, stderr, waited } = at.wait(id)
    expect([code, stderr]).toEqual([1, 'scope: session 0 is failed: exit code 7: no disk\n'])
    expect(waited).toMatchObject({ timed_out: false, results: [{ status: 'failed', alive: false }] })
    expect(at.file(id, 'exit_reason')).toBe('exit code 7: no disk\n')
  })

  it.each(['headless', 'tmux'])('is failed only when nothing of it goes on (%s)', (backend) => {
    const at = sessions({ act: `${daemon}; exit 7`, env: { SCOPE_BACKEND: backend }, keepsStdin: true })
    const { code } = at.wait(at.spawn('Fail'))
    expect([code, isGone(Number(readFileSync(join(at.root, 'stray'), 'utf8')))]).toEqual([1, true])
  })

  it('is failed when a signal ends its agent', () => {
    const at = sessions({ act: 'kill -9 $$' })
    const { code, waited } = at.wait(at.spawn('Die'))
    expect([code, waited.results[0]?.exit_reason]).toEqual([1, expect.stringContaining('signal SIGKILL')])
  })

  it('is failed when its time is over, and nothing is left', () => {
    const at = sessions({ act: `${daemon}; ${forEver}` })
    const linger = (limit: string) => {
      const id = at.spawn('Linger', '--timeout', limit)
      return { id, limit, ...at.wait(id) }
    }
    const { id, limit, code, waited } = outOfTime(linger, ({ id: one }) => at.hasHeard(one))
    const reason = `it was out of time after ${Number.parseInt(limit, 10) * 1000} ms`
    expect([code, waited.results[0]?.exit_reason]).toEqual([1, reason])
    expect(isGone(Number(at.heard(id, 'pid')))).toBe(true)
  })

  it('is done only when its children are', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in 0) scope spawn Child ;; *) while [ ! -e go ]; do sleep 0.05; done ;; esac`)
    const id = at.spawn('Parent')
    await until(() => at.events(id).some(({ event }) => event === 'ended'), 'the parent’s turn to end')
    expect(at.poll(id)).toMatchObject({ status: 'running', turn: null, result: 'Done as told.', alive: false })
    writeFileSync(join(at.root, 'go'), '')
    expect(at.wait(id).code).toBe(0)
    expect([at.file('0', 'state'), at.file('0.0', 'state')]).toEqual(['done\n', 'done\n'])
  })

  it('is exited when its agent says so, whatever it says after that', () => {
    const at = sessions({ act: 'scope exit "The plan does not fit"' })
    const id = at.spawn('Try')
    const { code, stderr, waited } = at.wait(id)
    expect([code, stderr]).toEqual([5, 'scope: session 0 is exited: The plan does not fit\n'])
    expect(waited.results[0]).toMatchObject({ status: 'exited', exit_reason: 'The plan does not fit' })
    expect(at.scope(['exit', 'again'], {}, { SCOPE_SESSION_ID: id })).toMatchObject({
      code: 5,
      stderr: 'scope: session 0 is exited already\n',
    })
    expect(at.scope(['exit', 'why'])).toMatchObject({ code: 2 })
  })

  it('is aborted with all that it started, the deepest first, and its files stay', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in 0.0.0) ${daemon} ;; *) scope spawn Child ;; esac; ${forEver}`)
    const id = at.spawn('Tree')
    await until(() => at.hasHeard('0.0.0') && at.has('stray'), 'the tree to stand')
    const pids = ['0', '0.0', '0.0.0'].map((one) => Number(at.heard(one, 'pid')))
    const { code, stdout } = at.scope(['abort', id, '--reason', 'wrong branch'])
    expect([code, stdout]).toEqual([0, 'session 0.0.0 is aborted\nsession 0.0 is aborted\nsession 0 is aborted\n'])
    const stray = Number(readFileSync(join(at.root, 'stray'), 'utf8'))
    expect([...pids, stray].map(isGone)).toEqual([true, true, true, true])
    expect(at.wait(id)).toMatchObject({ code: 5, stderr: 'scope: session 0 is aborted: wrong branch\n' })
    expect(at.file('0.0.0', 'contract.md')).toBe(at.heard('0.0.0', 'prompt'))
    expect(at.scope(['abort', id]).stdout).toContain('session 0 was aborted already\n')
  })

  it('is aborted with what it starts meanwhile, and starts nothing after that', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in 0) while :; do scope spawn Child; done ;; *) ${forEver} ;; esac`)
    const id = at.spawn('Busy')
    await until(() => at.hasHeard('0.1'), 'two children to run')
    const { code, stdout } = at.scope(['abort', id])
    expect([code, stdout.trim().split('\n').at(-1)]).toEqual([0, 'session 0 is aborted'])
    const views = JSON.parse(at.scope(['list', '--all', '--json']).stdout)
    expect(views.length).toBeGreaterThan(2)
    expect(
      views.filter(({ status, alive }: { status: string; alive: boolean }) => status !== 'aborted' || alive),
    ).toEqual([])
    const late = at.scope(['spawn', 'Late'], {}, { SCOPE_SESSION_ID: id })
    expect([late.code, late.stderr]).toEqual([5, 'scope: session 0 is aborted, and starts no other\n'])
    expect(at.scope(['list', '--all', '--quiet']).stdout.trim().split('\n')).toHaveLength(views.length)
  })

  it('of a child that is aborted leaves its parent alone; one that has gone on keeps its children with --keep-children', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in 0) scope spawn Child ;; esac; ${forEver}`)
    const id = at.spawn('Parent')
    await until(() => at.hasHeard('0.0'), 'the child to run')
    expect(at.scope(['abort', '0', '--keep-children']).stdout).toBe('session 0 is aborted\n')
    expect(at.poll('0.0')).toMatchObject({ status: 'running', alive: true })
    expect(at.scope(['abort', '0.0']).code).toBe(0)
    expect(at.poll(id).status).toBe('aborted')
  })

  it('is seen at the next look when its supervisor was killed, and nothing of it goes on', async () => {
    const at = sessions({ act: `${daemon}; ${forEver}` })
    const id = at.spawn('Orphan')
    await until(() => at.hasHeard(id) && at.has('stray'), 'the agent to run')
    await kill(at.supervisor(id))
    const { code, waited } = at.wait(id, '--timeout', '5m')
    expect([code, waited.results[0]?.status]).toEqual([1, 'failed'])
    expect(waited.results[0]?.exit_reason).toMatch(/^process \d+, which kept it going, is gone$/)
    const stray = Number(readFileSync(join(at.root, 'stray'), 'utf8'))
    expect([isGone(Number(at.heard(id, 'pid'))), isGone(stray)]).toEqual([true, true])
  })

  it.each(['headless', 'tmux'])(
    'comes when somebody removes the store: nothing of it goes on (%s)',
    async (backend) => {
      const at = sessions({ act: `${daemon}; ${forEver}`, env: { SCOPE_BACKEND: backend }, keepsStdin: true })
      const id = at.spawn('Reset')
      await until(() => at.hasHeard(id) && at.has('stray'), 'the agent to run')
      const supervisor = at.supervisor(id)
      removeBusy(join(at.root, '.scope'))
      const stray = Number(readFileSync(join(at.root, 'stray'), 'utf8'))
      const pids = [Number(at.heard(id, 'pid')), stray, supervisor]
      await until(() => pids.every(isGone), 'all of it to be gone')
      expect(at.scope(['list'])).toMatchObject({ code: 0, stdout: '' })
    },
  )
})

describe('scope wait', () => {
  it('ends with 124 when the time is over, and prints how they stand', async () => {
    const at = sessions({ act: forEver })
    const id = at.spawn('Long')
    const { code, stderr, waited } = at.wait(id, '--timeout', '200ms')
    expect([code, stderr, waited.timed_out]).toEqual([124, 'scope: the time is over, and session 0 is not\n', true])
    at.scope(['abort', id])
  })

  it('with --any ends with the first, and tells of those that are over', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in 0) ${forEver} ;; esac`)
    at.spawn('Long')
    at.spawn('Short')
    const { code, waited } = at.wait('0', '1', '--any')
    expect([code, waited.results.map(({ id }) => id)]).toEqual([0, ['1']])
    at.scope(['abort', '0'])
  })

  it('prints results for people, one bare and several with their names', () => {
    const at = sessions()
    at.spawn('One')
    at.spawn('Two', '--id', 'second')
    at.wait('0', '1')
    expect(at.scope(['wait', '0', '--text']).stdout).toBe('Done as told.\n')
    expect(at.scope(['wait', '0', 'second', '--text']).stdout).toBe(
      '[0] done\nDone as told.\n[second (1)] done\nDone as told.\n',
    )
    expect(at.scope(['wait', 'nobody'])).toMatchObject({ code: 3, stdout: '' })
    expect(at.scope(['result', 'second'])).toMatchObject({ code: 0, stdout: 'Done as told.\n' })
    const path = at.scope(['result', '0', '--path']).stdout.trim()
    expect(readFileSync(path, 'utf8')).toBe('Done as told.')
  })
})

describe('scope resume', () => {
  it('goes on in the agent’s own conversation and in place, from every end', () => {
    const at = sessions({ act: '[ -e fails ] && exit 3; while [ -e waits ]; do sleep 0.05; done' })
    const id = at.spawn('Begin')
    at.wait(id)
    expect(at.scope(['resume', id, 'And now?']).stdout).toBe('0\n')
    expect(at.wait(id).code).toBe(0)
    expect(at.heard(id, 'argv').split('\0')).toContain('--resume=conversation-1')
    expect(at.heard(id, 'prompt')).toBe('And now?')
    expect(at.poll(id)).toMatchObject({ status: 'done', cost_usd: 0.5, tokens: { output_tokens: 8 } })
    writeFileSync(join(at.root, 'fails'), '')
    at.scope(['resume', id])
    expect(at.wait(id).code).toBe(1)
    renameSync(join(at.root, 'fails'), join(at.root, 'waits'))
    expect(at.scope(['resume', id]).code).toBe(0)
    expect(at.scope(['resume', id])).toMatchObject({ code: 5 })
    rmSync(join(at.root, 'waits'))
    expect(at.wait(id).code).toBe(0)
  })

  it('says so where there is no conversation to go on with', () => {
    const at = sessions({ act: 'exit 1' })
    const id = at.spawn('Begin')
    at.wait(id)
    expect(at.scope(['resume', id])).toMatchObject({ code: 5, stderr: expect.stringContaining('scope spawn') })
  })
})
