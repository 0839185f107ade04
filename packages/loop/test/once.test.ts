import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bin, cleanEnv, git, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, landedIds, leftovers, ok, place, read, show } from './place.ts'

const count = 'cat > prompt-$LOOP_ITERATION; echo $LOOP_ITERATION >> x'

describe('loop run --once with a task', () => {
  it('makes one iteration a call, going on where it was left, until the check passes', () => {
    const cwd = tempFolder('once')
    const once = (...args: string[]) =>
      run('loop', ['run', '--once', 'do it', '--with', count, '--check', 'echo no; grep 2 x', ...args], { cwd })
    const first = once('--json')
    expect(first.code).toBe(1)
    const shown = JSON.parse(first.stdout)
    const nothing = { outcome: null, commit: null, salvage: null, worktree: null, log: null, tokens: 0, cost_usd: 0 }
    const reason = 'the verify command failed: `echo no; grep 2 x` exited with 1: no'
    expect(shown).toEqual({ run: shown.run, issue: 'task', iteration: 1, max: 5, done: false, reason, ...nothing })
    expect(read(cwd, 'x')).toBe('1\n')
    expect(run('loop', ['status', '--json'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"state":"active"'),
    })
    const second = once()
    expect([second.code, second.stdout]).toEqual([0, 'task  iteration 2 of 5  complete\n'])
    expect(read(cwd, 'prompt-2')).toContain('## What happened last time')
    expect(once('--quiet').stdout).not.toBe(`${shown.run}\n`)
  })

  it('is one task or one issue, and names no other run than its own', () => {
    const refused = (...args: string[]) => {
      const { code, stdout, stderr } = run('loop', ['run', '--with', 'true', ...args], { cwd: tempFolder('once') })
      expect([code, stdout]).toEqual([2, ''])
      return stderr
    }
    expect(refused('--once', '--issues')).toBe('loop: expected a task or --issue ID with --once, got --issues\n')
    expect(refused('--once', 'x', '-j', '2')).toBe('loop: expected a task or --issue ID with --once, got --jobs\n')
    expect(refused('x', '--run', '01k')).toBe('loop: expected --run with --once, got it alone\n')
  })

  it('goes on with a run that is named, and with no other', () => {
    const cwd = tempFolder('once')
    const once = (...args: string[]) =>
      run('loop', ['run', '--once', 'do it', '--with', count, '--check', 'false', ...args], { cwd })
    const id = once('--quiet').stdout.trim()
    expect(once('--run', id.slice(0, 20), '--quiet').stdout).toBe(`${id}\n`)
    expect(read(cwd, 'x')).toBe('1\n2\n')
    const other = run('loop', ['run', '--once', 'another', '--with', count, '--run', id], { cwd })
    expect([other.code, other.stdout]).toEqual([3, ''])
    expect(other.stderr).toContain('expected --run to name a run of loop run --once at this that is not over')
  })

  it('ends a shell loop when it is done, and when it is given up', () => {
    const cwd = tempFolder('once')
    const loop = (check: string) => {
      const once = `"$0" "$1" run --once 'do it' --with 'echo $LOOP_ITERATION >> x' --max-iterations 3 --check '${check}' 2>&1`
      const shell = `rm -f x; until ${once}; do [ $? -eq 1 ] || break; done`
      return spawnSync('sh', ['-c', shell, process.execPath, bin('loop')], { cwd, env: cleanEnv(), encoding: 'utf8' })
    }
    expect(loop('grep -q 2 x').stdout).toContain('task  iteration 2 of 3  complete\n')
    expect(read(cwd, 'x')).toBe('1\n2\n')
    expect(loop('cat x; false').stdout).toContain('task  iteration 3 of 3  gave-up')
    expect(read(cwd, 'x')).toBe('1\n2\n3\n')
  })

  it('waits while it is paused, and is cancelled by the next call', () => {
    const cwd = tempFolder('once')
    const once = () => run('loop', ['run', '--once', 'do it', '--with', count, '--check', 'false'], { cwd })
    once()
    run('loop', ['pause'], { cwd })
    expect(once()).toMatchObject({ code: 9, stdout: expect.stringMatching(/not yet {2}it is paused\n$/) })
    expect(once().code).toBe(9)
    run('loop', ['resume'], { cwd })
    expect(once().code).toBe(1)
    expect(read(cwd, 'x')).toBe('1\n2\n')
    run('loop', ['cancel'], { cwd })
    expect(once()).toMatchObject({ code: 5, stdout: expect.stringContaining('cancelled') })
    expect(read(cwd, 'x')).toBe('1\n2\n')
  })
})

describe('loop run --once with an issue', () => {
  it('has --max-iterations, where a task has --max', () => {
    const refused = run('loop', ['run', '--once', '--issue', 'x', '--max', '2'], { cwd: tempFolder('once') })
    expect([refused.code, refused.stderr]).toEqual([2, 'loop: expected --max-iterations for an issue, got --max\n'])
  })

  it('keeps claim and worktree between calls, and lands what is verified', () => {
    const at = place()
    const id = at.issue('x')
    const once = (check: string, ...args: string[]) =>
      at.loop(
        'run',
        '--once',
        '--issue',
        id.slice(0, -1),
        '--with',
        'echo $LOOP_ITERATION >> x.txt',
        '--verify',
        check,
        ...args,
      )
    const first = once('grep 2 x.txt', '--json')
    expect(first.code).toBe(1)
    const shown = JSON.parse(first.stdout)
    expect(shown).toMatchObject({
      issue: id,
      iteration: 1,
      done: false,
      worktree: expect.stringContaining('/.worktrees/loop/'),
    })
    expect(show(at.root, id).claim?.by).toMatch(/^loop-.*-1$/)
    expect(read(shown.worktree, 'x.txt')).toBe('1\n')
    expect(at.loop('run', '--issues', '--with', 'true', '--verify', 'true').code).toBe(3)
    const second = once('grep 2 x.txt', '--json')
    expect([second.code, JSON.parse(second.stdout)]).toMatchObject([
      0,
      { run: shown.run, done: true, outcome: 'landed', commit: git(at.root, 'rev-parse', 'main'), worktree: null },
    ])
    expect(landedIds(at.root)).toEqual([id])
    expect(git(at.root, 'rev-list', '--count', 'main')).toBe('2')
    expect(show(at.root, id).status).toBe('closed')
    expect(leftovers(at.root)).toEqual([])
    expect(once('true')).toMatchObject({ code: 5, stdout: '' })
  })

  it('that is cancelled between two calls frees its issue and its worktree at once, and keeps the work', () => {
    const at = place()
    const id = at.issue('x')
    const once = () => at.loop('run', '--once', '--issue', id, '--with', 'echo half > x.txt', '--verify', 'false')
    expect(once().code).toBe(1)
    expect(ok(at.loop('cancel', '-m', 'enough')).stdout).toContain('cancel  cancelled\n')
    expect(leftovers(at.root)).toEqual([])
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    const kept = git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage')
    expect(git(at.root, 'show', `${kept}:x.txt`)).toBe('half')
    expect(once()).toMatchObject({ code: 5, stderr: expect.stringContaining('to be free, it is paused;') })
    expect(at.loop('cancel').code).toBe(3)
  })

  it('says which worktree is in the way', () => {
    const at = place()
    const id = at.issue('x')
    ok(at.loop('worktree', 'add', id))
    const said = at.loop('run', '--issues', '-', '--with', 'true', '--verify', 'true')
    expect(said.code).not.toBe(0)
    const once = at.loop('run', '--once', '--issue', id, '--with', 'true', '--verify', 'true')
    expect([once.code, once.stderr]).toEqual([5, expect.stringMatching(/its worktree .* is there already; loop land/)])
  })

  it('begins anew when it was killed, and keeps what was made', async () => {
    const at = place()
    const id = at.issue('x')
    const hang = `echo half > x.txt; echo $$ > ${at.agents}/pid; sleep 600`
    const started = at.start('run', '--once', '--issue', id, '--with', hang, '--verify', 'true')
    while (!existsSync(join(at.agents, 'pid')) || read(at.agents, 'pid') === '') await sleep(20)
    started.child.kill('SIGKILL')
    started.child.stdout?.destroy()
    started.child.stderr?.destroy()
    while (started.child.signalCode === null) await sleep(20)
    const next = at.loop('run', '--once', '--issue', id, '--with', 'echo whole > x.txt', '--verify', 'true')
    expect(next.code).toBe(0)
    expect(isGone(Number(read(at.agents, 'pid')))).toBe(true)
    expect(git(at.root, 'show', 'main:x.txt')).toBe('whole')
    expect(
      git(at.root, 'show', `${git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage')}:x.txt`),
    ).toBe('half')
    expect(leftovers(at.root)).toEqual([])
  })

  it('says what it cannot work', () => {
    const at = place()
    const of = (...args: string[]) => at.loop('run', '--once', '--with', 'true', ...args)
    expect(of('--issue', 'nope', '--verify', 'true')).toMatchObject({
      code: 3,
      stderr: 'loop: expected an issue, tissue knows none as nope; tissue list\n',
    })
    expect(of('--issue', 'nope').stderr).toContain('expected a command that verifies the work, got none')
    expect(of()).toMatchObject({ code: 2 })
    const id = at.issue('x')
    run('tissue', ['claim', id, '--as', 'thief', '-q'], { cwd: at.root })
    expect(of('--issue', id, '--verify', 'true')).toMatchObject({ code: 5, stdout: '' })
    expect(leftovers(at.root)).toEqual([`${id} thief`])
  })
})
