// The paths that a simple command plainly writes: its redirections, and the operands of what is made to write.
import { type Command, isKnown, nameOf } from './shell/command.ts'
import { readOptions } from './shell/options.ts'
import { pathFrom } from './shell/path-from.ts'

/** Programs all of whose operands are written. */
const writesAll = ['tee', 'touch', 'mkdir', 'rm', 'rmdir', 'unlink', 'truncate', 'shred', 'mkfifo']
/** Programs whose last operand is written, or what -t names. */
const writesLast = ['cp', 'mv', 'ln', 'install', 'rsync', 'scp']
/** Options that name a file that is written. */
const outputs: ReadonlyMap<string, readonly string[]> = new Map([
  ['curl', ['-o', '--output']],
  ['wget', ['-O', '--output-document', '-P']],
  ['tar', ['-C', '--directory']],
  ['unzip', ['-d']],
  ['sort', ['-o']],
])

/** Absolute paths; what the text does not tell is left out. */
export function writtenPaths(command: Command): readonly string[] {
  const { argv, cwd, redirects, remote } = command
  if (remote) return []
  const targets = [
    ...redirects.filter(({ operator }) => operator.includes('>')).map(({ path }) => path),
    ...operandsOf(argv),
  ]
  return targets.map((target) => pathFrom(cwd, target)).flatMap((path) => (isKnown(path) ? [path] : knownFolder(path)))
}

/** The folder that a path surely lies in, where only its end is unknown. */
function knownFolder(path: string): readonly string[] {
  const known = path.slice(0, path.search(/\u0000/))
  return known.startsWith('/') && known.lastIndexOf('/') > 0
    ? [known.slice(0, known.lastIndexOf('/') + 1).concat('_')]
    : []
}

function operandsOf(argv: readonly string[]): readonly string[] {
  const [word = '', ...args] = argv
  const name = nameOf(word)
  if (writesAll.includes(name))
    return readOptions(args, { valued: name === 'truncate' ? 'sr' : name === 'mkdir' ? 'm' : '' }).operands
  if (writesLast.includes(name)) {
    const { operands, values } = readOptions(args, { valued: 'tSmog', long: ['target-directory=', 'suffix=', 'mode='] })
    const target = values.get('t') ?? values.get('target-directory') ?? operands.slice(-1)
    return [...target, ...(name === 'mv' ? operands.slice(0, -1) : [])].filter((path) => !/^[\w.@-]+:/.test(path))
  }
  if (name === 'dd') return args.flatMap((arg) => (arg.startsWith('of=') ? [arg.slice(3)] : []))
  if (name === 'sed' || name === 'gsed') return editedBySed(args)
  const options = outputs.get(name)
  return options === undefined ? [] : args.flatMap((arg, at) => (options.includes(arg) ? [args[at + 1] ?? ''] : []))
}

/** The files that `sed -i` changes; without -e its first operand is its script. */
function editedBySed(args: readonly string[]): readonly string[] {
  if (!args.some((arg) => /^-(?:[nErsz]*i|-in-place)/.test(arg))) return []
  const { flags, operands } = readOptions(args, { valued: 'efl', long: ['expression=', 'file=', 'in-place', 'quiet'] })
  return operands.slice(flags.has('e') || flags.has('expression') || flags.has('f') ? 0 : 1)
}
