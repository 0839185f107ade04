import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bin as builtBin, git, run, script, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { left, leftovers, ok, type Place, place, read, show, withoutAgents, write } from './place.ts'

/** A worktree made by loop, with a commit in it. */
function worktree(at: Place, title: string, text: string) {
  const id = at.issue(title)
  const path = ok(at.loop('worktree', 'add', id, '--quiet')).stdout.trim()
  const folder = path.startsWith('/') ? path : ok(at.loop('worktree', 'path', id)).stdout.trim()
  write(folder, 'f.txt', text)
  git(folder, 'commit', '-qam', title)
  return { id, path: folder, branch: git(folder, 'symbolic-ref', '--short', 'HEAD') }
}

/** The folder of a run whose process is gone. */
function deadRun(at: Place): string {
  const dead = join(at.root, '.git', 'loop', '01dead')
  mkdirSync(dead, { recursive: true })
  writeFileSync(join(dead, 'owner.json'), '{"pid":999999,"start":"1","boot":"before"}\n')
  return dead
}

/** The lines of `loop doctor` about what crashes left, each with what to do about it. */
const told = (text: string) =>
  text.split(/\n(?! )/).filter((line) => /^\w+ +(runs|worktrees|claims|passes|leftovers): /.test(line))

describe('loop doctor, where runs crashed', () => {
  it('finds what they left, with --fix ends it, and keeps work that nobody is at', () => {
    const at = place({ 'f.txt': 'one\n' })
    expect(left(at, '--fix')).toEqual([])

    const landed = worktree(at, 'landed', 'landed\n')
    git(at.root, 'merge', '-q', '--ff-only', landed.branch)
    const stopped = worktree(at, 'rebasing', 'mine\n')
    write(at.root, 'f.txt', 'theirs\n')
    git(at.root, 'commit', '-qam', 'theirs')
    expect(() => git(stopped.path, 'rebase', 'main')).toThrow()
    const missing = worktree(at, 'missing', 'gone\n')
    rmSync(missing.path, { recursive: true })
    const claimed = at.issue('claimed')
    ok(run('tissue', ['claim', claimed, '--as', 'loop-abc123-1'], { cwd: at.root }))
    const held = at.issue('held')
    ok(run('tissue', ['claim', held, '--as', 'bob'], { cwd: at.root }))
    const dead = deadRun(at)
    const stale = join(at.root, '.git', 'loop', 'verified', 'old.json')
    mkdirSync(join(stale, '..'), { recursive: true })
    writeFileSync(stale, '{}')
    utimesSync(stale, 1, 1)

    const expected = (done: boolean) => [
      ['dead-run', '01dead', 'clean-up', done],
      ['rebase', stopped.id, 'abort', done],
      ['landed', landed.id, 'close', done],
      ['missing', missing.id, 'remove', done],
      ['dead-claim', claimed, 'release', done],
      ['worktree', stopped.id, 'keep', false],
      ['passes', 'verified', 'remove', done],
    ]
    expect(left(at).sort()).toEqual(expected(false).sort())
    expect(told(ok(at.doctor()).stdout)).toContain(
      'warn  runs: 01dead: its process is gone\n      loop doctor --fix mends it',
    )
    expect([existsSync(dead), existsSync(landed.path), show(at.root, landed.id).status]).toEqual([true, true, 'open'])

    expect(left(at, '--fix').sort()).toEqual(expected(true).sort())
    expect([existsSync(dead), existsSync(landed.path), existsSync(stale)]).toEqual([false, false, false])
    expect([show(at.root, landed.id).status, show(at.root, claimed).claim]).toEqual(['closed', null])
    expect(show(at.root, held).claim).toMatchObject({ by: 'bob' })
    expect([read(stopped.path, 'f.txt'), git(stopped.path, 'status', '--porcelain')]).toEqual(['mine\n', ''])
    expect(git(at.root, 'log', '-1', '--format=%s', missing.branch)).toBe('missing')

    expect(told(ok(at.doctor('--fix')).stdout)).toEqual([
      'ok    runs: none died',
      `ok    worktrees: ${stopped.id}: ${stopped.path}: clean, 1 commit not on main`,
    ])
    ok(at.loop('worktree', 'remove', stopped.id, '--force'))
    expect(left(at, '--fix')).toEqual([])
    expect(leftovers(at.root).filter((name) => name.includes('worktree'))).toEqual([])
  })

  it('tells of a run what is told of it once: what it held goes with it', () => {
    const at = place()
    const id = at.issue('x')
    const owner = `${at.root}/.git/loop/$LOOP_RUN_ID/owner.json`
    const kill = `kill -9 $(sed -n 's/.*"pid":\\([0-9]*\\).*/\\1/p' ${owner}); sleep 600`
    at.loop('run', '--issues', '--with', at.agent('deadly', `echo work >w.txt; ${kill}`), '--verify', 'true')
    const dead = expect.stringMatching(/^01/)
    expect(left(at)).toEqual([['dead-run', dead, 'clean-up', false]])
    expect(left(at, '--fix')).toEqual([['dead-run', dead, 'clean-up', true]])
    expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    expect(left(at)).toEqual([])
  })

  it('ends nothing without a tracker, which knows what runs held, and says so', () => {
    const at = place()
    const dead = deadRun(at)
    const bin = tempFolder('bin')
    symlinkSync(builtBin('loop'), join(bin, 'loop'))
    const env = { ...withoutAgents(), PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` }
    const { code, stdout } = run('loop', ['doctor', '--fix'], { cwd: at.root, env })
    expect({ code, told: told(stdout) }).toEqual({
      code: 0,
      told: [
        'ok    worktrees: none was left',
        'warn  runs: 01dead: its process is gone\n      install tissue, then loop doctor --fix mends it',
      ],
    })
    expect(existsSync(dead)).toBe(true)
  })

  it('says in one line what kept it from ending what is left', () => {
    const at = place()
    deadRun(at)
    const bin = tempFolder('bin')
    script(join(bin, 'tissue'), '#!/bin/sh\n[ "$1" = --version ] && echo tissue 0 && exit; echo no >&2; exit 1\n')
    const { code, stdout } = run('loop', ['doctor', '--fix'], {
      cwd: at.root,
      env: { ...withoutAgents(), PATH: `${bin}:${toolPath()}` },
    })
    expect([code, told(stdout)]).toEqual([
      1,
      [expect.stringMatching(/^bad {3}leftovers: tissue list failed .*: no\n {6}try tissue doctor$/)],
    ])
  })
})
