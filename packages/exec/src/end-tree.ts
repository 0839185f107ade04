import { setTimeout as sleep } from 'node:timers/promises'
import type { Process } from '@switchyard/ground/process-name'
import { type Environment, findByEnvironment, findTree, hasEnvironment, isAlive, sendSignal } from './process-table.ts'

const pollMs = 50

/**
 * Ends the process group led by `pid` and every descendant of it, also those that moved to a group of their own:
 * SIGTERM, up to `graceMs` to clean up, SIGKILL. Resolves when none of them lives any more. Processes are named by
 * pid and start time, so that no stranger is hit. A descendant whose environment says that it is spared goes on, with
 * all below it.
 */
export async function endTree(
  pid: number,
  graceMs: number,
  isSpared: (environment: Environment) => boolean = () => false,
): Promise<void> {
  const doomed = new Map<string, Process>()
  const find = (root: number) => findTree(root, (process) => hasEnvironment(process, isSpared))
  const look = () => {
    for (const process of find(pid)) doomed.set(`${process.pid} ${process.start}`, process)
    for (const process of [...doomed.values()]) {
      for (const child of find(process.pid))
        if (child.parent === process.pid) doomed.set(`${child.pid} ${child.start}`, child)
    }
  }
  look()
  await endAll(doomed, look, graceMs)
}

/**
 * Ends what was started with such an environment and is still there, also when it left its session and its parent.
 * Returns how many there were. What the system hides, or a process that emptied its environment, is not found.
 */
export async function endByEnvironment(
  isMeant: (environment: Environment) => boolean,
  graceMs: number,
): Promise<number> {
  const found = new Map<string, Process>()
  const look = () => {
    for (const process of findByEnvironment(isMeant)) found.set(`${process.pid} ${process.start}`, process)
  }
  look()
  if (found.size === 0) return 0
  await endAll(found, look, graceMs)
  return found.size
}

async function endAll(doomed: ReadonlyMap<string, Process>, look: () => void, graceMs: number): Promise<void> {
  signalAll(doomed.values(), 'SIGTERM')
  signalAll(doomed.values(), 'SIGCONT')
  for (let waitedMs = 0; waitedMs < graceMs && isAnyAlive(doomed.values()); waitedMs += pollMs) {
    await sleep(pollMs)
  }
  for (let attempt = 0; attempt < 20; attempt++) {
    look()
    if (!isAnyAlive(doomed.values())) return
    signalAll(doomed.values(), 'SIGKILL')
    await sleep(pollMs)
  }
}

const isAnyAlive = (processes: Iterable<Process>) => [...processes].some(isAlive)

function signalAll(processes: Iterable<Process>, signal: 'SIGTERM' | 'SIGKILL' | 'SIGCONT'): void {
  for (const process of processes) if (isAlive(process)) sendSignal(process.pid, signal)
}
