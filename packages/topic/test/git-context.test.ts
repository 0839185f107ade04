import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findRepository } from '@switchyard/ground/repository'
import { git, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { readGitContext } from '../src/index.ts'

function contextIn(cwd: string) {
  const repository = findRepository(cwd, undefined)
  return repository && readGitContext(repository, cwd)
}

describe('readGitContext', () => {
  it('agrees with git on a branch, in a subfolder, detached, packed and in a worktree', () => {
    const repo = tempRepo()
    const oid = git(repo, 'rev-parse', 'HEAD')
    mkdirSync(join(repo, 'src/deep'), { recursive: true })
    expect(contextIn(repo)).toEqual({ oid, branch: 'main', prefix: '' })
    expect(contextIn(join(repo, 'src/deep'))).toEqual({ oid, branch: 'main', prefix: 'src/deep' })

    git(repo, 'branch', 'feat/x')
    git(repo, 'pack-refs', '--all')
    expect(contextIn(repo)).toEqual({ oid, branch: 'main', prefix: '' })

    const worktree = join(repo, '.worktrees/x')
    git(repo, 'worktree', 'add', '--quiet', worktree, 'feat/x')
    expect(contextIn(worktree)).toEqual({ oid, branch: 'feat/x', prefix: '' })

    git(repo, 'checkout', '--quiet', '--detach')
    expect(contextIn(repo)).toEqual({ oid, branch: null, prefix: '' })
  })

  it('has no commit in a repository without one, and nothing outside', () => {
    const unborn = tempFolder('unborn')
    git(unborn, 'init', '--quiet', '--initial-branch=trunk')
    expect(contextIn(unborn)).toEqual({ oid: null, branch: 'trunk', prefix: '' })
    expect(contextIn(tempFolder('outside'))).toBeUndefined()
  })
})
