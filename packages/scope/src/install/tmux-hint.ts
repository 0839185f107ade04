import { findProgram } from '@switchyard/exec'
import type { Where } from './places.ts'

const managers = [
  ['apt-get', 'sudo apt-get install tmux'],
  ['dnf', 'sudo dnf install tmux'],
  ['pacman', 'sudo pacman -S tmux'],
  ['apk', 'sudo apk add tmux'],
  ['zypper', 'sudo zypper install tmux'],
  ['brew', 'brew install tmux'],
  ['port', 'sudo port install tmux'],
] as const

/** How to get tmux here, as one line; undefined where it is there. Without it sessions have no screen. */
export function tmuxHint(where: Where): string | undefined {
  if (findProgram('tmux', where) !== undefined) return undefined
  const [, command] = managers.find(([program]) => findProgram(program, where) !== undefined) ?? []
  const way = command ?? 'https://github.com/tmux/tmux/wiki/Installing says how to get it'
  return `tmux is not on PATH, so sessions run without a screen; to have one: ${way}`
}
