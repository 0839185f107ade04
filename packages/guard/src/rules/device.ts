import { nameOf } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import { found, type Judge } from './judge.ts'
import { judgeRemove } from './remove.ts'

const harmless =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|console|ptmx|fd\/|shm\/|pts\/|tcp\/|udp\/)/

/** Whether writing to a path writes to a disk. */
export const isDevice = (path: string) => path.startsWith('/dev/') && !harmless.test(path)

/** dd, mkfs and other programs that write to what they are given. */
export const judgeDevice: Judge = (command, scene) => {
  const [word = '', ...args] = command.argv
  const name = nameOf(word)
  const { operands } = readOptions(args)
  if (name === 'dd')
    return found(command, args.some((arg) => arg.startsWith('of=') && isDevice(arg.slice(3))) && 'device.write')
  if (name === 'shred') return operands.some(isDevice) ? found(command, 'device.write') : judgeRemove(command, scene)
  if (name === 'diskutil')
    return found(command, /^(?:erase|zero|secureErase|partition)/i.test(args[0] ?? '') && 'device.write')
  if (name === 'cryptsetup') return found(command, /^(?:luksFormat|erase)$/.test(operands[0] ?? '') && 'device.write')
  if (name === 'zpool' || name === 'zfs') return found(command, args[0] === 'destroy' && 'device.write')
  if (/^[lvp][vgv]remove$/.test(name)) return found(command, operands.length > 0 && 'device.write')
  if (args.some((arg) => /^(?:-l|--list|print|list|-d|--dump|smart-log|id-ctrl)$/.test(arg))) return []
  // On a plain file, an image, these destroy nothing that anyone else has.
  return found(command, operands.some(isDevice) && 'device.write')
}

/** tee and cp onto a disk. */
export const judgeCopy: Judge = (command) => {
  const { operands } = readOptions(command.argv.slice(1))
  const targets = nameOf(command.argv[0] ?? '') === 'tee' ? operands : operands.slice(-1)
  return found(command, targets.some(isDevice) && 'device.write')
}
