import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { git, run, script, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, isGone, landedIds, leftovers, ok, place, read, results, show } from './place.ts'

describe('loop run that is interrupted', () => {
  const slow = (agents: string) =>
    `touch ${agents}/began; while [ ! -e ${agents}/go ]; do sleep 0.05; done; echo 1 > "$title"`

  it('finishes what is begun at the first SIGINT and claims no more', async () => {
    const at = place()
    const ids = [at.issue('one'), at.issue('two')]
    const started = at.start('run', '--issues', '--with', at.agent('slow', slow(at.agents)), '--verify', 'true')
    while (!existsSync(join(at.agents, 'began'))) await sleep(20)
    started.child.kill('SIGINT')
    await started.waitFor(/draining/)
    script(join(at.agents, 'go'), '')
    const { code } = await started.done
    expect(code).toBe(0)
    expect(landedIds(at.root)).toHaveLength(1)
    expect(ids.map((id) => show(at.root, id).status).sort()).toEqual(['closed', 'open'])
    expect(events(at.root).map(({ event }) => event)).toContain('draining')
    expect(leftovers(at.root)).toEqual([])
  })

  it('stops its children at the second, keeps their work, gives claims back and exits 130', async () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent(
      'hang',
      `echo work > work.txt; echo $$ > ${at.agents}/pid; touch ${at.agents}/began; sleep 600`,
    )
    const started = at.start('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl')
    while (!existsSync(join(at.agents, 'began'))) await sleep(20)
    started.child.kill('SIGINT')
    await started.waitFor(/draining/)
    started.child.kill('SIGINT')
    const finished = await started.done
    expect(finished.code).toBe(130)
    expect(isGone(Number(read(at.agents, 'pid')))).toBe(true)
    expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    expect(git(at.root, 'show', `${results({ ...finished, signal: null })[id]?.['salvage']}:work.txt`)).toBe('work')
    expect(leftovers(at.root)).toEqual([])
  })
})

describe('loop run beside others', () => {
  it('shares the issues with another run on the same repository, each worked once', async () => {
    const at = place()
    const ids = Array.from({ length: 6 }, (_, index) => at.issue(`issue ${index}`))
    const agent = at.agent('x', `echo "$LOOP_ISSUE" >> ${at.agents}/worked; echo 1 > "$title"; sleep 0.2`)
    const args = ['run', '--issues', '-j', '2', '--with', agent, '--verify', 'true'] as const
    const ends = await Promise.all([at.start(...args).done, at.start(...args).done])
    expect(ends.every(({ code }) => code === 0 || code === 3)).toBe(true)
    expect(read(at.agents, 'worked').trim().split('\n').sort()).toEqual([...ids].sort())
    expect(landedIds(at.root).sort()).toEqual([...ids].sort())
    expect(leftovers(at.root)).toEqual([])
  })

  it('takes at most --max issues', () => {
    const at = place()
    for (const title of ['a', 'b', 'c']) at.issue(title)
    ok(
      at.loop(
        'run',
        '--issues',
        '-j',
        '2',
        '--max',
        '2',
        '--with',
        at.agent('x', 'echo 1 > "$title"'),
        '--verify',
        'true',
      ),
    )
    expect(landedIds(at.root)).toHaveLength(2)
  })

  it('ends cleanly and says so when the bus is removed', async () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent('rm', `rm -rf ${at.root}/.jwz; echo 1 > x.txt`)
    const finished = at.loop('run', '--issues', '--with', agent, '--verify', 'true')
    expect(finished.code).toBe(1)
    expect(finished.stderr).toContain(`the bus ${at.root}/.jwz was removed during the run`)
    expect(show(at.root, id).claim).toBeNull()
    expect(leftovers(at.root)).toEqual([])
  })

  it('gives up an issue that another has claimed meanwhile', async () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent(
      'steal',
      `me=$JWZ_AGENT; tissue release $LOOP_ISSUE --as $me -q >/dev/null; tissue claim $LOOP_ISSUE --as thief -q >/dev/null; echo 1 > x.txt`,
    )
    const finished = at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl')
    expect(finished.code).toBe(1)
    expect(results(finished)[id]).toMatchObject({ outcome: 'skipped', reason: 'thief holds the issue now' })
    expect(landedIds(at.root)).toEqual([])
    expect(show(at.root, id).claim?.by).toBe('thief')
  })
})

describe('loop status', () => {
  it('says that there is no run, with exit 3', () => {
    const finished = place().loop('status')
    expect([finished.code, finished.stdout, finished.stderr]).toEqual([3, '', 'no run\n'])
  })

  it('shows a run while it works, its end, and its death', async () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent(
      'wait',
      `touch ${at.agents}/began; while [ ! -e ${at.agents}/go ]; do sleep 0.05; done; echo 1 > x.txt`,
    )
    const started = at.start('run', '--issues', '--with', agent, '--verify', 'true')
    while (!existsSync(join(at.agents, 'began'))) await sleep(20)
    const now = at.loop('status', '--json')
    expect(now.code).toBe(0)
    expect(JSON.parse(now.stdout)).toMatchObject({
      mode: 'issues',
      state: 'active',
      iteration: 1,
      max: 5,
      issue_id: id,
      worktree: expect.stringContaining('/.worktrees/loop/'),
      landed: 0,
    })
    const watching = start('loop', ['status', '--watch', '--json'], { cwd: at.root })
    await watching.waitFor(/"state":"active"/)
    script(join(at.agents, 'go'), '')
    expect((await started.done).code).toBe(0)
    const watched = await watching.done
    expect([watched.code, JSON.parse(watched.stdout.trim().split('\n').at(-1) ?? '')]).toMatchObject([
      0,
      { state: 'finished', landed: 1 },
    ])
    expect(at.loop('status').code).toBe(3)
    expect(at.loop('status').stdout).toMatch(
      /^01[0-9a-z]+ {2}finished {2}onto main {2}1 landed, 0 already done, 0 not landed\n/,
    )

    rmSync(join(at.agents, 'go'))
    rmSync(join(at.agents, 'began'))
    at.issue('two')
    const doomed = at.start('run', '--issues', '--with', agent, '--verify', 'true')
    while (!existsSync(join(at.agents, 'began'))) await sleep(20)
    doomed.child.kill('SIGKILL')
    doomed.child.stdout?.destroy()
    doomed.child.stderr?.destroy()
    while (doomed.child.signalCode === null) await sleep(2)
    const dead = at.loop('status', '--json')
    expect([dead.code, JSON.parse(dead.stdout)]).toMatchObject([3, { state: 'dead' }])
    script(join(at.agents, 'go'), '')
    ok(at.loop('run', '--issues', '--with', at.agent('y', 'echo 2 > y.txt'), '--verify', 'true'))
    expect(leftovers(at.root)).toEqual([])
  })
})

it('prints the schema of its events', () => {
  const finished = ok(run('loop', ['schema', 'event'], { cwd: tempFolder('schema') }))
  expect(JSON.stringify(JSON.parse(finished.stdout))).toContain('base_before')
})
