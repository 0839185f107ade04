// What crashes leave behind, found by looking: at the repository, its issues and its runs. Each of
// them knows how it ends.
import type { Store } from '@switchyard/topic'
import { readEntries, removeEntry } from '../land/queue.ts'
import type { QueueEntry } from '../land/queue-schema.ts'
import { isOnBase } from '../land/remote.ts'
import { dropPasses, findStalePasses } from '../land/verified.ts'
import { type Issue, isOver } from '../programs/issue-schema.ts'
import type { Tissue } from '../programs/tissue.ts'
import { aliveRuns } from '../record/run-folder.ts'
import { isActive, standings } from '../record/standing.ts'
import { workerOfRun } from '../record/worker-name.ts'
import { abandonRebase } from '../worktree/abandon-rebase.ts'
import { findAdminFolder } from '../worktree/admin-folder.ts'
import type { WorktreePlace } from '../worktree/open-place.ts'
import { isRebasing } from '../worktree/operations.ts'
import { listOurs, type OurWorktree } from '../worktree/our-worktrees.ts'
import { readRecord } from '../worktree/record.ts'
import { prune } from '../worktree/take-away.ts'
import { clearLost } from './clear-lost.ts'
import type { Left } from './left-schema.ts'
import type { Recovery } from './recovery.ts'

/** `keep` says how people end what is kept; undefined for a worktree that somebody made by hand, which is as it should be. */
export type Seen = Left & { readonly text: string; readonly keep?: string }

/** `act` is undefined for what stays as it is. */
export type Leftover = { seen: Seen; act: (() => Promise<void>) | undefined }

export type Scan = {
  place: WorktreePlace
  tissue: Tissue
  store: Store
  as: string
  env: Recovery['env']
  /** Runs that died and are not cleaned up after: what they hold goes with them. */
  dead: readonly string[]
  note: (text: string) => void
}

const isOpen = (issue: Issue) => !isOver(issue)

/** Everything but dead runs, in the order in which it is ended. Looks only. */
export async function scan(at: Scan): Promise<Leftover[]> {
  const ours = (await listOurs(at.place)).filter(({ facts }) => !at.dead.includes(facts.run ?? ''))
  const isBusy = busyPaths(at)
  const lost = ours.filter(({ isLost }) => isLost)
  const idle = ours.filter(({ facts, isLost }) => !isLost && !facts.alive && !isBusy.has(facts.path))
  const issues = await at.place.issues()
  return [
    ...lost.flatMap((worktree) => lostIn(at, worktree)),
    ...idle.flatMap((worktree) => rebaseIn(at, worktree)),
    ...(await landedEntries(at, issues)),
    ...idle.flatMap((worktree) => overIn(at, worktree, issues)),
    ...deadClaims(at, issues),
    ...idle.flatMap(workIn),
    ...leftBySessions(at),
    ...oldPasses(at),
  ]
}

/** A worktree of a run that no bus knows any more, and the claim that was made for it. */
function lostIn({ place, tissue, store, as, env, note }: Scan, { facts }: OurWorktree): Leftover[] {
  const { run, issue } = facts
  if (run === null || issue === null) return []
  const { git, repository, identity, now } = place
  const worker = readRecord(repository.commonDir, facts.path)?.worker
  const text = `the bus of run ${run} was removed, and ${facts.path} is left of it`
  const recovery = { by: as, repository, git, tissue, store, env, identity, now, note }
  return [
    {
      seen: { found: 'lost-run', what: facts.id, action: 'clean-up', text },
      act: () => clearLost(recovery, { run, issue, worker }),
    },
  ]
}

/** Worktrees of runs that live, also of those that sessions own. */
function busyPaths({ store, place }: Scan): ReadonlySet<string> {
  const active = standings(store, place.now()).filter(isActive)
  return new Set(active.flatMap(({ workers }) => workers.flatMap(({ worktree }) => worktree ?? [])))
}

function rebaseIn({ place }: Scan, { facts, worktree }: OurWorktree): Leftover[] {
  const folder = findAdminFolder(place.repository.commonDir, facts.path)
  if (folder === undefined || facts.state === 'missing' || facts.state === 'broken') return []
  if (!isRebasing(folder)) return []
  const text = `a rebase that nobody goes on with in ${facts.path}`
  return [
    {
      seen: { found: 'rebase', what: facts.id, action: 'abort', text },
      act: () => abandonRebase(place.git, place.repository, worktree),
    },
  ]
}

