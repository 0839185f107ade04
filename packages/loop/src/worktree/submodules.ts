// Submodules of a worktree: git gives each worktree repositories of its own for them, which go away with it.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import type { Git } from '../programs/git.ts'
import { type GitPlace, openPlaceOfGit, repositoryPlace, type TreePlace } from '../programs/git-place.ts'
import { pointerIn } from './admin-folder.ts'

type Named = { name: string; path: string }
type Submodule = Named & { commit: string }

const depthMax = 8

/**
 * Checks out all submodules, nested ones as well. `modules` holds the main tree's repositories of them: what is there
 * is taken from there, the rest from where `.gitmodules` says. Failure `outside` with git's words.
 */
export async function initSubmodules(git: Git, tree: TreePlace, modules: string, depth = 0): Promise<void> {
  if (depth > depthMax) return
  for (const { name, path, commit } of await submodulesOf(git, tree)) {
    const local = join(modules, name)
    const isLocal = await hasCommit(git, local, commit)
    const before = submodulePlace(tree, { name, path })
    if (isLocal && before !== undefined) await bringCommit(git, before, local, commit)
    const from = isLocal ? ['-c', `submodule.${name}.url=${local}`, '-c', 'protocol.file.allow=always'] : []
    await mendPointers(git, tree, { name, path })
    const done = await git.try(tree, [...from, 'submodule', '--quiet', 'update', '--init', '--', path])
    if (done.exitCode !== 0) {
      throw new Failure('outside', `the submodule ${path} could not be checked out: ${lastLine(done.stderr)}`, {
        hint: 'try git submodule update --init in the main tree first',
      })
    }
    const there = submodulePlace(tree, { name, path })
    if (there === undefined) continue
    if (isLocal) await restoreUrl(git, tree, there, name)
    await initSubmodules(git, there, join(local, 'modules'), depth + 1)
  }
}

/** A submodule that is checked out in a worktree, and where its commits are kept when the worktree goes away. */
export type CheckedOut = { at: TreePlace; path: string; home: string }

/** Outer ones first. */
export async function checkedOutSubmodules(
  git: Git,
  tree: TreePlace,
  modules: string,
  depth = 0,
): Promise<CheckedOut[]> {
  if (depth > depthMax) return []
  const found: CheckedOut[] = []
  for (const { name, path } of await submodulesOf(git, tree)) {
    const at = submodulePlace(tree, { name, path })
    if (at === undefined) continue
    const home = join(modules, name)
    const inner = await checkedOutSubmodules(git, at, join(home, 'modules'), depth + 1)
    found.push({ at, path: at.workTree, home }, ...inner)
  }
  return found
}

/**
 * The submodule as git keeps it for this worktree, whatever its `.git` says; one that has its repository within it, as
 * a clone that was added, is there. Undefined when it is not checked out.
 */
function submodulePlace(tree: TreePlace, { name, path }: Named): TreePlace | undefined {
  const workTree = join(tree.workTree, path)
  const usual = join(tree.gitDir, 'modules', name)
  const gitDir = [usual, join(workTree, '.git')].find((folder) => isRealFolder(folder) && isFile(join(folder, 'HEAD')))
  if (gitDir === undefined || !isRealFolder(workTree) || !isThere(join(workTree, '.git'))) return undefined
  return openPlaceOfGit({ gitDir, commonDir: gitDir, workTree }, () => {
    tree.prove()
    if (isRealFolder(gitDir) && isRealFolder(workTree)) return
    throw new Failure('failed', `expected the submodule ${workTree} to be a folder, it is none any more`)
  })
}

/**
 * Git's own command for submodules goes where their `.git` and their setting of a work tree lead: both are put right
 * before.
 */
async function mendPointers(git: Git, tree: TreePlace, { name, path }: Named): Promise<void> {
  const workTree = join(tree.workTree, path)
  const gitDir = join(tree.gitDir, 'modules', name)
  const isKept = isRealFolder(gitDir) && isFile(join(gitDir, 'HEAD'))
  const dotGit = join(workTree, '.git')
  if (lstatAt(workTree)?.isSymbolicLink()) rmSync(workTree)
  else if (isThere(dotGit) && !isRealFolder(dotGit) && pointerIn(dotGit) !== gitDir) rmSync(dotGit)
  if (!isKept) return
  const setting = ['config', '--file', join(gitDir, 'config'), 'core.worktree', workTree]
  await git.run(tree, setting)
}

/** A folder that no link leads to. */
const isRealFolder = (path: string) => lstatAt(path)?.isDirectory() === true && realPathIfThere(path) === path
const isFile = (path: string) => lstatAt(path)?.isFile() === true
const isThere = (path: string) => lstatAt(path) !== undefined

async function submodulesOf(git: Git, tree: TreePlace): Promise<Submodule[]> {
  if (!isFile(join(tree.workTree, '.gitmodules'))) return []
  const paths = ['config', '--null', '--file', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$']
  const listed = (await git.try(tree, paths)).stdout.split('\0').filter((entry) => entry !== '')
  const found: Submodule[] = []
  for (const entry of listed) {
    const end = entry.indexOf('\n')
    const path = entry.slice(end + 1)
    const name = entry.slice('submodule.'.length, end - '.path'.length)
    if ([...path.split('/'), ...name.split('/')].includes('..')) continue
    const staged = await git.try(tree, ['ls-files', '--stage', '-z', '--', `:(literal)${path}`])
    const commit = /^160000 ([0-9a-f]+) /.exec(staged.stdout)?.[1]
    if (commit !== undefined) found.push({ name, path, commit })
  }
  return found
}

async function hasCommit(git: Git, gitDir: string, commit: string): Promise<boolean> {
  if (!existsSync(join(gitDir, 'HEAD'))) return false
  return (await git.try(repositoryPlace(gitDir), ['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0
}

/** A submodule that is checked out already fetches from where its remote is, which may not have the commit yet. */
async function bringCommit(git: Git, there: GitPlace, local: string, commit: string): Promise<void> {
  if ((await git.try(there, ['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0) return
  await git.try(there, ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', local, commit])
}

/** What was cloned from the main tree's repository fetches and pushes where that one does. */
async function restoreUrl(git: Git, tree: TreePlace, there: GitPlace, name: string): Promise<void> {
  const url = (await git.try(tree, ['config', '--get', `submodule.${name}.url`])).stdout.trim()
  if (url !== '') await git.run(there, ['config', 'remote.origin.url', url])
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
