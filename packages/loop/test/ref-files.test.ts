// What loop reads of git's files itself is what git says of them, or it asks git.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { branchAt, readRef } from '../src/worktree/ref-files.ts'

const refs = ['refs/heads/main', 'refs/heads/a/b', 'refs/heads/a', 'refs/heads/b', 'refs/loop/salvage/x/r', 'refs/none']

/** A repository with loose refs, packed ones, and ones that are both. */
function repository() {
  const root = tempRepo()
  for (const ref of ['refs/heads/a/b', 'refs/loop/salvage/x/r']) git(root, 'update-ref', ref, 'HEAD')
  git(root, 'tag', '-a', 'v1', '-m', 'one')
  git(root, 'pack-refs', '--all')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'Second')
  const common = join(root, '.git')
  const said = (ref: string) => {
    const commit = git(root, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n')
    return commit.find((line) => line.startsWith(`${ref} `))?.split(' ')[1] ?? null
  }
  return { root, common, said, read: (ref: string) => readRef(common, ref) }
}

describe('a ref that is read from the files of git', () => {
  it('is what git says: loose, packed, both, deleted, and none', () => {
    const { root, said, read } = repository()
    const look = () => refs.map(read)
    expect(look()).toEqual(refs.map(said))
    expect(look().filter((commit) => commit === null)).toHaveLength(3)
    git(root, 'update-ref', '-d', 'refs/heads/a/b')
    git(root, 'branch', 'a')
    expect(look()).toEqual(refs.map(said))
    git(root, 'pack-refs', '--all', '--prune')
    expect(look()).toEqual(refs.map(said))
    git(root, 'update-ref', '-d', 'refs/heads/a')
    expect(look()).toEqual(refs.map(said))
  })

  it('is left to git where it is a link, another ref, torn, or where refs are no files', () => {
    const { root, common, read } = repository()
    const branch = join(common, 'refs/heads')
    git(root, 'symbolic-ref', 'refs/heads/b', 'refs/heads/main')
    expect(read('refs/heads/b')).toBeUndefined()
    for (const text of ['', 'ref: refs/heads/main', '0123', 'x'.repeat(40)]) {
      writeFileSync(join(branch, 'b'), text)
      expect(read('refs/heads/b')).toBeUndefined()
    }
    for (const name of ['./main', '/main', '../heads/main', 'a//b', '.invalid']) {
      expect(read(`refs/heads/${name}`)).toBeUndefined()
    }
    rmSync(join(branch, 'b'))
    symlinkSync('main', join(branch, 'b'))
    expect(read('refs/heads/b')).toBeUndefined()
    writeFileSync(join(common, 'packed-refs'), `${readFileSync(join(common, 'packed-refs'))}torn refs/heads/c\n`)
    expect(read('refs/heads/c')).toBeUndefined()
    renameSync(branch, join(common, 'away'))
    writeFileSync(branch, 'this repository uses the reftable format\n')
    expect(read('refs/heads/main')).toBeUndefined()
    expect(read('refs/loop/none')).toBeUndefined()
  })

  it('is the branch of HEAD where HEAD says it plainly', () => {
    const { root, common } = repository()
    const at = { gitDir: common }
    expect(branchAt(at)).toBe('main')
    git(root, 'switch', '-q', 'a/b')
    expect(branchAt(at)).toBe('a/b')
    git(root, 'switch', '-q', '--detach')
    expect(branchAt(at)).toBeUndefined()
    for (const head of ['ref: refs/heads/.invalid', 'ref: refs/heads/../../x', 'ref: refs/tags/v1', '']) {
      writeFileSync(join(common, 'HEAD'), `${head}\n`)
      expect(branchAt(at)).toBeUndefined()
    }
    rmSync(join(common, 'HEAD'))
    mkdirSync(join(common, 'HEAD'))
    expect(branchAt(at)).toBeUndefined()
  })
})
