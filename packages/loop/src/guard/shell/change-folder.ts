import { normalize } from 'node:path'
import { type Command, hole, isKnown } from './command.ts'
import { readOptions } from './options.ts'
import { pathFrom } from './path-from.ts'
import type { Shell } from './reading.ts'

/** No system takes a longer one. */
const pathLengthMax = 4096

/** Follows `cd` and its kin. Where the text does not tell where they go, nobody knows from then on. */
export function changeFolder({ argv }: Command, shell: Shell): void {
  const [name, ...args] = argv
  if (name === 'popd') shell.cwd = hole
  if (name !== 'cd' && name !== 'pushd') return
  const [target = shell.reading.home] = readOptions(args).operands
  const path = pathFrom(shell.cwd, target)
  shell.cwd = target === '-' || !isKnown(path) || path.length > pathLengthMax ? hole : normalize(path)
}
