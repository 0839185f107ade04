import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'

/** The store a tool would use in `cwd`, or its exit code and complaint. */
function storeIn(tool: 'jwz' | 'tissue', cwd: string, env: Record<string, string> = {}): string {
  const { code, stdout, stderr } = run(tool, ['where', '--json'], { cwd, env })
  return code === 0 ? JSON.parse(stdout).store : `${code}: ${stderr}`
}

/** A repository and everything that can hang on one, made once; nothing here writes a store. */
function makeLandscape() {
  const folder = tempFolder('positions')
  const main = join(folder, 'main')
  const inMain = (...args: string[]) => git(main, ...args)
  git(folder, 'clone', '--quiet', tempRepo(), main)
  inMain('config', 'user.name', 'Tester')
  inMain('config', 'user.email', 'tester@example.invalid')
  mkdirSync(join(main, 'src/deep'), { recursive: true })
  inMain('worktree', 'add', '--quiet', join(folder, 'linked'), '-b', 'linked')
  mkdirSync(join(folder, 'linked/sub'))
  inMain('worktree', 'add', '--quiet', join(main, '.worktrees/x'), '-b', 'x')
  mkdirSync(join(main, '.worktrees/x/sub'))

  git(folder, 'clone', '--quiet', main, join(main, 'nested'))
  git(folder, 'clone', '--quiet', main, join(folder, 'linked/inner'))

  git(folder, 'clone', '--quiet', '--bare', main, join(folder, 'bare.git'))
  git(join(folder, 'bare.git'), 'worktree', 'add', '--quiet', join(folder, 'from-bare'), '-b', 'b')

  const hidden = join(folder, 'hidden')
  git(folder, 'clone', '--quiet', '--bare', main, join(hidden, '.bare'))
  writeFileSync(join(hidden, '.git'), 'gitdir: ./.bare\n')
  git(hidden, 'worktree', 'add', '--quiet', join(hidden, 'one'), '-b', 'one')
  git(hidden, 'worktree', 'add', '--quiet', join(hidden, 'two'), '-b', 'two')

  git(folder, 'clone', '--quiet', '--separate-git-dir', join(folder, 'apart.git'), main, join(folder, 'apart'))
  git(join(folder, 'apart'), 'worktree', 'add', '--quiet', join(folder, 'apart-linked'), '-b', 'al')

  const superproject = join(folder, 'super')
  git(folder, 'clone', '--quiet', main, superproject)
  git(superproject, 'config', 'user.name', 'Tester')
  git(superproject, 'config', 'user.email', 'tester@example.invalid')
  git(superproject, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', main, 'sub')
  git(superproject, 'commit', '--quiet', '--message', 'Add a submodule')
  git(join(superproject, 'sub'), 'worktree', 'add', '--quiet', join(folder, 'sub-linked'), '-b', 'sl')
  git(superproject, 'worktree', 'add', '--quiet', join(folder, 'super-linked'), '-b', 'spl')
  git(join(folder, 'super-linked'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')

  symlinkSync(join(main, 'src'), join(folder, 'link'))
  mkdirSync(join(folder, 'plain/deep/er'), { recursive: true })
  return { folder, main }
}

let landscape: { folder: string; main: string }

beforeAll(() => {
  landscape = makeLandscape()
})

/** Position to the base its store lies in, both below the landscape's folder. */
const positions: readonly (readonly [position: string, cwd: string, base: string])[] = [
  ['the main tree', 'main', 'main'],
  ['a subfolder', 'main/src/deep', 'main'],
  ['a linked worktree', 'linked', 'main'],
  ['a subfolder of a linked worktree', 'linked/sub', 'main'],
  ['a worktree inside the main tree', 'main/.worktrees/x', 'main'],
  ['a subfolder of that worktree', 'main/.worktrees/x/sub', 'main'],
  ['inside .git', 'main/.git', 'main'],
  ['a nested repository', 'main/nested', 'main/nested'],
  ['a repository inside a linked worktree', 'linked/inner', 'linked/inner'],
  ['a bare repository', 'bare.git', 'bare.git'],
  ['a worktree of a bare repository', 'from-bare', 'bare.git'],
  ['a folder whose .git file names a bare repository', 'hidden', 'hidden/.bare'],
  ['a worktree beside it', 'hidden/one', 'hidden/.bare'],
  ['another worktree beside it', 'hidden/two', 'hidden/.bare'],
  ['a separate git folder', 'apart', 'apart.git'],
  ['a worktree of a separate git folder', 'apart-linked', 'apart.git'],
  ['a submodule', 'super/sub', 'super/sub'],
  ['a worktree of a submodule', 'sub-linked', 'super/sub'],
  ['a worktree of a superproject', 'super-linked', 'super'],
  ['a symbolic link', 'link', 'main'],
  ['no repository', 'plain/deep/er', 'plain/deep/er'],
]

describe('the store', () => {
  it.each(positions)('of %s is the right one', (_, cwd, base) => {
    const { folder } = landscape
    expect(storeIn('jwz', join(folder, cwd))).toBe(join(folder, base, '.jwz'))
    expect(storeIn('tissue', join(folder, cwd))).toBe(join(folder, base, '.tissue'))
  })

  it('of a submodule in a worktree of its superproject is its own: it is a second clone', () => {
    const { folder } = landscape
    const store = storeIn('jwz', join(folder, 'super-linked/sub'))
    expect(store).toBe(join(folder, 'super-linked/sub/.jwz'))
  })

  it('of a worktree whose repository moved is an error that says what to do', () => {
    const repo = tempRepo()
    const worktree = join(tempFolder('moved'), 'w')
    git(repo, 'worktree', 'add', '--quiet', worktree, '-b', 'w')
    renameSync(repo, `${repo}-elsewhere`)
    expect(storeIn('jwz', worktree)).toMatch(/^3: jwz: .*git worktree repair/s)
    renameSync(`${repo}-elsewhere`, repo)
  })

  it('takes a .git with nothing of a repository in it for none, as git does, but not a damaged one', () => {
    const repo = tempRepo({ 'sub/a.txt': '' })
    const plain = tempFolder('plain')
    mkdirSync(join(plain, 'sub'))
    for (const folder of [join(repo, 'sub'), plain]) mkdirSync(join(folder, '.git'))
    expect(storeIn('jwz', join(repo, 'sub'))).toBe(join(repo, '.jwz'))
    expect(storeIn('tissue', join(repo, 'sub'))).toBe(join(repo, '.tissue'))
    expect(storeIn('jwz', plain)).toBe(join(plain, '.jwz'))
    expect(storeIn('jwz', join(plain, 'sub'))).toBe(join(plain, 'sub/.jwz'))
    rmSync(join(repo, '.git/HEAD'))
    expect(storeIn('jwz', repo)).toMatch(/^3: jwz: /)
  })

  it('ignores the variables git sets in hooks', () => {
    const { folder, main } = landscape
    const env = { GIT_DIR: join(folder, 'bare.git'), GIT_WORK_TREE: folder }
    expect(storeIn('jwz', main, env)).toBe(join(main, '.jwz'))
  })

  it('in the home folder captures nothing below it', () => {
    const home = tempFolder('home')
    const project = join(home, 'projects/one')
    mkdirSync(project, { recursive: true })
    expect(run('jwz', ['post', 'news', '-m', 'from home'], { cwd: home, env: { HOME: home } }).code).toBe(0)
    expect(storeIn('jwz', home, { HOME: home })).toBe(join(home, '.jwz'))
    expect(storeIn('jwz', project, { HOME: home })).toBe(join(project, '.jwz'))
    expect(run('tissue', ['new', 'at home'], { cwd: home, env: { HOME: home } }).code).toBe(0)
    expect(storeIn('tissue', home, { HOME: home })).toBe(join(home, '.tissue'))
    expect(storeIn('tissue', project, { HOME: home })).toBe(join(project, '.tissue'))
  })

  it('above the current folder is found outside any repository', () => {
    const folder = tempFolder('above')
    mkdirSync(join(folder, 'a/b'), { recursive: true })
    expect(run('jwz', ['post', 'news', '-m', 'hi'], { cwd: folder }).code).toBe(0)
    expect(storeIn('jwz', join(folder, 'a/b'))).toBe(join(folder, '.jwz'))
    expect(run('tissue', ['new', 'x'], { cwd: folder }).code).toBe(0)
    expect(storeIn('tissue', join(folder, 'a/b'))).toBe(join(folder, '.tissue'))
  })

  it('is shared: what one worktree posts another reads', () => {
    const { folder, main } = landscape
    const posted = run('jwz', ['post', 'shared', '-m', 'from linked', '--as', 'ann'], { cwd: join(folder, 'linked') })
    expect(posted.code).toBe(0)
    const read = run('jwz', ['latest', 'shared'], { cwd: join(main, '.worktrees/x/sub') })
    expect(read.stdout).toBe('from linked\n')
  })

  it.each([
    ['linked', 'main/.worktrees/x/sub', 'main'],
    ['from-bare', 'bare.git', 'bare.git'],
    ['hidden/one', 'hidden/two', 'hidden/.bare'],
  ])('is shared: an issue made in %s is ready in %s', (here, there, base) => {
    const { folder } = landscape
    const made = run('tissue', ['new', `from ${here}`, '--quiet'], { cwd: join(folder, here) })
    expect(made.code).toBe(0)
    expect(run('tissue', ['ready', '--quiet'], { cwd: join(folder, there) }).stdout).toContain(made.stdout)
    expect(run('tissue', ['ready', '--quiet'], { cwd: join(folder, base) }).stdout).toContain(made.stdout)
    // A repository inside another is not captured by it.
    expect(run('tissue', ['ready', '--quiet'], { cwd: join(folder, 'main/nested') }).stdout).toBe('')
  })

  it('leaves the git status of a user who only posted as it was', () => {
    const repo = tempRepo()
    const before = git(repo, 'status', '--porcelain', '--ignored=no')
    expect(run('jwz', ['post', 'news', '-m', 'hi'], { cwd: repo }).code).toBe(0)
    expect(git(repo, 'status', '--porcelain', '--ignored=no')).toBe(before)
    expect(before).toBe('')
  })
})
