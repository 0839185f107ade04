import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { preview } from '../src/by-hand/preview-schema.ts'
import { droppedEntry } from '../src/land/queue-schema.ts'
import { issueResult } from '../src/state/event-schema.ts'
import { slugOf } from '../src/worktree/slug.ts'
import { events, landedIds, leftovers, ok, type Place, place, placeAt, read, show, write } from './place.ts'

/** An issue with a worktree in which `files` were committed. */
function change(at: Place, title: string, files: Record<string, string>) {
  const id = at.issue(title)
  const slug = slugOf(id)
  const branch = `loop/issue/${slug}`
  const path = join(at.root, '.worktrees', 'loop', slug)
  git(at.root, 'worktree', 'add', '-q', '-b', branch, path)
  for (const [name, text] of Object.entries(files)) write(path, name, text)
  git(path, 'add', '--all')
  git(path, 'commit', '-qm', title)
  return { id, slug, branch, path }
}

const land = (at: Place, ...args: string[]) =>
  run('loop', ['land', ...args], { cwd: at.root, env: { JWZ_AGENT: 'ada' } })
const result = (text: string) => issueResult.parse(JSON.parse(text))

describe('loop land', () => {
  it('lands by issue, branch or folder, closes the issue and leaves nothing', () => {
    const at = place()
    const [one, two, three] = ['one', 'two', 'three'].map((name) => change(at, name, { [name]: name }))
    expect(ok(land(at, one?.id ?? '', '--verify', 'test -e one')).stdout).toMatch(
      new RegExp(`^${one?.id}  landed  [0-9a-f]{10}\n$`),
    )
    expect(result(ok(land(at, two?.branch ?? '', '--verify', 'true', '--json')).stdout)).toMatchObject({
      issue: two?.id,
      outcome: 'landed',
      commit: git(at.root, 'rev-parse', 'main'),
    })
    expect(ok(run('loop', ['land', '.', '--verify', 'true', '--quiet'], { cwd: three?.path ?? '' })).stdout).toBe(
      `${three?.id}\n`,
    )
    expect(git(at.root, 'log', '--format=%s')).toBe('three\ntwo\none\nStart')
    expect(leftovers(at.root)).toEqual([])
    for (const made of [one, two, three]) expect(show(at.root, made?.id ?? '').status).toBe('closed')
  })

  it('says what it would do, and does nothing, with --dry-run', () => {
    const at = place({ 'a.txt': 'a\n' })
    const made = change(at, 'mine', { 'a.txt': 'mine\n' })
    const look = (...args: string[]) => land(at, made.id, '--verify', 'true', '--dry-run', ...args)
    expect(ok(look()).stdout).toBe(`${made.branch} onto main: 1 commit, rebase; to be verified by true\n`)
    ok(run('loop', ['verify', '--verify', 'true'], { cwd: made.path }))
    expect(ok(look('--strategy', 'squash')).stdout).toBe(
      `${made.branch} onto main: 1 commit, squash; to be verified by true, which has passed on these files\n`,
    )
    write(at.root, 'a.txt', 'theirs\n')
    git(at.root, 'commit', '-qam', 'theirs')
    const conflicting = look('--json')
    expect([conflicting.code, preview.parse(JSON.parse(conflicting.stdout))]).toMatchObject([
      5,
      { issue: made.id, rebase: true, conflicts: ['a.txt'], verified: false },
    ])
    expect([existsSync(made.path), show(at.root, made.id).claim]).toEqual([true, null])
  })

  it('leaves worktree, branch and issue as they were when it does not land', () => {
    const at = place({ 'a.txt': 'a\n' })
    const made = change(at, 'mine', { 'a.txt': 'mine\n' })
    const before = git(at.root, 'rev-parse', made.branch)
    const failed = land(at, made.id, '--verify', 'echo no; false')
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('failed  the verify command failed')])
    write(at.root, 'a.txt', 'theirs\n')
    git(at.root, 'commit', '-qam', 'theirs')
    const parked = land(at, made.id, '--verify', 'true', '--json')
    expect([parked.code, result(parked.stdout)]).toMatchObject([5, { outcome: 'parked' }])
    expect(result(parked.stdout).reason).toMatch(/^conflicts in a\.txt\n[\s\S]*Tester: theirs/)
    expect([git(at.root, 'rev-parse', made.branch), git(made.path, 'status', '--porcelain')]).toEqual([before, ''])
    expect(show(at.root, made.id)).toMatchObject({ status: 'open', claim: null })
    write(made.path, 'b.txt', 'b\n')
    expect(land(at, made.id, '--verify', 'true')).toMatchObject({ code: 1, stdout: '' })
    ok(run('tissue', ['claim', made.id, '--as', 'bob'], { cwd: at.root }))
    git(made.path, 'add', '--all')
    git(made.path, 'commit', '-qm', 'more')
    expect(land(at, made.id, '--verify', 'true').stderr).toMatch(/expected to get the issue .*, bob holds it/)
  })

  it('wants a verify command, or to be told that none is needed, which it records', () => {
    const at = place()
    const made = change(at, 'mine', { 'b.txt': 'b\n' })
    expect(land(at, made.id)).toMatchObject({ code: 2, stdout: '' })
    expect(land(at, made.id, '--no-verify', '--verify', 'true').code).toBe(2)
    ok(land(at, made.id, '--no-verify', '--keep'))
    expect(events(at.root)).toContainEqual(
      expect.objectContaining({ event: 'began', rules: expect.objectContaining({ verifies: false }) }),
    )
    expect(events(at.root)).toContainEqual({ event: 'warned', text: `${made.id}: landing without verifying` })
    expect([landedIds(at.root), existsSync(made.path)]).toEqual([[made.id], true])
    expect(git(at.root, 'log', '-1', '--format=%s', made.branch)).toBe('mine')
  })

  it('knows what it cannot land', () => {
    const at = place()
    const id = at.issue('no branch yet')
    expect(land(at, id, '--verify', 'true').code).toBe(3)
    expect(land(at, 'nothing-9', '--verify', 'true').code).toBe(3)
    expect(land(at, '.', '--verify', 'true').stderr).toMatch(/expected a branch that loop made, \. is on main/)
  })
})

