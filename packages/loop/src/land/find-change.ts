// Which change somebody means to land by hand: by its issue, its branch, or the folder of its worktree.
import { resolve } from 'node:path'
import { realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import type { Git } from '../programs/git.ts'
import type { Tissue } from '../programs/tissue.ts'
import { readRecord } from '../worktree/record.ts'
import { commitOf } from '../worktree/ref-files.ts'
import { listWorktrees, type Repository } from '../worktree/repository.ts'
import { slugOf, type Worktree, worktreeOf } from '../worktree/slug.ts'

/** `issue` is undefined for a change that belongs to none. `isThere`: its worktree exists; else only its branch. */
export type ChangeToLand = { worktree: Worktree; issue: string | undefined; isThere: boolean; locked: string | null }

export type Places = { git: Git; repository: Repository; tissue: Tissue; cwd: string }

const ours = 'loop/issue/'

/** Failure `notFound` when there is no such change, `usage` when its branch is none that loop made. */
export async function findChange(places: Places, wanted: string): Promise<ChangeToLand> {
  const { git, repository, cwd } = places
  const listed = await listWorktrees(git, repository.here)
  const folder = realPathIfThere(resolve(cwd, wanted))
  const there = listed.find(({ path }) => path === folder)
  const branch = there === undefined ? await branchFor(places, wanted) : (there.branch ?? '')
  if (!branch.startsWith(ours)) {
    throw new Failure('usage', `expected a branch that loop made, ${wanted} is on ${branch || 'none'}`, {
      hint: `their names begin with ${ours}; loop worktree list shows them`,
    })
  }
  const slug = branch.slice(ours.length)
  const mine = there ?? listed.find((worktree) => worktree.branch === branch)
  const worktree = mine === undefined ? worktreeOf(repository, slug) : { slug, branch, path: mine.path }
  const at = { worktree, isThere: mine !== undefined, locked: mine?.locked ?? null }
  return { ...at, issue: await issueOf(places, worktree, wanted) }
}

async function branchFor({ git, repository, tissue }: Places, wanted: string): Promise<string> {
  const issue = wanted.startsWith(ours) ? undefined : await tissue.show(wanted)
  const branch = wanted.startsWith(ours) ? wanted : `${ours}${slugOf(issue?.id ?? wanted)}`
  if ((await commitOf(git, repository, `refs/heads/${branch}`)) !== undefined) return branch
  throw new Failure('notFound', `expected an issue with a branch, a branch of loop, or a worktree; got ${wanted}`, {
    hint: 'loop worktree list and loop queue list show what there is',
  })
}

/** The issue it was made for: as was noted, as its last commit says, as it was asked for, or by the slug itself. */
async function issueOf(
  { git, repository, tissue }: Places,
  { path, branch, slug }: Worktree,
  wanted: string,
): Promise<string | undefined> {
  const record = readRecord(repository.commonDir, path)
  if (record !== undefined && !record.issue) return undefined
  const trailer = ['log', '-1', '--format=%(trailers:key=Issue,valueonly)', `refs/heads/${branch}`, '--']
  const said = (await git.run(repository.here, trailer)).trim()
  const candidates = [record?.id ?? '', said, wanted, slug.replace(/-[0-9a-f]{8}$/, '')]
  for (const id of candidates.filter((candidate) => /^[^\s/]+$/.test(candidate))) {
    const shown = await tissue.show(id)
    if (shown !== undefined && slugOf(shown.id) === slug) return shown.id
  }
  return undefined
}
