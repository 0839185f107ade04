// Commits that an agent made itself get the trailer that joins history and issue, before they land.
import type { GitPlace } from '../programs/git-place.ts'
import { placeOf } from '../worktree/tree-place.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'
import { headOf } from './rebase.ts'

const commitsMax = 200
const ours = /^loop\/issue\//

type Commit = { readonly sha: string; readonly raw: string }

/**
 * Rewrites the messages of the commits behind `tip` that have no `Issue:` trailer of their issue, on a branch that loop
 * made. Authors, dates and files stay; a signature does not, as it signs the message. Commits that are no UTF-8, and
 * very many, stay as they are. Returns the commit that the branch is at then.
 */
export async function nameIssue(run: LandingRun, job: LandingJob, tip: string): Promise<string> {
  const { branch } = job.worktree
  const at = placeOf(run.repository, job.worktree)
  const head = await headOf(run.git, at)
  if (!ours.test(branch)) return head
  const listed = await run.git.run(at, ['rev-list', '--reverse', '--topo-order', `${tip}..${head}`])
  const shas = listed.split('\n').filter((sha) => sha !== '')
  if (shas.length === 0 || shas.length > commitsMax || !(await lacksTrailer(run, job, tip))) return head
  const commits = await readCommits(run, at, shas)
  if (commits === undefined) return head
  const renamed = new Map<string, string>()
  for (const commit of commits) renamed.set(commit.sha, await rewrite(run, job, commit, renamed))
  const next = renamed.get(head)
  if (next === undefined || next === head) return head
  await run.git.run(at, ['update-ref', '-m', `loop: name issue ${job.issue.id}`, `refs/heads/${branch}`, next, head])
  if (job.made !== undefined) job.made = renamed.get(job.made) ?? job.made
  return next
}

async function lacksTrailer(
  { git, repository }: LandingRun,
  { issue, worktree }: LandingJob,
  tip: string,
): Promise<boolean> {
  const format = '--format=%(trailers:key=Issue,valueonly,separator=%x2C)'
  const named = (await git.run(placeOf(repository, worktree), ['log', format, `${tip}..HEAD`])).split('\n')
  return named.some((values) => !values.split(',').includes(issue.id))
}

/** Undefined when one of them cannot be written again byte for byte. */
async function readCommits({ git }: LandingRun, at: GitPlace, shas: readonly string[]): Promise<Commit[] | undefined> {
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
  { git, repository }: LandingRun,
  { issue, worktree }: LandingJob,
  { sha, raw }: Commit,
  renamed: ReadonlyMap<string, string>,
): Promise<string> {
  const at = placeOf(repository, worktree)
  const end = raw.indexOf('\n\n')
  const before = end < 0 ? raw.trimEnd() : raw.slice(0, end)
  const message = end < 0 ? '' : raw.slice(end + 2)
  const trailer = ['--no-divider', '--if-exists', 'addIfDifferent', '--trailer', `Issue: ${issue.id}`]
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
