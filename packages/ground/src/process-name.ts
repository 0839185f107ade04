// A process, named so exactly that a later one with its number is not taken for it.

import { systemCode } from './failure.ts'
import { existsSync, kill, readFileSync, readlinkSync } from './machine.ts'

/**
 * Names one process for good: pids are used again, a pid with its start time is not. `start` is in clock ticks since
 * boot on Linux and the printed start time elsewhere; only equality means something.
 */
export type ProcessName = { pid: number; start: string }

/** A process, named so that none after it, also after a reboot or in another container, is taken for it. */
export type WholeName = ProcessName & { boot: string; namespace: string }

export type Process = ProcessName & { parent: number; group: number; isZombie: boolean }

/** Whether the system shows its processes as files, as Linux does. */
export const hasProc = () => existsSync('/proc/self/stat')

/** A process as /proc shows it now; undefined when there is none with this pid, or it is hidden. */
export function statOfProcess(pid: number): Process | undefined {
  const text = readProc(`/proc/${pid}/stat`)
  return text === undefined ? undefined : parseStat(text)
}

/** Parses one line of /proc/PID/stat. The name in parentheses may itself hold spaces and parentheses. */
export function parseStat(stat: string): Process | undefined {
  const pid = Number.parseInt(stat, 10)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  const start = fields[19]
  if (!Number.isInteger(pid) || start === undefined) return undefined
  return { pid, start, parent: Number(parent), group: Number(group), isZombie: state === 'Z' || state === 'X' }
}

/** Whether a process has this number now, whichever it is, or of a negative one, a group; another user's counts. */
export function isPidInUse(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false
    if (systemCode(error) === 'EPERM') return true
    throw error
  }
}

/** Changes at each boot, so that a name noted before a reboot never matches. Empty where the system has none. */
export const bootId = () => readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? ''

/** Names the world in which this process's number means something; undefined where the system does not tell. */
export const pidNamespace = () => unlessHidden(() => readlinkSync('/proc/self/ns/pid'))

/** A process of this machine by its number; `namespace` is empty where the system does not tell. */
export function processOf(pid: number): WholeName {
  return { pid, start: statOfProcess(pid)?.start ?? '', boot: bootId(), namespace: pidNamespace() ?? '' }
}

/** The text of a file of /proc, a character a byte; undefined where there is none, or it is hidden from this user. */
export const readProc = (path: string) => unlessHidden(() => readFileSync(path, 'latin1'))

function unlessHidden<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}
