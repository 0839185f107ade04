// How runs stand, judged by whether whoever works them is still there.
import { busExists, type Store } from '@switchyard/topic'
import type { RunStatus } from '../state/status-schema.ts'
import { readBinding } from './binding.ts'
import { recentRuns } from './current.ts'
import { readRun } from './journal.ts'
import { isOwnerAlive } from './run-folder.ts'
import { isSilent } from './session-topic.ts'

/** Not ended, as far as it says itself: at work, paused, or left by its session. */
export const isOpen = ({ state }: RunStatus) => state !== 'finished' && state !== 'dead'

/** At work, or about to end it. */
export const isActive = ({ state }: RunStatus) => state === 'active' || state === 'draining' || state === 'stopping'

/** How a run stands; undefined when there is none of that id. */
export function standingOf(store: Store, run: string, now: number): RunStatus | undefined {
  const status = readRun(store, run)?.status
  if (status === undefined || !isOpen(status)) return status
  if (status.owner !== null) return isOwnerAlive(status.owner) ? status : { ...status, state: 'dead' }
  if (status.session === null || status.state === 'paused') return status
  const { stack, ended } = readBinding(store, status.session)
  const isLeft = ended || !stack.includes(run) || isSilent(store, status.session, now)
  return isLeft ? { ...status, state: 'stale' } : status
}

/** Runs that moved lately: those at work, then those that are left, then those that are over; else the newest first. */
export function standings(store: Store, now: number): RunStatus[] {
  if (!busExists(store)) return []
  const all = recentRuns(store).flatMap((run) => standingOf(store, run, now) ?? [])
  const rank = (status: RunStatus) => (isActive(status) ? 0 : isOpen(status) ? 1 : 2)
  return all.sort((a, b) => rank(a) - rank(b))
}
