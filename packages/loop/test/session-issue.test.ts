import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, leftovers, ok, place, read, show } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const done = '<loop-done>done</loop-done>'

/** A place whose session works issues; `worktree` is that of the issue it works now. */
function working(...args: string[]) {
  const here = place()
  const session = sessionAt(here, 's-1')
  const id = here.issue('Write b.txt')
  const begin = () =>
    ok(session.loop('start', ...(args.length === 0 ? ['--issue', id] : args), '--verify', 'test -f b.txt'))
  const worktree = () => {
    const folder = join(here.root, '.worktrees', 'loop')
    return join(folder, readdirSync(folder)[0] ?? '')
  }
  const commit = (name: string) => {
    writeFileSync(join(worktree(), name), 'x\n')
    git(worktree(), 'add', '.')
    git(worktree(), 'commit', '-qm', `Add ${name}`)
  }
  return { ...here, ...session, here, id, begin, worktree, commit }
}

describe('an issue of a session', () => {
  it('is worked in a worktree, has to be committed, is verified and landed', () => {
    const { root, id, begin, worktree, stop, commit } = working()
    const { stdout } = begin()
    expect(stdout).toContain(worktree())
    expect(stdout).toContain('nothing is changed yet')
    expect(show(root, id).claim?.by).toBe('claude-s1')
    expect(answered(stop(done)).block).toContain('nothing changed in the worktree')
    writeFileSync(join(worktree(), 'b.txt'), 'x\n')
    expect(answered(stop(done)).block).toContain('not committed: b.txt')
    expect(read(worktree(), 'b.txt')).toBe('x\n')
    commit('b.txt')
    expect(answered(stop(done)).warning).toMatch(/is landed on main as [0-9a-f]{10} after 3 iterations/)
    expect(show(root, id).status).toBe('closed')
    expect(git(root, 'log', '-1', '--format=%s', 'main')).toBe('Add b.txt')
    expect(leftovers(root).filter((name) => !['verified', 'sessions', 'hooks'].includes(name))).toEqual([])
  })

  it('has its worktree made again where the agent broke it, and is told what keeps what was in it', () => {
    const { root, begin, worktree, stop, commit } = working()
    begin()
    commit('c.txt')
    const path = worktree()
    writeFileSync(join(path, 'd.txt'), 'x\n')
    rmSync(join(path, '.git'))
    const { block = '' } = answered(stop('so far'))
    const said = /^(\S+) has lost its \.git: it is made again, what was in it is kept in (refs\/loop\/salvage\/\S+)$/m
    const [text, at, ref = ''] = said.exec(block) ?? []
    expect(at).toBe(path)
    expect(events(root)).toContainEqual({ event: 'warned', text })
    expect(git(path, 'status', '--short', '--branch')).toMatch(/^## loop\/\S+$/)
    expect(answered(stop('so far')).block).not.toContain('is made again')
    git(path, 'checkout', ref, '--', '.')
    commit('b.txt')
    expect(answered(stop(done)).warning).toMatch(/is landed on main/)
    expect(git(root, 'ls-tree', '--name-only', 'main').split('\n')).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
  })

  it('that does not verify is told why, and is stuck after three times the same', () => {
    const { root, id, begin, stop, commit, worktree } = working()
    begin()
    commit('c.txt')
    expect(answered(stop(done)).block).toContain('the verify command failed')
    commit('d.txt')
    expect(answered(stop(done)).block).toContain('the verify command failed')
    commit('e.txt')
    const path = worktree()
    expect(answered(stop(done)).warning).toContain('is stuck')
    const { status, comments, claim } = show(root, id)
    expect({ status, claim }).toEqual({ status: 'paused', claim: null })
    expect(comments.at(-1)?.body).toContain('refs/loop/salvage/')
    expect(existsSync(path)).toBe(false)
    expect(git(root, 'for-each-ref', '--format=%(refname)', 'refs/loop')).toContain('refs/loop/salvage/')
  })

  it('is paused with a comment when it is cancelled; its worktree stays where that is asked for', () => {
    const { here, root, id, begin, stop, worktree, loop } = working()
    begin()
    writeFileSync(join(worktree(), 'half.txt'), '')
    ok(loop('cancel', '--keep-worktree', '-m', 'not now'))
    expect(answered(stop('')).warning).toContain('is cancelled')
    expect(show(root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(show(root, id).comments.at(-1)?.body).toContain('not now')
    expect(existsSync(join(worktree(), 'half.txt'))).toBe(true)
    expect(here.loop('status').code).toBe(3)
  })

  it('that another holds is not begun', () => {
    const { root, id, session } = { ...working(), session: undefined }
    expect(session).toBeUndefined()
    ok(run('tissue', ['claim', id, '--as', 'eve'], { cwd: root }))
    const finished = sessionAt({ root }, 's-1').loop('start', '--issue', id, '--verify', 'true')
    expect(finished).toMatchObject({ code: 5, stdout: '' })
    expect(answered(sessionAt({ root }, 's-1').stop(''))).toEqual({})
  })

  it('whose worktree was removed has a new one; what was committed is kept', () => {
    const { root, begin, stop, commit, worktree } = working()
    begin()
    commit('b.txt')
    rmSync(worktree(), { recursive: true })
    const { block } = answered(stop(''))
    expect(block).toContain('nothing is changed yet')
    expect(block).toMatch(/ is gone: it is made again, what was committed is kept below refs\/loop\/salvage$/m)
    expect(git(root, 'for-each-ref', '--format=%(refname)', 'refs/loop')).toContain('refs/loop/salvage/')
  })

  it('whose session is gone is ended by who cancels it, its work kept', () => {
    const { here, root, id, begin, commit } = working()
    begin()
    commit('b.txt')
    const old = new Date(Date.now() - 3 * 3_600_000)
    utimesSync(join(root, '.jwz/topics/loop/session/claude/s-1.jsonl'), old, old)
    expect(JSON.parse(ok(here.loop('cancel', '--json')).stdout)[0].answer).toBe('cancelled')
    expect(show(root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(show(root, id).comments.at(-1)?.body).toContain('refs/loop/salvage/')
    expect(leftovers(root).filter((name) => !['verified', 'sessions', 'hooks'].includes(name))).toEqual([])
  })
})

describe('issues of a session', () => {
  it('come one after the other, around a nested task, until none is ready', () => {
    const { here, root, begin, stop, loop, commit } = working('--issues', '--max-iterations', '2')
    here.issue('Another')
    begin()
    commit('b.txt')
    ok(loop('start', 'look something up'))
    expect(answered(stop(done)).block).toMatch(/the task is complete[\s\S]*How far it is: one commit/)
    expect(answered(stop(done)).block).toMatch(/is landed[\s\S]*Iteration 1 of 2[\s\S]*Issue /)
    expect(answered(stop('')).block).toContain('Iteration 2 of 2')
    expect(answered(stop('')).warning).toContain('is given up after 2 iterations')
    const ended = events(root).flatMap(({ event, outcome }) => (event === 'done' ? [outcome] : []))
    expect(ended.sort()).toEqual(['complete', 'gave-up', 'landed'])
  })

  it('need one that is ready, a session, and what verifies', () => {
    const here = place()
    const { loop } = sessionAt(here, 's-1')
    expect(loop('start', '--issues', '--verify', 'true')).toMatchObject({ code: 3, stdout: '' })
    expect(loop('start', '--issues')).toMatchObject({ code: 2 })
    expect(here.loop('start', '--issues', '--verify', 'true')).toMatchObject({ code: 2 })
    expect(loop('start', '--issue', 'zz-9', '--verify', 'true')).toMatchObject({ code: 3 })
    expect(loop('start', 'x', '--verify', 'true')).toMatchObject({ code: 2 })
    expect(loop('start', 'x', '--budget', '$5')).toMatchObject({ code: 2 })
  })
})
