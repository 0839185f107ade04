// What crashes left in the repository, and with --fix its end: what runs do at their start, and all else that is found.
import { findProgram } from '@switchyard/exec'
import { holdLock } from '@switchyard/jsonl'
import { identify } from '@switchyard/topic'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'
import { openTissue } from '../programs/tissue.ts'
import { findDeadRuns } from '../record/run-folder.ts'
import type { Left } from '../recover/left-schema.ts'
import { recoverDeadRuns } from '../recover/recover.ts'
import { type Leftover, type Seen, scan } from '../recover/scan.ts'
import { openPlace } from '../worktree/open-place.ts'
import { landingLock } from '../worktree/repository.ts'

const lockWaitMs = 10_000

type Asked = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  readonly fix: boolean
  /** Who closes issues that have landed. */
  readonly as: string | undefined
  readonly note: (text: string) => void
}

type LeftFinding = Finding & Partial<Left>

const checks: Readonly<Record<Left['found'], string>> = {
  'dead-run': 'runs',
  'lost-run': 'runs',
  session: 'runs',
  rebase: 'worktrees',
  landed: 'worktrees',
  missing: 'worktrees',
  worktree: 'worktrees',
  'dead-claim': 'claims',
  passes: 'passes',
}

/**
 * Looks for what crashes left. With `fix` it is ended, but for work that nobody is at, which is kept; without a tracker,
 * which knows what issues a run held, nothing is.
 */
export async function examineLeftovers(asked: Asked): Promise<LeftFinding[]> {
  const { cwd, env, now, note } = asked
  const place = await openPlace({ cwd, env, now })
  const { bus: store, git, repository, identity, runChild } = place
  const hasTissue = findProgram('tissue', { cwd, env }) !== undefined
  const isMended = asked.fix && hasTissue
  const tissue = openTissue(runChild, repository.root)
  const as = identify({ as: asked.as, env, store })
  const dead = findDeadRuns(repository.commonDir, now()).map(({ run }) => run)
  if (isMended) await recoverDeadRuns({ by: as, repository, git, tissue, store, env, identity, now, note })
  const look = () => scan({ place, tissue, store, as, env, note, dead: isMended ? [] : dead })
  const rest = isMended ? await endAll(landingLock(repository.commonDir), look) : await look()
  const advice = hasTissue ? 'loop doctor --fix mends it' : 'install tissue, then loop doctor --fix mends it'
  const tell = (seen: Seen) => tellSeen(seen, isMended ? undefined : advice)
  const found = [...dead.map(seenDead), ...rest.map(({ seen }) => seen)].map(tell)
  const isFine = (check: string) => found.every((one) => one.check !== check)
  return [
    ...(isFine('runs') ? [ok('runs', 'none died')] : []),
    ...(isFine('worktrees') ? [ok('worktrees', 'none was left')] : []),
    ...found,
  ]
}

function seenDead(run: string): Seen {
  return { found: 'dead-run', what: run, action: 'clean-up', text: 'its process is gone' }
}

/** `advice` is undefined where all that can be mended was. */
function tellSeen({ text, keep, ...left }: Seen, advice: string | undefined): LeftFinding {
  const { found, what, action } = left
  const [check, detail] = [checks[found], `${what}: ${text}`]
  if (action === 'keep') return { ...(keep === undefined ? ok(check, detail) : warn(check, detail, keep)), ...left }
  if (advice !== undefined) return { ...warn(check, detail, advice), ...left }
  return { check, state: 'fixed', detail, advice: null, ...left }
}

/** Under the lock of landings, so that what looks left behind is nobody's landing that is under way. */
async function endAll(lock: string, look: () => Promise<Leftover[]>): Promise<Leftover[]> {
  const found = await look()
  if (found.every(({ act }) => act === undefined)) return found
  return holdLock(
    lock,
    async () => {
      const all = await look()
      for (const { act } of all) await act?.()
      return all
    },
    { deadlineMs: lockWaitMs },
  )
}
