// Commits that an agent made itself get the trailer that joins history and issue, before they land.
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { isOneFor } from '../worktree/commits.ts'
import { headOf } from '../worktree/ref-files.ts'
import type { Repository } from '../worktree/repository.ts'
import { placeOf } from '../worktree/tree-place.ts'
import type { LandingJob } from './landing-run.ts'

const commitsMax = 200
const ours = /^loop\/issue\//

type Commit = { readonly sha: string; readonly raw: string }

/**
 * Rewrites the messages of the commits behind `tip` that have no `Issue:` trailer of their issue, on a branch that loop
 * made. Authors, dates and files stay; a signature does not, as it signs the message. Commits that are no UTF-8, and
 * very many, stay as they are. Returns the commit that the branch is at then.
 */
export async function nameIssue(git: Git, repository: Repository, job: LandingJob, tip: string): Promise<string> {
  const { branch } = job.worktree
  const at = placeOf(repository, job.worktree)
  const head = await headOf(git, at)
  if (!ours.test(branch) || isOneFor(job.issue.id, head, tip)) return head
  const listed = await git.run(at, ['rev-list', '--reverse', '--topo-order', `${tip}..${head}`])
  const shas = listed.split('\n').filter((sha) => sha !== '')
  if (shas.length === 0 || shas.length > commitsMax || !(await lacksTrailer(git, at, job.issue.id, tip))) return head
  const commits = await readCommits(git, at, shas)
  if (commits === undefined) return head
  const renamed = new Map<string, string>()
  for (const commit of commits) renamed.set(commit.sha, await rewrite(git, at, job.issue.id, commit, renamed))
  const next = renamed.get(head)
  if (next === undefined || next === head) return head
  await git.run(at, ['update-ref', '-m', `loop: name issue ${job.issue.id}`, `refs/heads/${branch}`, next, head])
  if (job.made !== undefined) job.made = renamed.get(job.made) ?? job.made
  return next
}

async function lacksTrailer(git: Git, at: GitPlace, issue: string, tip: string): Promise<boolean> {
  const format = '--format=%(trailers:key=Issue,valueonly,separator=%x2C)'
  const named = (await git.run(at, ['log', format, `${tip}..HEAD`])).split('\n')
  return named.some((values) => !values.split(',').includes(issue))
}

/** Undefined when one of them cannot be written again byte for byte. */
async function readCommits(git: Git, at: GitPlace, shas: readonly string[]): Promise<Commit[] | undefined> {
  const commits: Commit[] = []
  for (const sha of shas) {
    const read = await git.try(at, ['cat-file', 'commit', sha])
    if (read.exitCode !== 0 || read.truncated || read.stdout.includes('\uFFFD')) return undefined
    commits.push({ sha, raw: read.stdout })
  }
  return commits
}

/** The commit with its new parents and the trailer; itself when neither is new. */
async function rewrite(
  git: Git,
  at: GitPlace,
  issue: string,
  { sha, raw }: Commit,
  renamed: ReadonlyMap<string, string>,
): Promise<string> {
  const end = raw.indexOf('\n\n')
  const before = end < 0 ? raw.trimEnd() : raw.slice(0, end)
  const message = end < 0 ? '' : raw.slice(end + 2)
  const trailer = ['--no-divider', '--if-exists', 'addIfDifferent', '--trailer', `Issue: ${issue}`]
  const named = await git.run(at, ['interpret-trailers', ...trailer], { input: message })
  const header = withoutSignature(before).replace(/^parent (.+)$/gm, (line, old) => {
    const parent = renamed.get(old)
    return parent === undefined ? line : `parent ${parent}`
  })
  const next = `${header}\n\n${named.replace(/\n*$/, '\n')}`
  const isSame = named.trimEnd() === message.trimEnd() && header === withoutSignature(before)
  return isSame ? sha : git.run(at, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: next })
}

/** A header of several lines goes on where a line begins with a blank. */
const withoutSignature = (header: string) => header.replace(/\ngpgsig(?:-sha256)? .*(?:\n .*)*/g, '')
