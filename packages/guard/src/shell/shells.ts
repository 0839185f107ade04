// Shells, and the scripts that they run.
import type { Call } from './call.ts'
import { type Command, hole } from './command.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'
import { pathFrom } from './path-from.ts'
import type { ShellReading } from './reading.ts'

const shells = ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'rbash', 'fish']

export const isShell = (name: string) => shells.includes(name.replace(/^-/, ''))

/** What a shell runs: the text of -c, a file, or what it reads. Undefined for a program that is none. */
export function unwrapShell({ command, name, args, reading }: Call): Inner[] | undefined {
  if (!isShell(name)) return undefined
  // A shell's own -o and +o take a value; -c may be bundled, as in -lc.
  const words = args.map((arg) => (/^\+[a-zA-Z]/.test(arg) ? `-${arg.slice(1)}` : arg))
  const { flags, operands } = readOptions(words, {
    valued: 'oO',
    long: ['rcfile=', 'init-file='],
    stopsAtOperand: true,
  })
  if (flags.has('c')) {
    const [script = '', ...positional] = operands
    return [
      { script, via: [`${name} -c`], positional: positional.length === 0 ? [name] : positional, stdin: command.stdin },
    ]
  }
  const [file] = operands
  if (file !== undefined && !flags.has('s') && file !== '-') return fileOf(command, file, operands, reading, name)
  if (command.stdin === undefined) return []
  return [{ script: command.stdin, via: [name], positional: [name, ...operands] }]
}

/** A script that the command line itself wrote, or feeds through a pipe of its own; else a small one on disk. */
function fileOf(
  command: Command,
  file: string,
  operands: readonly string[],
  reading: ShellReading,
  name: string,
): Inner[] {
  const isInput = file === '/dev/stdin' || file === '/dev/fd/0' || file === '/proc/self/fd/0'
  const text = isInput ? command.stdin : reading.files.get(pathFrom(command.cwd, file))
  if (text !== undefined) return [{ script: text, via: [name], positional: operands }]
  return isInput ? [] : onDisk(command, file, operands, reading, name)
}

/** A script on disk, which is read once however often it calls itself. */
function onDisk(
  { cwd, remote, via }: Command,
  file: string,
  words: readonly string[],
  reading: ShellReading,
  name: string,
) {
  const isRunning = via.includes(file) || remote
  const script = isRunning ? undefined : reading.scriptAt(pathFrom(cwd, file))
  if (script === undefined || script.includes(hole)) return []
  return [{ script, via: [name, file], positional: words, isFromFile: true }]
}

/** What `. FILE` runs, in the shell that is running. */
export function unwrapSource({ command, name, args, reading }: Call): Inner[] {
  return fileOf(command, args[0] ?? '', args, reading, name).map((inner) => ({ ...inner, isHere: true }))
}

/** What a program by its path runs: a script that the command line wrote, or a small one on disk. */
export function unwrapScript({ command, args, reading }: Call): Inner[] | undefined {
  const [word = ''] = command.argv
  if (!word.includes('/')) return undefined
  const written = reading.files.get(pathFrom(command.cwd, word))
  if (written !== undefined) return [{ script: written, via: [word], positional: [word, ...args] }]
  return isScriptName(word) ? onDisk(command, word, command.argv, reading, word) : undefined
}

const isScriptName = (word: string) => /\.(?:ba|da|z|k)?sh$/.test(word)
