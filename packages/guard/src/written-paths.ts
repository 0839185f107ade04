// The paths that a simple command plainly writes: its redirections, and the operands of what is made to write.
import { type Command, isKnown, nameOf } from './shell/command.ts'
import { readOptions } from './shell/options.ts'
import { pathFrom } from './shell/path-from.ts'

/** Programs all of whose operands are written. */
const writesAll = ['tee', 'touch', 'mkdir', 'rm', 'rmdir', 'unlink', 'truncate', 'shred', 'mkfifo']
/** Programs whose last operand is written, or what -t names. */
const writesLast = ['cp', 'mv', 'ln', 'install', 'rsync', 'scp']
/** Programs that change what may be done with a file: all operands but the first. */
const changesMode = ['chmod', 'chown', 'chgrp']
/** Options that name a file that is written. */
const outputs: ReadonlyMap<string, readonly string[]> = new Map([
  ['curl', ['-o', '--output', '--output-dir']],
  ['wget', ['-O', '--output-document', '-P', '--directory-prefix']],
  ['tar', ['-C', '--directory']],
  ['unzip', ['-d']],
  ['sort', ['-o', '--output']],
  ['patch', ['-d', '--directory', '-o', '--output']],
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
    const sources = values.has('t') || values.has('target-directory') ? operands : operands.slice(0, -1)
    // Where the last operand is a folder, what is written bears the name of its source.
    const named = target.flatMap((folder) => sources.map((source) => `${folder}/${nameIn(source)}`))
    return [...target, ...named, ...(name === 'mv' ? sources : [])].filter((path) => !/^[\w.@-]+:/.test(path))
  }
  if (name === 'dd') return args.flatMap((arg) => (arg.startsWith('of=') ? [arg.slice(3)] : []))
  if (name === 'sed' || name === 'gsed') return editedBySed(args)
  if (changesMode.includes(name)) return withoutMode(args)
  if (name === 'perl' && args.some((arg) => /^-[a-zA-Z0-9]*i/.test(arg)))
    return args.filter((arg) => !arg.startsWith('-'))
  if (name === 'git' && args.includes('apply')) return valuesOf(args, ['--directory'])
  return valuesOf(args, outputs.get(name) ?? [])
}

/** What stands behind these options: apart, joined by `=`, or joined to a letter. */
function valuesOf(args: readonly string[], options: readonly string[]): readonly string[] {
  return options.flatMap((option) =>
    args.flatMap((arg, at) => {
      if (arg === option) return [args[at + 1] ?? '']
      const joint = option.startsWith('--') ? `${option}=` : option
      return arg.startsWith(joint) && !(joint === option && arg.startsWith('--')) ? [arg.slice(joint.length)] : []
    }),
  )
}

/** `chmod -x FILE`: a mode may look like an option. */
function withoutMode(args: readonly string[]): readonly string[] {
  const { operands } = readOptions(args, { long: ['reference='] })
  const isGiven = args.some((arg) => /^-[ugoa]*[rwxXst]/.test(arg) || arg.startsWith('--reference'))
  return isGiven ? operands : operands.slice(1)
}

const nameIn = (path: string) => path.replace(/\/+$/, '').replace(/^.*\//, '')

/** The files that `sed -i` changes; without -e its first operand is its script. */
function editedBySed(args: readonly string[]): readonly string[] {
  if (!args.some((arg) => /^-(?:[nErsz]*i|-in-place)/.test(arg))) return []
  const { flags, operands } = readOptions(args, { valued: 'efl', long: ['expression=', 'file=', 'in-place', 'quiet'] })
  return operands.slice(flags.has('e') || flags.has('expression') || flags.has('f') ? 0 : 1)
}
