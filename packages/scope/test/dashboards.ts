// The dashboard in a terminal of 80 × 24.
import { delimiter } from 'node:path'
import { openTerminal, type Terminal, toolPath } from '@switchyard/testkit'
import type { Sessions } from './sessions.ts'

/** `scope` on a terminal beside the sessions of a test; `ready` is what is waited for. */
export async function dashboardOf(
  at: Pick<Sessions, 'root' | 'bin'>,
  ready: RegExp,
  { command = 'scope --no-tmux', env = {} } = {},
): Promise<Terminal> {
  const path = [at.bin, toolPath()].join(delimiter)
  const terminal = openTerminal(at.root, `${command}; echo "left with $?"`, { PATH: path, ...env })
  terminal.resize(80, 24)
  await terminal.see(ready)
  return terminal
}
