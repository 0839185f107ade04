import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { recovered } from '../src/recover/recover-schema.ts'
import { leftovers, ok, type Place, place, read, show, write } from './place.ts'

const recover = (at: Place, ...args: string[]) => at.loop('recover', ...args)
const seen = (text: string) =>
  z
    .array(recovered)
    .parse(JSON.parse(text))
    .map(({ found, what, action, done }) => [found, what, action, done])

/** A worktree made by loop, with a commit in it. */
function worktree(at: Place, title: string, text: string) {
  const id = at.issue(title)
  const path = ok(at.loop('worktree', 'add', id, '--quiet')).stdout.trim()
  const folder = path.startsWith('/') ? path : ok(at.loop('worktree', 'path', id)).stdout.trim()
  write(folder, 'f.txt', text)
  git(folder, 'commit', '-qam', title)
  return { id, path: folder, branch: git(folder, 'symbolic-ref', '--short', 'HEAD') }
}

it('finds what crashes left, ends it, and keeps work that nobody is at', () => {
  const at = place({ 'f.txt': 'one\n' })
  expect(recover(at)).toMatchObject({ code: 3, stdout: '', stderr: 'nothing to recover\n' })

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
  const dead = join(at.root, '.git', 'loop', '01dead')
  mkdirSync(dead, { recursive: true })
  writeFileSync(join(dead, 'owner.json'), '{"pid":999999,"start":"1","boot":"before"}\n')
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
  const dry = ok(recover(at, '--dry-run', '--json'))
  expect(seen(dry.stdout).sort()).toEqual(expected(false).sort())
  expect([existsSync(dead), existsSync(landed.path), show(at.root, landed.id).status]).toEqual([true, true, 'open'])

  expect(seen(ok(recover(at, '--json')).stdout).sort()).toEqual(expected(true).sort())
  expect([existsSync(dead), existsSync(landed.path), existsSync(stale)]).toEqual([false, false, false])
  expect([show(at.root, landed.id).status, show(at.root, claimed).claim]).toEqual(['closed', null])
  expect(show(at.root, held).claim).toMatchObject({ by: 'bob' })
  expect([read(stopped.path, 'f.txt'), git(stopped.path, 'status', '--porcelain')]).toEqual(['mine\n', ''])
  expect(git(at.root, 'log', '-1', '--format=%s', missing.branch)).toBe('missing')

  const again = ok(recover(at))
  expect(again.stdout).toMatch(new RegExp(`^worktree  ${stopped.id}  keep  .*: clean, 1 commit not on main; loop land`))
  expect(ok(recover(at, '--quiet')).stdout).toBe(`${stopped.id}\n`)
  ok(at.loop('worktree', 'remove', stopped.id, '--force'))
  expect(recover(at).code).toBe(3)
  expect(leftovers(at.root).filter((name) => name.includes('worktree'))).toEqual([])
})