/** Queued changes that have landed in the meantime. */
async function landedEntries({ place, tissue, as, env }: Scan, issues: readonly Issue[]): Promise<Leftover[]> {
  const { git, repository } = place
  const found: Leftover[] = []
  for (const entry of readEntries(repository.commonDir, env)) {
    if (!entry.made_here) continue
    if (!(await isOnBase(git, repository, entry.sha, entry.base))) continue
    const issue = issues.find(({ id }) => id === entry.issue)
    const text = `${entry.branch} has landed on ${entry.base}`
    found.push({
      seen: { found: 'landed', what: entry.issue, action: 'close', text },
      act: async () => {
        if (issue !== undefined && isOpen(issue)) await close(tissue, issue, as, text)
        await dropBranch({ place }, entry)
        removeEntry(repository.commonDir, entry.slug)
      },
    })
  }
  return found
}

async function dropBranch({ place }: Pick<Scan, 'place'>, { branch, sha }: QueueEntry): Promise<void> {
  await place.git.try(place.repository.here, ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, sha])
}

async function close(tissue: Tissue, { id, claim }: Issue, as: string, reason: string): Promise<void> {
  await tissue.close(id, claim?.by ?? as, claim?.id, reason)
}

/** Worktrees whose work has landed or whose folder is gone. */
function overIn({ place, tissue, as }: Scan, ours: OurWorktree, issues: readonly Issue[]): Leftover[] {
  const { facts, locked } = ours
  const isGone = facts.state === 'missing'
  if (!isGone && (locked || facts.state !== 'clean' || !facts.landed)) return []
  const open = issues.find((issue) => issue.id === facts.issue && isOpen(issue))
  const isHalf = facts.landed && open !== undefined
  const what = isGone ? `the folder ${facts.path} is gone` : `${facts.path} has landed on ${facts.base}`
  return [
    {
      seen: { found: isGone ? 'missing' : 'landed', what: facts.id, action: isHalf ? 'close' : 'remove', text: what },
      act: async () => {
        if (isHalf) await close(tissue, open, as, `landed on ${facts.base}`)
        await prune(place, [ours])
      },
    },
  ]
}

const workerName = /^loop-[0-9a-z]{6}-\d+$/

/** Issues that are held by workers of runs that are gone. */
function deadClaims({ place, tissue, dead }: Scan, issues: readonly Issue[]): Leftover[] {
  const known = [...aliveRuns(place.repository.commonDir), ...dead].map((run) => workerOfRun(run, 0).replace(/0$/, ''))
  return issues.flatMap((issue): Leftover[] => {
    const by = issue.claim?.by ?? ''
    if (!isOpen(issue) || !workerName.test(by) || known.some((prefix) => by.startsWith(prefix))) return []
    const seen = {
      found: 'dead-claim',
      what: issue.id,
      action: 'release',
      text: `held by ${by}, whose run is gone`,
    } as const
    return [{ seen, act: () => tissue.release(issue.id, by) }]
  })
}

function workIn({ facts }: OurWorktree): Leftover[] {
  if (facts.state === 'missing' || (facts.state === 'clean' && facts.landed)) return []
  const ahead = facts.ahead === 1 ? '1 commit' : `${facts.ahead ?? 0} commits`
  const text = `${facts.path}: ${facts.state}, ${ahead} not on ${facts.base}`
  const keep = facts.run === null ? {} : { keep: 'loop land or loop worktree remove ends it' }
  return [{ seen: { found: 'worktree', what: facts.id, action: 'keep', text, ...keep }, act: undefined }]
}

function leftBySessions({ store, place }: Scan): Leftover[] {
  const left = standings(store, place.now()).filter(({ state, session }) => state === 'stale' && session !== null)
  return left.map(({ run, session }) => {
    const text = `its session ${session?.host} ${session?.id} has left it`
    const keep = 'loop resume or loop cancel ends that'
    return { seen: { found: 'session', what: run, action: 'keep', text, keep }, act: undefined }
  })
}

function oldPasses({ place }: Scan): Leftover[] {
  const stale = findStalePasses(place.repository.commonDir, place.now())
  if (stale.length === 0) return []
  const text = `${stale.length} notes that a verify command passed, a week old or older`
  const seen = { found: 'passes', what: 'verified', action: 'remove', text } as const
  return [{ seen, act: async () => dropPasses(stale) }]
}
