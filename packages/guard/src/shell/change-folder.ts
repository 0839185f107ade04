import { join, normalize } from 'node:path'
import { type Command, hole, isKnown } from './command.ts'
import { fitsPath, hasWildcard } from './glob.ts'
import { readOptions } from './options.ts'
import { pathFrom } from './path-from.ts'
import type { Shell, ShellReading } from './reading.ts'

/** No system takes a longer one. */
const pathLengthMax = 4096

/** Follows `cd` and its kin. Where the text does not tell where they go, nobody knows from then on. */
export function changeFolder({ argv }: Command, shell: Shell): void {
  const [name, ...args] = argv
  if (name === 'popd') shell.cwd = hole
  if (name !== 'cd' && name !== 'pushd') return
  const [target = shell.reading.home] = readOptions(args).operands
  const path = pathFrom(shell.cwd, target)
  if (target === '-' || !isKnown(path) || path.length > pathLengthMax) shell.cwd = hole
  else shell.cwd = onlyFolder(normalize(path), shell.reading)
}

/** The one folder that a pattern means; the pattern itself where it means none or several, as no shell enters those. */
function onlyFolder(pattern: string, { namesIn, spend }: ShellReading): string {
  if (!hasWildcard(pattern)) return pattern
  let folder = '/'
  for (const part of pattern.split('/').slice(1)) {
    const isMeant = (name: string) => name.startsWith('.') === part.startsWith('.') && fitsPath(name, part, spend)
    const names = hasWildcard(part) ? namesIn(folder).filter(isMeant) : [part]
    if (names.length !== 1) return pattern
    folder = join(folder, ...names)
  }
  return folder
}
