import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { slugOf } from '../src/worktree/slug.ts'
import { events, landedIds, leftovers, ok, place, placeAt, read, show, write } from './place.ts'

it('brings a submodule along as the base has it by now, and never back', () => {
  const parts = tempRepo({ 'part.txt': 'one\n' })
  const root = tempRepo({ 'a.txt': 'a\n' })
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', parts, 'parts')
  git(root, 'commit', '-qm', 'parts')
  const at = placeAt(root)
  const id = at.issue('x')
  write(join(root, 'parts'), 'part.txt', 'two\n')
  const forward = `git -C ${root}/parts -c user.name=T -c user.email=t@t commit -qam two && git -C ${root} commit -qam 'parts: two'`
  ok(at.loop('run', '--issues', '--with', at.agent('w', `echo x > x.txt; (${forward})`), '--verify', 'true'))
  expect(git(root, 'log', '--format=%s')).toBe('x\nparts: two\nparts\nStart')
  expect(git(root, 'rev-parse', 'main:parts')).toBe(git(join(root, 'parts'), 'rev-parse', 'HEAD'))
  expect([landedIds(root), leftovers(root)]).toEqual([[id], []])
})

it('lands ids apart that differ in case alone', () => {
  const at = place({ 'a.txt': 'a\n' })
  const [upper, lower] = ['Ab-1', 'ab-1'].map((id) => `loop/issue/${slugOf(id)}`)
  expect(upper).not.toBe(lower)
  for (const [branch = '', name] of [
    [upper, 'upper'],
    [lower, 'lower'],
  ]) {
    const folder = join(tempFolder('case'), 'w')
    git(at.root, 'worktree', 'add', '-q', '-b', branch, folder)
    write(folder, `${name}.txt`, `${name}\n`)
    git(folder, 'add', '--all')
    git(folder, 'commit', '-qm', `${name}`)
    ok(run('loop', ['land', branch, '--no-verify'], { cwd: at.root, env: { JWZ_AGENT: 'ada' } }))
  }
  expect([read(at.root, 'upper.txt'), read(at.root, 'lower.txt')]).toEqual(['upper\n', 'lower\n'])
})

it('lands only what was reviewed: a clean rebase is, a change since is not', () => {
  const at = place({ 'a.txt': 'a\n', 'loop.json': '{"review": true, "verify": "true"}' })
  const id = at.issue('x')
  ok(at.loop('worktree', 'add', id, '--quiet'))
  const folder = ok(at.loop('worktree', 'path', id)).stdout.trim()
  write(folder, 'a.txt', 'mine\n')
  git(folder, 'commit', '-qam', 'mine')
  const land = () => run('loop', ['land', id], { cwd: at.root, env: { JWZ_AGENT: 'ada' } })
  const unreviewed = land()
  expect([unreviewed.code, unreviewed.stdout]).toEqual([1, expect.stringContaining('no approving review')])
  const sha = git(folder, 'rev-parse', 'HEAD')
  ok(run('loop', ['review', 'post', 'lgtm', id, '--by', 'bob', '--sha', sha], { cwd: at.root }))
  write(folder, 'b.txt', 'more\n')
  git(folder, 'add', '--all')
  git(folder, 'commit', '-qm', 'more')
  expect(land().code).toBe(1)
  git(folder, 'reset', '-q', '--hard', 'HEAD^')
  write(at.root, 'c.txt', 'theirs\n')
  git(at.root, 'add', 'c.txt')
  git(at.root, 'commit', '-qm', 'theirs')
  ok(land())
  expect(git(at.root, 'log', '--format=%s')).toBe('mine\ntheirs\nStart')
  expect([show(at.root, id).status, events(at.root).some(({ event }) => event === 'landed')]).toEqual(['closed', true])
})
