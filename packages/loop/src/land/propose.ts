// Instead of landing: the branch is pushed where there is a remote, and a line of shell proposes it (a pull request).
import { gitSays } from '@switchyard/ground/mechanical-git'
import type { Git } from '../programs/git.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import type { Repository } from '../worktree/repository.ts'
import type { Landing, LandingJob, LandingRun } from './landing-run.ts'
import { askRemote } from './remote.ts'

type Proposing = Pick<
  LandingRun,
  'id' | 'stores' | 'git' | 'repository' | 'base' | 'journal' | 'landing' | 'timeoutMs' | 'runChild'
>

/** `sha` is what the branch is proposed at. What the line prints last says where: the address of a pull request. */
export async function propose(
  run: Proposing,
  job: LandingJob,
  { sha, pr, stop }: { sha: string; pr: string; stop: AbortSignal },
): Promise<Landing> {
  const { id, stores, git, repository, base, journal, landing, timeoutMs } = run
  const { issue, worker, worktree } = job
  const { path, branch } = worktree
  await git.run(repository.here, ['update-ref', '--no-deref', `refs/heads/${branch}`, sha])
  if (landing.remote !== undefined) {
    const refused = await pushBranch(git, repository, landing.remote.remote, branch, sha)
    if (refused !== undefined) return refused
  }
  const place = { LOOP_BRANCH: branch, LOOP_BASE: base, LOOP_ISSUE: issue.id, LOOP_TITLE: issue.title }
  const said = await run.runChild(
    { shell: pr },
    {
      cwd: path,
      onOrphan: 'end',
      timeoutMs,
      env: { ...issueEnvironment({ id, stores }, job), ...place },
      signal: stop,
    },
  )
  if (stop.aborted) return { of: 'landing', end: 'claim-lost', reason: 'stopped' }
  if (said.exitCode !== 0) {
    const how = said.timedOut ? `did not end within ${timeoutMs} ms` : `failed (exit ${said.exitCode})`
    return { of: 'landing', end: 'parked', reason: `the command that proposes it ${how}: ${gitSays(said.stderr)}` }
  }
  const url = said.stdout.trim().split('\n').at(-1)?.trim() ?? ''
  await journal.tell({ event: 'proposed', issue: issue.id, worker, sha, branch, url })
  return { of: 'landing', end: 'proposed', reason: url === '' ? `branch ${branch} at ${sha.slice(0, 10)}` : url }
}

/** The branch is one that loop made, on the remote as here: an earlier proposal of the issue is replaced. */
async function pushBranch(
  git: Git,
  repository: Repository,
  remote: string,
  branch: string,
  sha: string,
): Promise<Landing | undefined> {
  const ref = `refs/heads/${branch}`
  const seen = await askRemote(git, repository, ['ls-remote', '--', remote, ref])
  if (seen.exitCode !== 0) {
    return { of: 'landing', end: 'queued', reason: `${remote} cannot be reached: ${gitSays(seen.stderr)}` }
  }
  const observed = seen.stdout.split('\t')[0] ?? ''
  const lease = `--force-with-lease=${ref}:${observed}`
  const pushed = await askRemote(git, repository, [
    'push',
    '--quiet',
    '--no-verify',
    lease,
    '--',
    remote,
    `${sha}:${ref}`,
  ])
  if (pushed.exitCode === 0) return undefined
  return { of: 'landing', end: 'parked', reason: `${remote} refused the branch: ${gitSays(pushed.stderr)}` }
}
