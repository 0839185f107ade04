import { closeSync, openSync } from 'node:fs'
import { orNothing } from '@switchyard/ground/state-folder'

/** Whether this process has a terminal, wherever its own streams lead. */
export function hasTerminal(): boolean {
  const terminal = orNothing(() => openSync('/dev/tty', 'r'))
  if (terminal !== undefined) closeSync(terminal)
  return terminal !== undefined
}
