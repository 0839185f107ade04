import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type Sessions, sessions, until } from './sessions.ts'

const worktreeOf = (at: Sessions, id: string) => join(realpathSync(at.root), '.worktrees', 'scope', id)

const branches = (at: Sessions): string[] =>
  at
    .git('branch', '--format=%(refname:short)')
    .split('\n')
    .filter((name) => name.startsWith('scope/'))

const worktrees = (at: Sessions): string[] =>
  at
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => /^worktree .*\/scope\/(.+)$/.exec(line)?.[1] ?? [])

const marks = (at: Sessions): string[] => at.inStore('worktrees').filter((name) => !name.endsWith('.draft'))

describe('scope spawn --worktree', () => {
  it('has the agent work in a worktree and on a branch of its own, with the sessions of the repository', () => {
    const at = sessions({ act: 'pwd >where; git branch --show-current >>where; git rev-parse HEAD >>where' })
    const id = at.spawn('Work apart', '--worktree')
    at.wait(id)
    const path = worktreeOf(at, id)
    const head = at.git('rev-parse', 'HEAD').trim()
    expect(readFileSync(join(path, 'where'), 'utf8')).toBe(`${path}\nscope/${id}\n${head}\n`)
    expect(at.poll(id)).toMatchObject({
      status: 'done',
      cwd: path,
      worktree: path,
      branch: `scope/${id}`,
      base: 'main',
    })
    expect(at.events(id)[0]).toMatchObject({ worktree: { path, branch: 'scope/0', base: 'main', from: head } })
    expect(at.heard(id, 'env')).toContain(`SCOPE_DIR=${join(realpathSync(at.root), '.scope')}\n`)
    expect(at.git('status', '--porcelain')).toBe('')
    expect(at.git('branch', '--show-current').trim()).toBe('main')
    expect(at.poll(at.spawn('Work here'))).toMatchObject({ worktree: null, branch: null, base: null })
  })

  it('begins at --base, names the branch as --branch says, and works in the folder of the caller', () => {
    const at = sessions({ act: 'pwd >where' })
    mkdirSync(join(at.root, 'sub'))
    writeFileSync(join(at.root, 'sub', 'a'), 'a')
    at.git('add', '--all')
    at.git('commit', '--quiet', '-m', 'Sub')
    at.git('commit', '--quiet', '--allow-empty', '-m', 'Next')
    writeFileSync(join(at.root, 'README.md'), 'Changed.\n')
    const flags = ['--worktree', '--base', 'HEAD~1', '--branch', 'my/work']
    expect(at.scope(['spawn', 'Work', ...flags], { cwd: join(at.root, 'sub') }).stdout).toBe('0\n')
    at.wait('0')
    expect(existsSync(join(worktreeOf(at, '0'), 'sub', 'where'))).toBe(true)
    expect(at.poll('0')).toMatchObject({ branch: 'my/work', base: 'HEAD~1' })
    expect(at.git('rev-parse', 'my/work')).toBe(at.git('rev-parse', 'HEAD~1'))
  })

  it('is shared by what its agent starts, unless that asks for one of its own', () => {
    const once = 'case $SCOPE_SESSION_ID in *.*) ;; *) scope spawn Share; scope spawn Own --worktree;; esac'
    const at = sessions({ act: `touch mine; git add mine; git commit -qm mine; ${once}` })
    at.wait(at.spawn('Parent', '--worktree'))
    at.wait('0.0', '0.1')
    expect(at.poll('0.0')).toMatchObject({ worktree: worktreeOf(at, '0'), branch: 'scope/0' })
    expect(at.events('0.0')[0]).toMatchObject({ worktree: { of: '0' } })
    expect(at.poll('0.1')).toMatchObject({ worktree: worktreeOf(at, '0.1'), branch: 'scope/0.1', base: 'scope/0' })
  })

  it('is shared by the workers of a loop, whose gates run there', () => {
    const at = sessions({ act: 'echo again >>times' })
    const { code } = at.scope(['spawn', 'Loop', '--worktree', '--checker', 'test "$(wc -l <times)" = 2', '--wait'])
    expect(code).toBe(0)
    expect(readFileSync(join(worktreeOf(at, '0'), 'times'), 'utf8')).toBe('again\nagain\n')
    expect(at.poll('0-1-do')).toMatchObject({ worktree: worktreeOf(at, '0'), branch: 'scope/0' })
    expect(at.has('times')).toBe(false)
  })

  it('refuses what it cannot begin with, in one line, and leaves nothing behind', () => {
    const at = sessions()
    const refused = (...args: readonly string[]) => {
      const { code, stdout, stderr } = at.scope(['spawn', 'Work', ...args])
      expect(stdout).toBe('')
      return [code, stderr.replace(/^ +.*\n/gm, '')]
    }
    at.git('branch', 'taken')
    expect(refused('--base', 'main')).toEqual([2, expect.stringContaining('expected --worktree beside --base')])
    expect(refused('--worktree', '--base', 'none')).toEqual([2, expect.stringContaining('there is no none')])
    expect(refused('--worktree', '--branch', 'taken')).toEqual([
      5,
      expect.stringContaining('the branch taken is there'),
    ])
    expect(refused('--worktree', '--branch', 'a..b')).toEqual([2, expect.stringContaining('name of a branch')])
    expect(refused('--worktree', '--cwd', tempFolder('none'))).toEqual([2, expect.stringContaining('is in none')])
    writeFileSync(join(at.root, 'README.md'), 'Changed.\n')
    expect(refused('--worktree')).toEqual([5, expect.stringContaining('not be in the worktree: README.md')])
    at.git('checkout', '--quiet', 'README.md')
    writeFileSync(join(at.root, '.git', 'refs', 'heads', 'scope'), at.git('rev-parse', 'HEAD'))
    expect(refused('--worktree')).toEqual([8, expect.stringContaining('git would not make the worktree')])
    expect([worktrees(at), branches(at), marks(at)]).toEqual([[], [], []])
    at.git('checkout', '--quiet', '--orphan', 'empty')
    expect(refused('--worktree')).toEqual([2, expect.stringContaining('expected a commit to begin from')])
  })

  it('killed at any step leaves no worktree and no branch that the next call does not clear', async () => {
    const at = sessions()
    let left = 0
    for (let nth = 1; ; nth += full ? 1 : 3) {
      const fault = faultEnv({ call: 'renameSync', nth, action: 'kill', match: '.scope' })
      if (at.scope(['spawn', `Step ${nth}`, '--worktree'], {}, fault).signal === null) break
      // Whatever stands there without a session is the next call's to clear.
      left += worktrees(at).filter((id) => !existsSync(join(at.folder(id), 'events.jsonl'))).length
    }
    expect(left).toBeGreaterThan(0)
    const last = at.spawn('After', '--worktree')
    const known = () =>
      at.scope(['list', '--all', '--json']).stdout.match(/"worktree":"[^"]+\/scope\/\d+"/g)?.length ?? 0
    await until(() => !/"status":"(pending|running)"/.test(at.scope(['list', '--all', '--json']).stdout), 'all over')
    expect(worktrees(at)).toContain(last)
    expect(worktrees(at)).toHaveLength(known())
    expect(branches(at)).toHaveLength(known())
    expect(marks(at)).toHaveLength(known())
  })
})
