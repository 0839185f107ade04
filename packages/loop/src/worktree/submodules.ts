// Submodules of a worktree: git gives each worktree repositories of its own for them, which go away with it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@switchyard/cli-kit/failure'
import type { Git } from '../git.ts'

type Submodule = { name: string; path: string; commit: string }

const depthMax = 8

/**
 * Checks out all submodules, nested ones as well. `modules` holds the main tree's repositories of them: what is there
 * is taken from there, the rest from where `.gitmodules` says. Failure `outside` with git's words.
 */
export async function initSubmodules(git: Git, tree: string, modules: string, depth = 0): Promise<void> {
  if (depth > depthMax) return
  for (const { name, path, commit } of await submodulesOf(git, tree)) {
    const local = join(modules, name)
    const isLocal = await hasCommit(git, local, commit)
    if (isLocal) await bringCommit(git, join(tree, path), local, commit)
    const from = isLocal ? ['-c', `submodule.${name}.url=${local}`, '-c', 'protocol.file.allow=always'] : []
    const done = await git.try(tree, [...from, 'submodule', '--quiet', 'update', '--init', '--', path])
    if (done.exitCode !== 0) {
      throw new Failure('outside', `the submodule ${path} could not be checked out: ${lastLine(done.stderr)}`, {
        hint: 'try git submodule update --init in the main tree first',
      })
    }
    if (isLocal) await restoreUrl(git, tree, path, name)
    await initSubmodules(git, join(tree, path), join(local, 'modules'), depth + 1)
  }
}

/** A submodule that is checked out in a worktree, and where its commits are kept when the worktree goes away. */
export type CheckedOut = { path: string; home: string }

/** Outer ones first. */
export async function checkedOutSubmodules(git: Git, tree: string, modules: string, depth = 0): Promise<CheckedOut[]> {
  if (depth > depthMax) return []
  const found: CheckedOut[] = []
  for (const { name, path } of await submodulesOf(git, tree)) {
    const there = join(tree, path)
    if (!existsSync(join(there, '.git'))) continue
    const home = join(modules, name)
    found.push({ path: there, home }, ...(await checkedOutSubmodules(git, there, join(home, 'modules'), depth + 1)))
  }
  return found
}

async function submodulesOf(git: Git, tree: string): Promise<Submodule[]> {
  if (!existsSync(join(tree, '.gitmodules'))) return []
  const paths = ['config', '--null', '--file', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$']
  const listed = (await git.try(tree, paths)).stdout.split('\0').filter((entry) => entry !== '')
  const found: Submodule[] = []
  for (const entry of listed) {
    const end = entry.indexOf('\n')
    const path = entry.slice(end + 1)
    const name = entry.slice('submodule.'.length, end - '.path'.length)
    const staged = await git.try(tree, ['ls-files', '--stage', '-z', '--', `:(literal)${path}`])
    const commit = /^160000 ([0-9a-f]+) /.exec(staged.stdout)?.[1]
    if (commit !== undefined) found.push({ name, path, commit })
  }
  return found
}

async function hasCommit(git: Git, gitDir: string, commit: string): Promise<boolean> {
  if (!existsSync(join(gitDir, 'HEAD'))) return false
  const asked = ['--git-dir', gitDir, 'cat-file', '-e', `${commit}^{commit}`]
  return (await git.try(gitDir, asked)).exitCode === 0
}

/** A submodule that is checked out already fetches from where its remote is, which may not have the commit yet. */
async function bringCommit(git: Git, there: string, local: string, commit: string): Promise<void> {
  if (!existsSync(join(there, '.git'))) return
  if ((await git.try(there, ['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0) return
  await git.try(there, ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', local, commit])
}

/** What was cloned from the main tree's repository fetches and pushes where that one does. */
async function restoreUrl(git: Git, tree: string, path: string, name: string): Promise<void> {
  const url = (await git.try(tree, ['config', '--get', `submodule.${name}.url`])).stdout.trim()
  if (url !== '') await git.run(join(tree, path), ['config', 'remote.origin.url', url])
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
