// Files that git was told to leave alone, so that it says nothing of changes in them: `update-index` hides some, a
// sparse checkout others. Their work would go with the worktree, unseen.
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pid } from 'node:process'
import { changedFiles, type Git } from './git.ts'

type Run = (args: readonly string[]) => Promise<string>

const namesMax = 500

/** The hidden files that are there, by their paths from the top, where git runs. */
async function hiddenFiles(run: Run, path: string): Promise<string[]> {
  const listed = (await run(['ls-files', '-v', '-z'])).split('\0')
  return listed.flatMap((line) => {
    const name = line.slice(2)
    return /^[a-zS] /.test(line) && existsSync(join(path, name)) ? [name] : []
  })
}

/** Has git look at all of them again that are there, by the index of `run`, which is a copy. */
export async function unhide(run: Run, path: string): Promise<void> {
  const names = await hiddenFiles(run, path)
  for (let at = 0; at < names.length; at += namesMax) {
    const some = names.slice(at, at + namesMax)
    for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) await run(['update-index', flag, '--', ...some])
  }
}

/** The hidden files of a working tree with changes that are in no commit. Its index stays as it is. */
export async function hiddenChanges(git: Git, path: string): Promise<string[]> {
  const names = new Set(await hiddenFiles((args) => git.run(path, args), path))
  if (names.size === 0) return []
  return onCopy(git, path, async (env) => (await changedFiles(git, path, 'no', env)).filter((name) => names.has(name)))
}

/** Does something with a copy of the index, by which git looks at every file. */
export async function onCopy<T>(git: Git, path: string, use: (env: { GIT_INDEX_FILE: string }) => Promise<T>) {
  const index = resolve(path, await git.run(path, ['rev-parse', '--git-path', 'index']))
  return besideIndex(index, async (copy) => {
    const env = { GIT_INDEX_FILE: copy }
    copyFileSync(index, copy)
    await unhide((args) => git.run(path, args, env), path)
    return use(env)
  })
}

/** Does something with a file beside an index, where a copy of it is to be, and removes that. */
export async function besideIndex<T>(index: string, use: (copy: string) => Promise<T>): Promise<T> {
  const copy = `${index}.scope-${pid}`
  try {
    return await use(copy)
  } finally {
    for (const file of [copy, `${copy}.lock`]) rmSync(file, { force: true })
  }
}
