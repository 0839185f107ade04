import { existsSync } from 'node:fs'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { head } from '../text/cut-text.ts'
import { treeAround } from '../worktree/tree-place.ts'
import type { Anchor } from './anchor-schema.ts'

const goalBytesMax = 500
const feedbackBytesMax = 500
const commitsMax = 5
const filesMax = 10

/** What is to be remembered of a run now. The facts are those of the folder it is worked in, wherever the agent is. */
export async function takeAnchor(git: Git, run: SessionRun): Promise<Anchor> {
  const { id, started, claimed, status, work, step } = run
  const worktree = claimed?.worktree ?? started.cwd ?? null
  const at = worktree !== null && existsSync(worktree) ? await treeAround(git, worktree) : undefined
  const facts = at === undefined ? nothing : await readFacts(git, at)
  const iteration = work?.iteration ?? status?.iteration ?? 1
  return {
    type: 'anchor',
    v: 1,
    run: id,
    session: status?.session ?? started.session ?? null,
    mode: started.mode ?? 'issues',
    issue: claimed?.issue ?? null,
    goal: claimed?.title ?? head((started.goal ?? '').trim(), goalBytesMax),
    iteration: Math.max(1, iteration),
    max: work?.limits.iterations ?? started.max_iterations,
    worktree,
    ...facts,
    next_step: nextStep(step.do === 'run' ? step.feedback : undefined, work?.paused ?? false),
  }
}

type Facts = Pick<Anchor, 'progress' | 'modified_files' | 'modified_count'>
const nothing: Facts = { progress: [], modified_files: [], modified_count: 0 }

async function readFacts(git: Git, at: GitPlace): Promise<Facts> {
  const log = await git.try(at, ['log', `-${commitsMax}`, '--no-show-signature', '--format=%h %s'])
  const status = await git.try(at, ['status', '--porcelain', '-z', '--no-renames'])
  const files = status.exitCode === 0 ? status.stdout.split('\0').filter((entry) => entry !== '') : []
  return {
    progress: log.exitCode === 0 ? log.stdout.split('\n').filter((line) => line !== '') : [],
    modified_files: files.slice(0, filesMax).map((entry) => entry.slice('XY '.length)),
    modified_count: files.length,
  }
}

function nextStep(feedback: string | undefined, isPaused: boolean): string {
  if (isPaused) return 'The loop is paused: loop resume.'
  if (feedback !== undefined) return head(feedback.trim(), feedbackBytesMax)
  return 'Go on with it. When it is done: loop signal done.'
}
