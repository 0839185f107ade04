import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { git, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { left, leftovers, ok, place, read, results, show, write } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const salvaged = (root: string) => git(root, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage').trim()

/** A session that has committed c.txt and written d.txt for an issue, and whose bus was removed then. */
function lost(env: Record<string, string> = {}) {
  const here = place()
  const session = sessionAt(here, 'z1', env)
  const id = here.issue('Write b.txt')
  ok(session.loop('start', '--issue', id, '--verify', 'test -f b.txt'))
  const worktree = ok(here.loop('worktree', 'path', id)).stdout.trim()
  write(worktree, 'c.txt', 'committed\n')
  git(worktree, 'add', '.')
  git(worktree, 'commit', '-qm', 'c')
  write(worktree, 'd.txt', 'not committed\n')
  rmSync(env['JWZ_STORE'] ?? join(here.root, '.jwz'), { recursive: true })
  return { ...here, here, session, id, worktree }
}

const runner = 'echo y > b.txt'

describe('what a session held when its bus was removed', () => {
  it('is named by whoever meets it, and found and freed by `loop doctor --fix`', () => {
    const { root, here, session, id, worktree } = lost()
    expect(answered(session.stop('')).warning).toMatch(
      /was removed; the loop of this session is over; loop doctor --fix/,
    )

    const skipped = here.loop('run', '--issue', id, '--with', runner, '--verify', 'test -f b.txt', '--jsonl')
    const kept = 'claude-z1 holds it, and its run is gone: loop doctor --fix gives it back'
    expect(results(skipped)[id]).toMatchObject({ outcome: 'skipped', reason: kept })
    expect(sessionAt(here, 's-2').loop('start', '--issue', id, '--verify', 'true')).toMatchObject({
      code: 5,
      stderr: `loop: issue ${id} cannot be worked: ${kept}\n`,
    })
    expect(here.loop('worktree', 'remove', id).stderr).toContain('has changes that are not committed')

    const expected = (done: boolean) => [['lost-run', id, 'clean-up', done]]
    expect(left(here)).toEqual(expected(false))
    expect([show(root, id).claim?.by, existsSync(worktree)]).toEqual(['claude-z1', true])
    expect(left(here, '--fix')).toEqual(expected(true))
    const ref = salvaged(root)
    expect([git(root, 'show', `${ref}:c.txt`), git(root, 'show', `${ref}:d.txt`)].map((text) => text.trim())).toEqual([
      'committed',
      'not committed',
    ])
    const { status, claim, comments } = show(root, id)
    expect({ status, claim }).toEqual({ status: 'open', claim: null })
    expect(comments.at(-1)?.body).toContain(ref)
    expect(leftovers(root).filter((name) => name.includes('worktree'))).toEqual([])
    expect(left(here, '--fix')).toEqual([])
    ok(here.loop('run', '--issues', '--with', runner, '--verify', 'test -f b.txt'))
    expect(show(root, id).status).toBe('closed')
  })

  it('is worked again by a run once its lease is over, and what was done is kept', () => {
    const { root, here, id } = lost()
    ok(run('tissue', ['release', id, '--force', '--as', 'ada'], { cwd: root }))
    const ran = ok(here.loop('run', '--issues', '--with', runner, '--verify', 'test -f b.txt', '--jsonl'))
    expect(results(ran)[id]).toMatchObject({ outcome: 'landed' })
    expect(git(root, 'show', `${salvaged(root)}:d.txt`).trim()).toBe('not committed')
  })

  it('is gone on with where it lies by the same session', () => {
    const { here, session, id, worktree } = lost()
    expect(ok(session.loop('start', '--issue', id, '--verify', 'test -f b.txt')).stdout).toContain(worktree)
    expect(read(worktree, 'd.txt')).toBe('not committed\n')
    write(worktree, 'b.txt', 'x\n')
    git(worktree, 'add', '.')
    git(worktree, 'commit', '-qm', 'b')
    expect(answered(session.stop('<loop-done>done</loop-done>')).warning).toContain('is landed on main')
    expect(leftovers(here.root).filter((name) => name.includes('worktree'))).toEqual([])
  })

  it('is not what a session holds whose bus lies elsewhere', () => {
    const bus = join(place().root, 'bus')
    const here = place()
    const id = here.issue('Write b.txt')
    const session = sessionAt(here, 'z1', { JWZ_STORE: bus })
    ok(session.loop('start', '--issue', id, '--verify', 'test -f b.txt'))
    expect(left(here, '--fix')).toEqual([['worktree', id, 'keep', false]])
    expect(here.loop('worktree', 'remove', id).stderr).toContain('is locked by the run')
    rmSync(bus, { recursive: true })
    expect(left(here, '--fix')).toEqual([['lost-run', id, 'clean-up', true]])
  })
})

it('a run that was killed and whose bus was removed keeps what its runner committed', async () => {
  const here = place()
  const id = here.issue('Write b.txt')
  const agent = here.agent('agent', 'echo x > b.txt; git add .; git commit -qm mine; touch "$0.done"; exec sleep 300')
  const running = here.start('run', '--issue', id, '--with', agent, '--verify', 'true')
  await expect.poll(() => existsSync(`${agent}.done`), { timeout: 60_000 }).toBe(true)
  running.child.kill('SIGKILL')
  await running.done
  rmSync(join(here.root, '.jwz'), { recursive: true })
  ok(here.doctor('--fix'))
  expect(git(here.root, 'show', `${salvaged(here.root)}:b.txt`).trim()).toBe('x')
})
