import { fileURLToPath } from 'node:url'

/**
 * Where to stop a process: at its `nth` (from 1) synchronous call of `call` (`*`: any of the file calls that change or
 * look at a path) whose path or descriptor's path contains `match`. `kill` and `stop` signal the process just before the
 * call; `short` lets a write write half; `ENOSPC`, `EIO` and `EACCES` make the call throw.
 */
export type FaultRule = {
  call: string
  nth: number
  action: 'kill' | 'stop' | 'short' | 'ENOSPC' | 'EIO' | 'EACCES'
  match?: string
  /** A file that gets one line a call (`<n> <call> <path>`), to learn how many steps there are. */
  trace?: string
}

const preload = fileURLToPath(new URL('../preload/fault.cjs', import.meta.url))

/** The environment that makes a process obey the rule: a preload that wraps node:fs, so products carry no test code. */
export function faultEnv(rule: FaultRule): Record<string, string> {
  return { NODE_OPTIONS: `--require=${preload}`, SWITCHYARD_FAULT: JSON.stringify(rule) }
}