describe('loop queue', () => {
  it('lands what was queued once its remote is back, and drops what is no longer wanted', () => {
    const folder = tempFolder('queue')
    git(folder, 'clone', '-q', '--bare', tempRepo({ 'a.txt': 'a\n' }), 'origin.git')
    git(folder, 'clone', '-q', 'origin.git', 'clone')
    const root = join(folder, 'clone')
    git(root, 'config', 'user.name', 'Tester')
    git(root, 'config', 'user.email', 'tester@example.invalid')
    const at = placeAt(root)
    expect(at.loop('land')).toMatchObject({ code: 3, stdout: '' })
    const ids = [at.issue('one'), at.issue('two')]
    renameSync(join(folder, 'origin.git'), join(folder, 'away.git'))
    const agent = at.agent('w', 'echo "$title" > "$title.txt"')
    expect(at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--push').code).toBe(1)
    const [first = '', second = ''] = ids
    const still = at.loop('land', first, '--json')
    expect([still.code, JSON.parse(still.stdout)]).toMatchObject([8, { issue: first, outcome: 'queued' }])
    const both = at.loop('land', '--json')
    expect([both.code, JSON.parse(both.stdout)]).toMatchObject([
      8,
      [
        { issue: second, outcome: 'queued' },
        { issue: first, outcome: 'queued' },
      ],
    ])
    for (const flag of ['--dry-run', '--no-verify', '--push', '--keep']) {
      expect(at.loop('land', flag)).toMatchObject({
        code: 2,
        stderr: `loop: expected a change with ${flag}, got none; loop queue list shows them\n`,
      })
    }
    expect(show(root, first)).toMatchObject({ status: 'paused', claim: null })
    renameSync(join(folder, 'away.git'), join(folder, 'origin.git'))

    const dropped = ok(at.loop('queue', 'drop', second, '--jsonl'))
    const kept = droppedEntry.parse(JSON.parse(dropped.stdout))
    expect(git(root, 'show', `${kept.salvage}:two.txt`)).toBe('two')
    expect(at.loop('queue', 'drop', second).code).toBe(3)
    expect(ok(at.loop('land', '--quiet')).stdout).toBe(`${first}\n`)
    expect(landedIds(join(folder, 'origin.git'))).toEqual([first])
    expect([read(root, 'one.txt'), show(root, first).status, leftovers(root)]).toEqual(['one\n', 'closed', []])
    expect(ok(at.loop('queue', 'list', '--json')).stdout).toBe('[]\n')
  })
})
