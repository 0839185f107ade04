import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@switchyard/ground/failure'
import { bootId, type ProcessName, parseStat } from '@switchyard/ground/process-name'
import { endTree } from './end-tree.ts'
import { findTree, isAlive } from './process-table.ts'

/** A process as its pid file names it: `boot` tells a reboot. */
export type Spawned = ProcessName & { boot: string }

const pollMs = 25
const unfinishedWaitMs = 1000

/**
 * Notes its own pid, start time and boot in the file `$0`, then becomes the command `$@`. The note is complete
 * before the command starts; when it cannot be written (its folder was taken away by whoever cleans up after a dead
 * parent), the command never starts.
 */
const noteThenExec = `{
  echo "$$" && { IFS= read -r stat </proc/$$/stat && echo "$stat" || ps -o lstart= -p $$; } 2>/dev/null &&
  { IFS= read -r boot </proc/sys/kernel/random/boot_id && echo "$boot" || echo -; } 2>/dev/null
} >"$0" || exit 125
exec "$@"`

/** The command that first writes its own pid file, then becomes `command`. */
export function withPidFile(path: string, command: readonly string[]): string[] {
  return ['sh', '-c', noteThenExec, path, ...command]
}

/** Parses a pid file; undefined when it is not whole (its command has not started). */
export function parsePidFile(text: string): Spawned | undefined {
  const [pid, stat, boot, end] = text.split('\n')
  if (pid === undefined || stat === undefined || boot === undefined || end === undefined) return undefined
  return {
    pid: Number(pid),
    start: parseStat(stat)?.start ?? stat.trim().replace(/\s+/g, ' '),
    boot: boot === '-' ? '' : boot,
  }
}

/**
 * Reads a pid file, giving a command that is about to start a second to complete it. Undefined: none has started from
 * it.
 */
export async function readPidFile(path: string): Promise<Spawned | undefined> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const spawned = parsePidFile(readFileSync(path, 'utf8'))
    if (spawned !== undefined || waitedMs >= unfinishedWaitMs) return spawned
    await sleep(pollMs)
  }
}

/**
 * Ends what is left of a command whose parent died: its tree when it lives, and its group when only children are left
 * of it.
 */
export async function endOrphan(spawned: Spawned, graceMs: number): Promise<void> {
  if (isLeft(spawned)) await endTree(spawned.pid, graceMs)
}

/** Waits until a command whose parent died has ended by itself. Failure `lockTimeout` after `deadlineMs`. */
export async function waitForOrphan(spawned: Spawned, deadlineMs: number): Promise<void> {
  for (let waitedMs = 0; isLeft(spawned); waitedMs += pollMs) {
    if (waitedMs >= deadlineMs) {
      throw new Failure('lockTimeout', `process ${spawned.pid} of a dead run still works after ${deadlineMs} ms`, {
        hint: `wait for it, or end it: kill ${spawned.pid}`,
      })
    }
    await sleep(pollMs)
  }
}

/**
 * A group keeps its number from being used again while it has a member, so members without the leader are still ours.
 */
function isLeft(spawned: Spawned): boolean {
  if (spawned.boot !== bootId()) return false
  const tree = findTree(spawned.pid)
  const leader = tree.find((process) => process.pid === spawned.pid)
  if (leader !== undefined && leader.start !== spawned.start) return false
  return tree.some((process) => isAlive(process))
}
