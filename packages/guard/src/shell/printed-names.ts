// Names that a command prints for another to take: files found, tracked or changed, refs, the top of a repository.
// Where all of a folder is meant, its wildcard stands for them.
import { type Command, hole } from './command.ts'
import { foundBy } from './find.ts'
import { readGit } from './git-call.ts'
import { readOptions } from './options.ts'
import type { ShellReading } from './reading.ts'

/** The lines that such a command prints; undefined for any other. */
export function namesPrintedBy(command: Command, name: string, reading: ShellReading): string | undefined {
  const args = command.argv.slice(1)
  if (/^(?:g?find|fd|fdfind)$/.test(name)) return lines(foundBy(name, args))
  if (name === 'ls') return listed(args)
  return name === 'git' ? printedByGit(command, reading) : undefined
}

const lines = (names: readonly string[]) => names.map((one) => `${one}\n`).join('')

/** ls prints what its wildcards mean; what is in a folder it prints without that folder. */
function listed(args: readonly string[]): string {
  const { operands } = readOptions(args)
  if (operands.length === 0) return '*\n'
  return operands.every((word) => /[*?[]/.test(word)) ? lines(operands) : hole
}

function printedByGit(command: Command, reading: ShellReading): string | undefined {
  const { subcommand, args, cwd } = readGit(command)
  if (subcommand === 'rev-parse') return repositoryPrinted(args, cwd, reading)
  if (subcommand === 'ls-files') {
    const isGone = args.some((arg) => /^(?:-d|--deleted|-u|--unmerged)$/.test(arg))
    return isGone ? './found\n' : lines(pathsOr(args, readOptions(args).operands))
  }
  if (subcommand === 'diff' && args.includes('--name-only')) {
    const isGone = args.some((arg) => /^--diff-filter=[DUAd]*$/.test(arg))
    return isGone ? './found\n' : lines(pathsOr(args, []))
  }
  if (subcommand !== 'for-each-ref') return undefined
  const { values, operands } = readOptions(args, { long: ['format=', 'count=', 'sort='] })
  const [format = '%(refname)'] = values.get('format') ?? []
  const patterns =
    operands.length === 0 ? ['refs/heads/*'] : operands.map((one) => (/[*]/.test(one) ? one : `${one}/*`))
  return lines(patterns.map((ref) => format.replaceAll(/%\(refname[^)]*\)/g, ref).replaceAll(/%\([^)]*\)/g, hole)))
}

/** The pathspecs behind `--`, else these, else everything. */
function pathsOr(args: readonly string[], others: readonly string[]): readonly string[] {
  const at = args.indexOf('--')
  const paths = at >= 0 ? args.slice(at + 1) : others
  return paths.length === 0 ? ['./*'] : paths
}

function repositoryPrinted(args: readonly string[], cwd: string, { topOf }: ShellReading): string | undefined {
  const top = topOf(cwd)
  if (top === undefined) return undefined
  if (args.includes('--show-toplevel')) return `${top}\n`
  return args.some((arg) => /^--(?:absolute-git-dir|git-dir|git-common-dir)$/.test(arg)) ? `${top}/.git\n` : undefined
}
