// What both verbs of review look at: the work that is meant, the place of its change, and the bus.
import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { readConfig } from '../config/read-config.ts'
import { openPlainChildren, type RunChild } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { openTissue } from '../programs/tissue.ts'
import { findBase, findRepository } from '../worktree/repository.ts'
import { treeAround } from '../worktree/tree-place.ts'
import { type Subject, taskIssue } from './read-reviews.ts'
import { chooseWork, worksUnderway } from './subject.ts'
import type { ReviewPlace } from './verdict.ts'

type ReviewWorld = Pick<Context, 'cwd' | 'env'>

export type OpenReview = { subject: Subject; place: ReviewPlace }

/**
 * The change that is meant: that of the issue `wanted`, else of the work that is under way here. Failure `notFound`
 * for an issue that tissue does not know.
 */
export async function openReview({ cwd, env }: ReviewWorld, wanted: string | undefined): Promise<OpenReview> {
  const runChild = openPlainChildren(env)
  const git = openGit(runChild)
  const repository = await findRepository(git, cwd)
  const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
  const issue = wanted === undefined ? env['LOOP_ISSUE'] : await wholeId(runChild, repository.root, wanted)
  const { run, ...work } = chooseWork(worksUnderway(store, env), issue, cwd)
  const config = readConfig(repository.root)
  // What a task's reviews are for, its own session decides.
  const reviewer = work.issue === taskIssue ? undefined : config.reviewer
  const base = work.base ?? (await findBase(git, repository, config.base))
  const folder = work.worktree ?? cwd
  const at = await treeAround(git, folder)
  if (at === undefined) throw new Failure('usage', `expected to be in a worktree, ${folder} is in none`)
  return { subject: { issue: work.issue, run }, place: { store, env, reviewer, git, at, base } }
}

async function wholeId(runChild: RunChild, root: string, wanted: string): Promise<string> {
  const issue = await openTissue(runChild, root).show(wanted)
  if (issue !== undefined) return issue.id
  throw new Failure('notFound', `expected an issue, ${wanted} names none, or several`, { hint: 'see tissue list' })
}
