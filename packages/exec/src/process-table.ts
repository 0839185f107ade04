import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { kill, pid as ownPid } from 'node:process'
import { systemCode } from '@switchyard/ground/failure'
import {
  hasProc,
  isPidInUse,
  type Process,
  type ProcessName,
  readProc,
  statOfProcess,
} from '@switchyard/ground/process-name'

/** The process as the kernel shows it now, or undefined when there is none with this pid. */
export function readProcess(pid: number): Process | undefined {
  if (!hasProc()) return listByPs().find((process) => process.pid === pid)
  return statOfProcess(pid)
}

/** Every process that this one may see. */
function listProcesses(): Process[] {
  if (!hasProc()) return listByPs()
  return listPids().flatMap((pid) => readProcess(pid) ?? [])
}

const listPids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/**
 * True while the very process that was named lives: the pid is in use, by a process of that start time, which is no
 * zombie.
 */
export function isAlive({ pid, start }: ProcessName): boolean {
  const process = readProcess(pid)
  return process !== undefined && process.start === start && !process.isZombie
}

/**
 * The group leader `pid`, its group, and the descendants of both, whatever group they moved to, but for those that are
 * spared and what is below them.
 */
export function findTree(pid: number, isSpared: (process: Process) => boolean = () => false): Process[] {
  const processes = listProcesses()
  const found = new Set(processes.filter((process) => process.pid === pid || process.group === pid))
  for (const parent of found) {
    for (const process of processes) if (process.parent === parent.pid && !isSpared(process)) found.add(process)
  }
  return [...found]
}

/** What a process was started with, as far as it is asked for. */
export type Environment = Pick<ReadonlyMap<string, string>, 'get' | 'has'>

/** Whether a process was started with such an environment. Of one that hides it, or is gone, it is not known: false. */
export function hasEnvironment({ pid }: Pick<Process, 'pid'>, isMeant: (environment: Environment) => boolean): boolean {
  const text = hasProc() ? readProc(`/proc/${pid}/environ`) : undefined
  return text !== undefined && isMeant(environmentOf(text))
}

/**
 * Processes that were started with such an environment, wherever they have moved to; this one and those it descends
 * from are left out. A process that emptied its environment is not among them, and none is where the system has no
 * /proc.
 */
export function findByEnvironment(isMeant: (environment: Environment) => boolean): Process[] {
  if (!hasProc()) return []
  const spared = ancestorsOf(ownPid)
  return listPids().flatMap((pid) => {
    // Most processes are strangers, and none but these are looked at any further.
    const found = !spared.has(pid) && hasEnvironment({ pid }, isMeant) ? readProcess(pid) : undefined
    return found === undefined || found.isZombie ? [] : [found]
  })
}

function ancestorsOf(pid: number): ReadonlySet<number> {
  const found = new Set<number>()
  for (let next = pid; next > 0 && !found.has(next); next = readProcess(next)?.parent ?? 0) found.add(next)
  return found
}

/** The variables in the text of /proc/PID/environ; of two of one name the last counts. */
function environmentOf(text: string): Environment {
  const entries = `\0${text}`
  const get = (name: string) => {
    const at = entries.lastIndexOf(`\0${name}=`)
    if (at < 0) return undefined
    const from = at + name.length + 2
    const end = entries.indexOf('\0', from)
    return Buffer.from(entries.slice(from, end < 0 ? undefined : end), 'latin1').toString('utf8')
  }
  return { get, has: (name) => get(name) !== undefined }
}

/** Sends a signal to a process (or, negative, to a group); one that is gone already is no error. */
export function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGCONT'): void {
  try {
    kill(pid, signal)
  } catch (error) {
    if (['ESRCH', 'EPERM'].includes(systemCode(error) ?? '')) return
    throw error
  }
}

/**
 * Whether the group has any member left, zombies included. One system call, where listing all processes takes
 * milliseconds.
 */
export const hasGroup = (group: number) => isPidInUse(-group)

function listByPs(): Process[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' })
  return table.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...start] = line.trim().split(/\s+/)
    if (pid === undefined || state === undefined) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        isZombie: state.startsWith('Z'),
        start: start.join(' '),
      },
    ]
  })
}
