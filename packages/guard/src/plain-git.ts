// Most of what matters to the guard is a plain call of git, which needs no parser to be read.
import type { Scene } from './scene/scene.ts'

/** Words without quotes, expansions, operators or comments, one space apart: split, they are what a shell reads. */
const plain = /^git(?: [\w./:=@,+%-]+)+$/

/** Subcommands that only read; they are git's own, which no alias hides. */
const reading = new Set([
  'blame',
  'cat-file',
  'describe',
  'diff',
  'for-each-ref',
  'log',
  'ls-files',
  'ls-tree',
  'merge-base',
  'rev-list',
  'rev-parse',
  'shortlog',
  'show',
  'status',
])

/** Subcommands that run other commands, which only the whole judgement follows. */
const running = new Set(['bisect', 'config', 'difftool', 'filter-branch', 'rebase', 'submodule'])

/** The words of a plain call of git; undefined where the whole judgement is needed: own options, commands within. */
export function plainGit(command: string): readonly string[] | undefined {
  if (!plain.test(command)) return undefined
  const words = command.split(' ')
  const subcommand = words[1] ?? ''
  return subcommand.startsWith('-') || running.has(subcommand) ? undefined : words
}

/** Whether no rule speaks of such a call, wherever it is made; a project may have rules of its own. */
export function isReading([, subcommand = '']: readonly string[], { settings }: Scene): boolean {
  return reading.has(subcommand) && settings.add.length === 0
}
