// What the agent of a session is told of the issue it works.

import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import { findPass } from '../land/verified.ts'
import { uncommittedIn } from '../land/verify-here.ts'
import { head } from '../text/cut-text.ts'
import { quoted } from '../text/shell-word.ts'
import { treeOf } from '../worktree/commits.ts'
import { placeOf } from '../worktree/tree-place.ts'

const bodyBytesMax = 2048
const namedMax = 5

/** The text of the issue, or its beginning and where the rest is. */
export function issueGoal({ id, body }: LandingJob['issue']): string {
  const text = body.trim()
  const rest = Buffer.byteLength(text) > bodyBytesMax ? `\n(That is its beginning. All of it: tissue show ${id})` : ''
  return text === '' ? '(There is no more to it than its title.)' : head(text, bodyBytesMax) + rest
}

/** Where it is worked, and how far it is. */
export async function issueFacts(
  run: Told & Pick<LandingRun, 'base'>,
  job: LandingJob,
  isBrief: boolean,
): Promise<string[]> {
  const { path, branch } = job.worktree
  if (isBrief) return [`Worktree: ${path}. How far it is: ${await phaseOf(run, job)}`]
  return [
    `Worktree: ${path}, branch ${branch}, made from ${run.base}. Work only there: file tools take its absolute paths,`,
    `in a shell begin with: cd ${quoted(path)}`,
    `How far it is: ${await phaseOf(run, job)}`,
    'Commit what you do. Do not push and do not close the issue: it is verified, landed and closed for you.',
  ]
}

type Told = Pick<LandingRun, 'id' | 'env' | 'git' | 'repository' | 'verify' | 'now'>

async function phaseOf(
  { id, env, git, repository, verify, now }: Told,
  { worktree, from }: LandingJob,
): Promise<string> {
  const at = placeOf(repository, worktree)
  const open = await uncommittedIn(git, at)
  if (open.length > 0) {
    const more = open.length > namedMax ? ` and ${open.length - namedMax} more` : ''
    return `there are changes that are not committed, in ${open.slice(0, namedMax).join(', ')}${more}.`
  }
  const count = Number(await git.run(at, ['rev-list', '--count', `${from}..HEAD`]))
  if (count === 0) return 'nothing is changed yet.'
  const commits = count === 1 ? 'one commit' : `${count} commits`
  const tree = await treeOf(git, at, 'HEAD')
  const place = { commonDir: repository.commonDir, env }
  const passed = findPass(place, { tree, command: verify, run: id }, now()) !== undefined
  return passed ? `${commits}, verified.` : `${commits}, not verified yet.`
}
