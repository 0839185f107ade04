import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { worktreeSchema } from '../src/worktree/worktree-schema.ts'
import { type Sessions, sessions, until } from './sessions.ts'

const commits = 'echo one >a.txt; git add a.txt; git commit -qm "Add a"; '
const leaves = 'echo two >>README.md; echo new >b.txt; '

function ended(act: string, ...flags: readonly string[]) {
  const at = sessions({ act })
  const id = at.spawn('Work apart', '--worktree', ...flags)
  expect(at.wait(id).code).toBe(0)
  return { at, id, path: join(at.root, '.worktrees', 'scope', id), verb: verbOf(at) }
}

const verbOf =
  (at: Sessions) =>
  (word: string, ...rest: readonly string[]) =>
    at.scope(['worktree', word, ...rest])

const hasBranch = (at: Sessions, name: string) => at.git('branch', '--list', name) !== ''

describe('scope worktree', () => {
  it('list says what each has that nobody else has', () => {
    const { at, verb } = ended(commits + leaves)
    at.agent('')
    at.wait(at.spawn('Nothing', '--worktree'), at.spawn('Here'))
    const listed = worktreeSchema.array().parse(JSON.parse(verb('list', '--json').stdout))
    expect(listed).toMatchObject([
      {
        session: '0',
        status: 'done',
        branch: 'scope/0',
        base: 'main',
        there: true,
        commits: 1,
        uncommitted: 2,
        merged: false,
      },
      { session: '1', status: 'done', branch: 'scope/1', commits: 0, uncommitted: 0, merged: true },
    ])
    expect(verb('list').stdout).toMatch(/^0\tdone\tscope\/0\t1 commit\t2 files not committed\t.*\/scope\/0\n1\tdone\t/)
    expect(sessions().scope(['worktree', 'list', '--json']).stdout).toBe('[]\n')
  })

  it('diff shows commits, changes and new files against where it began, and leaves the index alone', () => {
    const { at, id, path, verb } = ended(commits + leaves)
    at.git('commit', '--quiet', '--allow-empty', '-m', 'Elsewhere')
    const before = at.git('-C', path, 'status', '--porcelain')
    const { code, stdout } = verb('diff', id)
    expect(code).toBe(0)
    expect([...stdout.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, name]) => name)).toEqual(['README.md', 'a.txt', 'b.txt'])
    expect(verb('diff', id, '--stat').stdout).toContain('3 files changed')
    expect(at.git('-C', path, 'status', '--porcelain')).toBe(before)
  })

  it('merge goes forward, or makes a merge; a conflict and changes in no commit touch nothing', () => {
    const { at, id, path, verb } = ended(commits)
    writeFileSync(join(path, 'b.txt'), 'new\n')
    expect(verb('merge', id)).toMatchObject({ code: 5, stdout: '' })
    expect(verb('merge', id).stderr).toContain('has changes that are in no commit: b.txt')
    at.git('-C', path, 'add', '--all')
    at.git('-C', path, 'commit', '--quiet', '-m', 'Add b')
    expect(verb('merge', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('scope/0  fast-forward  ') })
    expect(at.git('rev-parse', 'HEAD')).toBe(at.git('rev-parse', 'scope/0'))
    expect(readFileSync(join(at.root, 'b.txt'), 'utf8')).toBe('new\n')
    expect(verb('merge', id).stdout).toContain('nothing to do')

    at.agent('echo theirs >a.txt; git commit -qam Theirs')
    const other = at.spawn('Otherwise', '--worktree')
    at.wait(other)
    writeFileSync(join(at.root, 'c.txt'), 'c\n')
    at.git('add', '--all')
    expect(verb('merge', other).stderr).toContain('the working tree has changes that are in no commit: c.txt')
    at.git('commit', '--quiet', '-m', 'Add c')
    expect(verb('merge', other).stdout).toContain('scope/1  merge  ')
    expect(at.git('log', '-1', '--format=%s %p').trim()).toMatch(/^Merge scope\/1: Otherwise \w+ \w+$/)

    at.agent('echo ours >a.txt; git commit -qam Ours')
    const third = at.spawn('Against', '--worktree', '--base', 'HEAD~1')
    at.wait(third)
    writeFileSync(join(at.root, 'a.txt'), 'mine\n')
    at.git('commit', '--quiet', '-am', 'Mine')
    const head = at.git('rev-parse', 'HEAD')
    const said = verb('merge', third)
    expect([said.code, said.stdout]).toEqual([5, ''])
    expect(said.stderr).toContain('scope/2 conflicts in a.txt; merge by hand: git merge scope/2')
    expect([at.git('rev-parse', 'HEAD'), at.git('status', '--porcelain')]).toEqual([head, ''])
  })

  it('drop takes away what is merged, and the rest only with --force', () => {
    const { at, id, path, verb } = ended(commits + leaves)
    const refused = verb('drop', id)
    expect([refused.code, refused.stdout]).toEqual([5, ''])
    expect(refused.stderr).toContain('has 2 files in no commit and 1 commit that nobody else has')
    expect([existsSync(path), hasBranch(at, 'scope/0')]).toEqual([true, true])
    expect(verb('drop', id, '--force')).toMatchObject({ code: 0, stdout: `dropped ${path} and scope/0\n` })
    expect([existsSync(path), hasBranch(at, 'scope/0'), at.inStore('worktrees')]).toEqual([false, false, []])
    expect(at.poll(id).status).toBe('done')
    expect(verb('drop', id)).toMatchObject({ code: 3, stdout: '' })
    at.agent('')
    const clean = at.spawn('Nothing', '--worktree')
    at.wait(clean)
    expect(verb('drop', clean).code).toBe(0)
  })

  it('leaves sessions alone that are at work, and those that share a worktree', async () => {
    const at = sessions({
      act: 'case $SCOPE_SESSION_ID in *.*) ;; *) scope spawn Below --wait; touch ready; sleep 600;; esac',
    })
    const id = at.spawn('Long', '--worktree')
    await until(() => existsSync(join(at.root, '.worktrees', 'scope', id, 'ready')), 'the agent to be at work')
    for (const word of ['merge', 'drop'])
      expect(verbOf(at)(word, id)).toMatchObject({ code: 5, stderr: expect.stringContaining('session 0 is not over') })
    expect(verbOf(at)('drop', '0.0')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('it works in that of 0'),
    })
    expect(verbOf(at)('diff', '0').code).toBe(0)
    at.scope(['abort', id])
  })

  it('that was killed while it drops is dropped by the next call, and a mark of another machine is none', () => {
    const { at, id, path, verb } = ended('')
    const rule = { call: 'rmSync', match: 'worktrees/0.json', nth: 1, action: 'kill' } as const
    expect(at.scope(['worktree', 'drop', id], {}, faultEnv(rule)).signal).toBe('SIGKILL')
    expect(at.inStore('worktrees')).toEqual(['0.json'])
    at.wait(at.spawn('Next', '--worktree'))
    expect(at.inStore('worktrees')).toEqual(['1.json'])
    expect(existsSync(path)).toBe(false)

    const mark = join(at.root, '.scope', 'worktrees', '1.json')
    at.git('branch', 'precious', 'HEAD')
    const forged = { ...JSON.parse(readFileSync(mark, 'utf8')), branch: 'precious', removing: 'all' }
    writeFileSync(mark, JSON.stringify(forged))
    at.wait(at.spawn('After', '--worktree'))
    expect(hasBranch(at, 'precious')).toBe(true)
    expect(verb('drop', '1', '--force')).toMatchObject({ code: 3, stdout: '' })
  })
})
