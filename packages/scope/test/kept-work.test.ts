import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, stopped, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, sessions, until } from './sessions.ts'

/** Changes two files that git was told to leave alone, and stays until there is a file `go` in the store. */
const hides = `[ -e "$SCOPE_DIR/go" ] || {
  git update-index --assume-unchanged README.md; git update-index --skip-worktree .gitignore
  echo mine >README.md; echo mine >.gitignore
}
touch "$SCOPE_DIR/ready"
[ -e "$SCOPE_DIR/go" ] || sleep 600`

async function started(act: string) {
  const at = sessions({ act })
  at.write('.gitignore', '*.log\n')
  at.git('add', '--all')
  at.git('commit', '--quiet', '-m', 'Ignore')
  const id = at.spawn('Work apart', '--worktree')
  await until(() => at.inStore('').includes('ready'), 'the agent to have worked')
  const path = join(at.root, '.worktrees', 'scope', id)
  return { at, id, path, go: () => writeFileSync(join(at.root, '.scope', 'go'), '') }
}

const texts = (path: string) => ['README.md', '.gitignore'].map((name) => readFileSync(join(path, name), 'utf8'))

describe('work in the worktree of a session', () => {
  it('counts where git was told not to look: it is shown, kept by a pause, and left by gc and drop', async () => {
    const { at, id, path, go } = await started(hides)
    expect(at.scope(['worktree', 'diff', id]).stdout.match(/^\+mine$/gm)).toHaveLength(2)
    expect(JSON.parse(at.scope(['worktree', 'list', '--json']).stdout)).toMatchObject([{ uncommitted: 2 }])
    expect(at.scope(['pause', id]).code).toBe(0)
    expect(at.git('show', 'scope/0:README.md')).toBe('mine')
    go()
    expect(at.scope(['resume', id]).code).toBe(0)
    expect(at.wait(id).code).toBe(0)
    expect(texts(path)).toEqual(['mine\n', 'mine\n'])
    at.git('-C', path, 'update-index', '--assume-unchanged', 'README.md')
    at.git('-C', path, 'update-index', '--skip-worktree', '.gitignore')
    expect(at.git('-C', path, 'status', '--porcelain')).toBe('')
    expect(at.scope(['gc', '--older-than', '0s', '--json']).stdout).toContain('has 2 files in no commit')
    expect(at.scope(['worktree', 'drop', id])).toMatchObject({ code: 5, stdout: '' })
    expect(texts(path)).toEqual(['mine\n', 'mine\n'])
    for (const name of ['README.md', '.gitignore']) rmSync(join(path, name))
    at.git('-C', path, 'checkout-index', '--all')
    expect(at.scope(['worktree', 'drop', id]).code).toBe(0)
  })

  it('of a session that somebody goes on with stays, although gc had found it over', async () => {
    const { at, id, path } = await started('touch "$SCOPE_DIR/ready"; [ ! -e "$SCOPE_DIR/go" ] || echo new >new')
    at.wait(id)
    const fault = faultEnv({ call: 'lstatSync', nth: 1, action: 'stop', match: '.worktrees/scope/0/README.md' })
    const gc = at.start(['gc', '--older-than', '0s', '--json'], fault)
    await stopped(gc.child.pid)
    writeFileSync(join(at.root, '.scope', 'go'), '')
    expect(at.scope(['resume', id, 'More']).code).toBe(0)
    expect(at.wait(id).code).toBe(0)
    gc.child.kill('SIGCONT')
    expect((await gc.done).stdout).toContain('has 1 file in no commit')
    expect([existsSync(join(path, 'new')), at.poll(id).status]).toEqual([true, 'done'])
  })

  it('stays on its branch where that got a commit while drop took the worktree away', async () => {
    const { at, id, path } = await started('touch "$SCOPE_DIR/ready"')
    at.wait(id)
    const fault = faultEnv({ call: 'openSync', nth: 1, action: 'stop', match: 'worktrees/0.json.draft' })
    const drop = at.start(['worktree', 'drop', id], fault)
    await stopped(drop.child.pid)
    const commit = at.git('commit-tree', 'scope/0^{tree}', '-p', 'scope/0', '-m', 'Late')
    at.git('update-ref', 'refs/heads/scope/0', commit)
    drop.child.kill('SIGCONT')
    expect(await drop.done).toMatchObject({ code: 0 })
    expect([at.git('rev-parse', 'scope/0'), existsSync(path), at.inStore('worktrees')]).toEqual([commit, false, []])
  })

  it('stays where another session works in it that is not over', async () => {
    const { at, id, path } = await started(
      'case $SCOPE_SESSION_ID in 0) touch "$SCOPE_DIR/ready";; *) touch "$SCOPE_DIR/beside"; sleep 600;; esac',
    )
    at.wait(id)
    at.scope(['spawn', 'Beside'], { cwd: path })
    await until(() => at.inStore('').includes('beside'), 'the other agent to be at work')
    expect(at.scope(['worktree', 'drop', id, '--force'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`session 1 works in ${path}`),
    })
    expect(at.scope(['gc', '--older-than', '0s', '--json']).stdout).toContain(`session 1 works in ${path}`)
    expect([existsSync(path), isGone(Number(at.heard('1', 'pid')))]).toEqual([true, false])
  })

  it('is never begun where a link, or files of somebody else, have its place', () => {
    const at = sessions()
    const folder = join(at.root, '.worktrees', 'scope')
    mkdirSync(join(folder, '1.ignored'), { recursive: true })
    const away = join(tempFolder('away'), 'there')
    symlinkSync(away, join(folder, '0'))
    for (const name of ['0', '1.ignored'])
      expect(at.scope(['spawn', 'Work', '--worktree', '--id', `w${name[0]}`])).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(`${join(folder, name)} lies there already`),
      })
    expect([existsSync(away), at.git('branch', '--list', 'scope/*')]).toEqual([false, ''])
  })

  it('of a paused session waits until what lies at its place is moved away', async () => {
    const { at, id, path, go } = await started(
      'touch "$SCOPE_DIR/ready"; [ -e "$SCOPE_DIR/go" ] || { echo new >new; touch "$SCOPE_DIR/made"; sleep 600; }',
    )
    await until(() => at.inStore('').includes('made'), 'the agent to have made a file')
    at.scope(['pause', id])
    const tip = at.git('rev-parse', 'scope/0')
    mkdirSync(path)
    writeFileSync(join(path, 'other'), '')
    go()
    expect(at.scope(['resume', id])).toMatchObject({ code: 5, stdout: '' })
    expect([at.git('rev-parse', 'scope/0'), existsSync(join(path, 'other'))]).toEqual([tip, true])
    rmSync(path, { recursive: true })
    expect(at.scope(['resume', id]).code).toBe(0)
    expect(at.wait(id).code).toBe(0)
    expect(at.git('-C', path, 'status', '--porcelain')).toBe('?? new')
  })
})
