import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bin, cleanEnv, git, run, script, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, isGone, landedIds, leftovers, ok, place, read, results, show } from './place.ts'

describe('loop run with a runner that', () => {
  it('hangs stops it and its grandchildren at the timeout, and gives up', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent('hang', `sh -c 'echo $$ > ${at.agents}/pid; trap "" TERM; while :; do sleep 1; done' & wait`)
    const finished = at.loop(
      'run',
      '--issues',
      '--max-iterations',
      '1',
      '--timeout',
      '1s',
      '--with',
      agent,
      '--verify',
      'true',
      '--jsonl',
    )
    expect(finished.code).toBe(9)
    expect(results(finished)[id]).toMatchObject({ outcome: 'gave-up', iterations: 1 })
    expect(isGone(Number(read(at.agents, 'pid')))).toBe(true)
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(leftovers(at.root)).toEqual([])
  })

  it('crashes once is run again in what it left', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent('crash', 'if [ -e half ]; then echo x > x.txt; rm half; else touch half; kill -9 $$; fi')
    ok(at.loop('run', '--issues', '--with', agent, '--verify', 'test -e x.txt'))
    expect(landedIds(at.root)).toEqual([id])
    expect(git(at.root, 'ls-tree', '-r', '--name-only', 'main')).toBe('a.txt\nx.txt')
  })

  it('prints garbage is judged by its exit code', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent('garbage', 'head -c 3000000 /dev/urandom; echo x > x.txt')
    ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true'))
    expect(landedIds(at.root)).toEqual([id])
  })

  it('says done without a change is told so, then given up', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent('idle', `echo "$prompt" > ${at.agents}/prompt-$LOOP_ITERATION`)
    const finished = at.loop('run', '--issues', '--max-iterations', '2', '--with', agent, '--verify', 'true', '--jsonl')
    expect(finished.code).toBe(9)
    expect(results(finished)[id]).toMatchObject({ outcome: 'gave-up', iterations: 2 })
    expect(read(at.agents, 'prompt-2')).toContain('nothing changed in the worktree')
  })

  it('gets place, identity, stores and the issue, and nothing of the session around', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent(
      'look',
      `printf '%s\\n' "$prompt" | tail -1 > ${at.agents}/json; env > ${at.agents}/env; pwd >> ${at.agents}/env; jwz post notes -m hello; echo x > x.txt`,
    )
    const env = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', GIT_DIR: '/nowhere' }
    ok(run('loop', ['run', '--issues', '--with', agent, '--verify', 'true'], { cwd: at.root, env }))
    const seen = read(at.agents, 'env')
    const [{ run: runId } = { run: '' }] = events(at.root)
    for (const line of [
      `LOOP_RUN_ID=${runId}`,
      `LOOP_ISSUE=${id}`,
      'LOOP_ITERATION=1',
      `JWZ_AGENT=loop-${runId}-1`,
      `JWZ_STORE=${at.root}/.jwz`,
      `TISSUE_STORE=${at.root}/.tissue`,
    ]) {
      expect(seen.split('\n')).toContain(line)
    }
    expect(seen).toMatch(new RegExp(`^LOOP_WORKTREE=${at.root}/\\.worktrees/loop/`, 'm'))
    expect(seen).not.toMatch(/^(CLAUDE|GIT_DIR)/m)
    expect(JSON.parse(read(at.agents, 'json'))).toMatchObject({ id, title: 'x' })
    expect(ok(run('jwz', ['latest', 'notes'], { cwd: at.root })).stdout).toContain('hello')
  })
})

describe('loop run when verify fails', () => {
  it('iterates with the output, gives up at the limit, keeps the work and says where', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent(
      'wrong',
      `echo "$prompt" > ${at.agents}/prompt-$LOOP_ITERATION; echo "try $LOOP_ITERATION" > x.txt`,
    )
    const finished = at.loop(
      'run',
      '--issues',
      '--max-iterations',
      '3',
      '--with',
      agent,
      '--verify',
      'echo because of $LOOP_ITERATION; exit 1',
      '--jsonl',
    )
    expect(finished.code).toBe(9)
    const result = results(finished)[id]
    expect(result).toMatchObject({
      outcome: 'gave-up',
      iterations: 3,
      salvage: expect.stringMatching(/^refs\/loop\/salvage\//),
    })
    expect(read(at.agents, 'prompt-2')).toContain('because of 1')
    expect(git(at.root, 'show', `${result?.['salvage']}:x.txt`)).toBe('try 3')
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(show(at.root, id).comments.at(-1)?.body).toContain(String(result?.['salvage']))
    expect(leftovers(at.root)).toEqual([])
  })
})

