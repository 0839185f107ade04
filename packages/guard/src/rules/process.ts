import { nameOf } from '../shell/command.ts'
import { found, type Judge } from './judge.ts'

/** kill of everything, and of names while others are at work beside. */
export const judgeKill: Judge = (command, scene) => {
  const [word = '', ...args] = command.argv
  const name = nameOf(word)
  if (command.remote) return []
  if (name !== 'kill') return found(command, scene.worktree !== undefined && 'process.kill-all')
  // `kill -1 PID` is a signal; `kill -9 -1` and `kill -- -1` are everyone.
  const isAll = args.slice(1).includes('-1')
  return found(command, isAll && 'process.kill-all')
}

export const judgePower: Judge = (command) => {
  const [word = '', ...args] = command.argv
  const name = nameOf(word)
  const isPower =
    name === 'systemctl'
      ? args.some((arg) => /^(?:poweroff|reboot|halt|kexec)$/.test(arg))
      : name === 'init'
        ? /^[06]$/.test(args[0] ?? '')
        : true
  const isAsking = args.some((arg) => /^(?:--help|--version|-c)$/.test(arg))
  return found(command, isPower && !isAsking && 'system.power')
}
