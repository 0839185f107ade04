import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { kill, pid as ownPid } from 'node:process'
import { systemCode } from '@switchyard/cli-kit/failure'

/**
 * Names one process for good: pids are used again, a pid with its start time is not. `start` is in clock ticks since
 * boot on Linux and the printed start time elsewhere; only equality means something.
 */
export type ProcessName = { pid: number; start: string }

export type Process = ProcessName & { parent: number; group: number; isZombie: boolean }

/** The process as the kernel shows it now, or undefined when there is none with this pid. */
export function readProcess(pid: number): Process | undefined {
  if (!hasProc()) return listByPs().find((process) => process.pid === pid)
  const stat = readIfThere(`/proc/${pid}/stat`)
  return stat === undefined ? undefined : parseStat(stat)
}

/** Every process that this one may see. */
function listProcesses(): Process[] {
  if (!hasProc()) return listByPs()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
}

/**
 * True while the very process that was named lives: the pid is in use, by a process of that start time, which is no
 * zombie.
 */
export function isAlive({ pid, start }: ProcessName): boolean {
  const process = readProcess(pid)
  return process !== undefined && process.start === start && !process.isZombie
}

/**
 * Changes at each boot, so that a pid and start time noted before a reboot never match. Empty where the system has
 * none.
 */
export function bootId(): string {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

/** The group leader `pid`, its group, and the descendants of both, whatever group they moved to. */
export function findTree(pid: number, processes: readonly Process[] = listProcesses()): Process[] {
  const found = new Set(processes.filter((process) => process.pid === pid || process.group === pid))
  for (const parent of found) {
    for (const process of processes) if (process.parent === parent.pid) found.add(process)
  }
  return [...found]
}

/**
 * Processes that were started with such an environment, wherever they have moved to; this one and those it descends
 * from are left out. A process that emptied its environment is not among them, and none is where the system has no
 * /proc.
 */
export function findByEnvironment(isMeant: (environment: ReadonlyMap<string, string>) => boolean): Process[] {
  if (!hasProc()) return []
  const spared = ancestorsOf(ownPid)
  return listProcesses().filter(({ pid, isZombie }) => {
    if (isZombie || spared.has(pid)) return false
    const text = readIfThere(`/proc/${pid}/environ`, ['EACCES', 'EPERM'])
    return text !== undefined && isMeant(parseEnvironment(text))
  })
}

function ancestorsOf(pid: number): ReadonlySet<number> {
  const found = new Set<number>()
  for (let next = pid; next > 0 && !found.has(next); next = readProcess(next)?.parent ?? 0) found.add(next)
  return found
}

function parseEnvironment(text: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(text, 'latin1').toString('utf8')
  return new Map(
    bytes.split('\0').flatMap((entry) => {
      const equals = entry.indexOf('=')
      return equals < 0 ? [] : [[entry.slice(0, equals), entry.slice(equals + 1)] as const]
    }),
  )
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
export function hasGroup(group: number): boolean {
  try {
    return kill(-group, 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false
    if (systemCode(error) === 'EPERM') return true
    throw error
  }
}

const hasProc = () => existsSync('/proc/self/stat')

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

function readIfThere(path: string, hidden: readonly string[] = []): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (['ENOENT', 'ESRCH', ...hidden].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}