describe('loop run with ids on stdin', () => {
  it('works exactly those, and reports what tissue does not know', () => {
    const at = place()
    const [one, two] = [at.issue('one'), at.issue('two')]
    const agent = at.agent('x', 'echo 1 > "$title"')
    const finished = run('loop', ['run', '--issues', '-', '--with', agent, '--verify', 'true', '--jsonl'], {
      cwd: at.root,
      input: `${two}\nno-such-1\n${two}\n`,
    })
    expect(finished.code).toBe(1)
    expect(results(finished)).toMatchObject({ [two]: { outcome: 'landed' }, 'no-such-1': { outcome: 'skipped' } })
    expect(show(at.root, one).status).toBe('open')
    expect(landedIds(at.root)).toEqual([two])
  })

  it('waits for a slow producer to its end', () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent('x', 'echo 1 > "$title"')
    const pipeline = `(sleep 2; echo ${id}; sleep 1) | "$0" "$1" run --issues - --with ${agent} --verify true --quiet`
    const child = spawn('bash', ['-o', 'pipefail', '-c', pipeline, process.execPath, bin('loop')], {
      cwd: at.root,
      env: cleanEnv(),
    })
    let stdout = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    return new Promise<void>((done, fail) => {
      child.on('close', (code) => {
        try {
          expect([code, stdout]).toEqual([0, `${id}\n`])
          done()
        } catch (error) {
          fail(error)
        }
      })
    })
  })

  it('has nothing to do when there are none', () => {
    const at = place()
    const finished = at.loop('run', '--issues', '-', '--with', 'true', '--verify', 'true')
    expect([finished.code, finished.stdout]).toEqual([3, ''])
  })

  it('works an issue that waits for another after that one', () => {
    const at = place()
    const [late, early] = [at.issue('late'), at.issue('early')]
    ok(run('tissue', ['dep', 'add', early, 'blocks', late], { cwd: at.root }))
    const agent = at.agent('x', 'echo 1 > "$title"')
    const finished = run('loop', ['run', '--issues', '-', '-j', '2', '--with', agent, '--verify', 'true'], {
      cwd: at.root,
      input: `${late}\n${early}\n`,
    })
    expect([finished.code, landedIds(at.root)]).toEqual([0, [early, late]])
  })
})

describe('loop run that cannot begin', () => {
  it('wants --issues', () => {
    const finished = place().loop('run', '--with', 'true', '--verify', 'true')
    expect([finished.code, finished.stdout]).toEqual([2, ''])
    expect(finished.stderr).toContain('expected --issues or --issues -, got neither')
  })

  it.each(['tissue', 'git'])('names %s when it is not on PATH', (missing) => {
    const at = place()
    const folder = tempFolder('path')
    for (const name of ['git', 'tissue', 'sh']) if (name !== missing) script(join(folder, name), '#!/bin/sh\nexit 0\n')
    const finished = run('loop', ['run', '--issues', '--with', 'true', '--verify', 'true'], {
      cwd: at.root,
      env: { PATH: folder },
    })
    expect([finished.code, finished.stdout]).toEqual([8, ''])
    expect(finished.stderr).toBe(`loop: expected ${missing} on PATH, it is not there; install ${missing}\n`)
  })

  it('ends with 8 when tissue prints something else', () => {
    const at = place()
    const folder = tempFolder('path')
    script(join(folder, 'tissue'), '#!/bin/sh\necho "not json"\n')
    const finished = run('loop', ['run', '--issues', '--with', 'true', '--verify', 'true'], {
      cwd: at.root,
      env: { PATH: `${folder}:${process.env['PATH']}` },
    })
    expect(finished.code).toBe(8)
    expect(leftovers(at.root)).toEqual([])
  })
})

describe('loop run that is interrupted', () => {
  const slow = (agents: string) => `touch ${agents}/began; sleep 2; echo 1 > "$title"`

  it('finishes what is begun at the first SIGINT and claims no more', async () => {
    const at = place()
    const ids = [at.issue('one'), at.issue('two')]
    const started = at.start('run', '--issues', '--with', at.agent('slow', slow(at.agents)), '--verify', 'true')
    while (!existsSync(join(at.agents, 'began'))) await sleep(20)
    started.child.kill('SIGINT')
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
    await sleep(200)
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
