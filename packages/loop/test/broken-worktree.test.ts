import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { landedIds, left, leftovers, ok, type Place, place, read, results, show, write } from './place.ts'

/** A main tree with a change that is not committed, another that is staged, an untracked file and a stash. */
function dirtyPlace(): Place {
  const at = place({ tracked: 'one\n', staged: 'one\n' })
  write(at.root, 'tracked', 'stashed\n')
  git(at.root, 'stash', '-q')
  write(at.root, 'staged', 'staged\n')
  git(at.root, 'add', 'staged')
  write(at.root, 'tracked', 'MY UNCOMMITTED WORK\n')
  write(at.root, 'untracked', 'mine\n')
  return at
}

/** All that is the person's, byte for byte: HEAD, index, files, and every ref that loop did not make. */
function personal(root: string) {
  const refs = git(root, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n')
  return {
    head: read(root, '.git/HEAD'),
    index: readFileSync(join(root, '.git/index')).toString('base64'),
    files: ['tracked', 'staged', 'untracked'].map((name) => read(root, name)),
    refs: refs.filter((ref) => !/^refs\/(loop\/|heads\/loop\/)/.test(ref)),
  }
}

const salvaged = (root: string) =>
  git(root, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage')
    .split('\n')
    .filter((ref) => ref !== '')

/** No worktree, branch or claim of loop is left, and nothing lies in its folder. */
function expectNothingLeft(root: string): void {
  expect(leftovers(root)).toEqual([])
  const folder = join(root, '.worktrees', 'loop')
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
}

const main = (at: Place) => join(at.root, '.git')

describe('a worktree that is no longer as loop made it', () => {
  it('ends its issue as given up when verify removed its .git, and touches nothing of the main tree', () => {
    const at = dirtyPlace()
    const before = personal(at.root)
    const id = at.issue('x')
    const ran = at.loop(
      ...['run', '--issues', '--max-iterations', '2', '--with', at.agent('x', 'echo BAD >x.txt')],
      ...['--verify', 'rm -f .git; grep -q good x.txt', '--jsonl'],
    )
    expect(ran.code).toBe(9)
    expect(results(ran)[id]).toMatchObject({ outcome: 'gave-up', reason: expect.stringContaining('has lost its .git') })
    expect(personal(at.root)).toEqual(before)
    const [kept = ''] = salvaged(at.root)
    expect(git(at.root, 'show', `${kept}:x.txt`)).toBe('BAD')
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    expectNothingLeft(at.root)
  })

  it.each([
    ['its .git is removed', () => 'rm -f .git', 'has lost its .git'],
    ['its .git names the main repository', (at) => `echo 'gitdir: ${main(at)}' >.git`, 'another repository'],
    ['it becomes a repository of its own', () => 'rm -f .git; git init -q', 'a repository of its own'],
    ['its commondir leads elsewhere', (at) => `echo ${at.agents} >"$(git rev-parse --git-dir)/commondir"`, 'commondir'],
    ['its gitdir leads elsewhere', (at) => `echo ${at.agents}/.git >"$(git rev-parse --git-dir)/gitdir"`, 'gitdir'],
    [
      'its config names another tree',
      (at) => `git config extensions.worktreeConfig true; git config --worktree core.worktree ${at.root}`,
      'config.worktree',
    ],
    ['it is removed', () => 'cd ..; rm -rf "$LOOP_WORKTREE"', 'is gone'],
    [
      'it is a link to the main tree',
      (at) => `cd ..; rm -rf "$LOOP_WORKTREE"; ln -s ${at.root} "$LOOP_WORKTREE"`,
      'a link',
    ],
  ] as [string, (at: Place) => string, string][])(
    'is given up, the other issues are worked, and the next run passes it by: %s',
    (_, harm, told) => {
      const at = dirtyPlace()
      const ids = [at.issue('culprit'), at.issue('other')]
      const [culprit = '', other = ''] = ids
      const text = `case $title in culprit) echo work >w.txt; ${harm(at)} ;; *) echo good >x.txt ;; esac`
      const before = personal(at.root)
      const args = ['run', '--issues', '--with', at.agent('x', text), '--verify', 'true', '--jsonl'] as const
      const ran = at.loop(...args)
      expect(ran.code).toBe(9)
      const ended = results(ran)
      expect(ended[culprit]).toMatchObject({ outcome: 'gave-up', reason: expect.stringContaining(told) })
      expect(ended[other]).toMatchObject({ outcome: 'landed' })
      expect(landedIds(at.root)).toEqual([other])
      expect(personal(at.root).files).toEqual(before.files)
      expect(git(at.root, 'diff', '--cached', '--name-only')).toBe('staged')
      expect(git(at.root, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
      expect(show(at.root, culprit)).toMatchObject({ status: 'paused', claim: null })
      expectNothingLeft(at.root)
      expect(at.loop(...args).code).toBe(3)
      expect(left(at, '--fix')).toEqual([])
      expect(personal(at.root).files).toEqual(before.files)
    },
  )

  it.each([
    ['rm -f .git; false', 'has lost its .git'],
    ['rm -f .git; git init -q; false', 'a repository of its own'],
  ])('stays as it is when it is landed by hand with --verify "%s"', (verify, told) => {
    const at = dirtyPlace()
    const id = at.issue('x')
    const path = ok(at.loop('worktree', 'add', id)).stdout.trim()
    write(path, 'x.txt', 'x\n')
    git(path, 'add', '--all')
    git(path, 'commit', '-qm', 'x')
    const before = personal(at.root)
    const landed = at.loop('land', id, '--verify', verify)
    expect(landed.code).not.toBe(0)
    expect(`${landed.stdout}${landed.stderr}`).toContain(told)
    expect(personal(at.root)).toEqual(before)
    expect(read(path, 'x.txt')).toBe('x\n')
    expect(git(at.root, 'show', 'loop/issue/'.concat(path.split('/').at(-1) ?? '', ':x.txt'))).toBe('x')
    expect(show(at.root, id).claim).toBeNull()
  })

  it('does not let git of the runner or of verify reach the main tree', () => {
    const at = dirtyPlace()
    const id = at.issue('x')
    const before = personal(at.root)
    const harm = 'rm -f .git; git add --all; git stash; git reset --hard; git checkout -q --detach; true'
    const ran = at.loop('run', '--issues', '--with', at.agent('x', harm), '--verify', harm, '--jsonl')
    expect(results(ran)[id]).toMatchObject({ outcome: 'gave-up' })
    expect(personal(at.root)).toEqual(before)
  })

  it('is cleaned up after a run that was killed in it', () => {
    const at = dirtyPlace()
    const id = at.issue('x')
    const before = personal(at.root)
    const kill = 'echo work >w.txt; rm -f .git; git init -q; kill -9 $LOOP_PARENT; sleep 60'
    const text = `LOOP_PARENT=$(sed -n 's/.*"pid":\\([0-9]*\\).*/\\1/p' ${main(at)}/loop/$LOOP_RUN_ID/owner.json); ${kill}`
    at.loop('run', '--issues', '--with', at.agent('x', text), '--verify', 'true')
    ok(at.doctor('--fix'))
    expect(personal(at.root)).toEqual(before)
    expectNothingLeft(at.root)
    const [kept = ''] = salvaged(at.root)
    expect(git(at.root, 'show', `${kept}:w.txt`)).toBe('work')
    expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    ok(at.loop('run', '--issues', '--with', at.agent('y', 'echo good >x.txt'), '--verify', 'true'))
    expect(landedIds(at.root)).toEqual([id])
  })
})
