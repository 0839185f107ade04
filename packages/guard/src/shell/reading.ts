import type { SyntaxNode } from 'unbash'
import type { Finding } from '../verdict/finding.ts'
import type { Spend } from './budget.ts'
import { type Command, hole } from './command.ts'
import type { Scope } from './scope.ts'

/** What is read of a command line as a whole: shared by all shells in it. */
export type ShellReading = {
  readonly home: string
  readonly commands: Command[]
  readonly findings: Finding[]
  /** Texts that could not be read: broken, too deep, too much. */
  readonly unread: string[]
  /** Files that the command line itself writes, by absolute path, and the ends of its own pipes. */
  readonly files: Map<string, string>
  /** The functions that are defined by now, and which of them were called. */
  readonly functions: Map<string, SyntaxNode>
  readonly called: Set<SyntaxNode>
  readonly aliases: Map<string, string>
  /** Functions and aliases that are being run, so that a circle of them ends. */
  readonly running: Set<string>
  /** What runs at the end, or at a time that nobody knows: traps, and functions that nothing here calls. */
  readonly later: (() => void)[]
  /** Git's alias of that name, where it runs. */
  readonly aliasOf: (name: string, cwd: string) => string | undefined
  /** The top of the repository around a folder. */
  readonly topOf: (cwd: string) => string | undefined
  readonly namesIn: (folder: string) => readonly string[]
  /** The text of a small script on disk. */
  readonly scriptAt: (path: string) => string | undefined
  textLeft: number
  readonly spend: Spend
}

/** Where a part of the command line runs. */
export type Shell = {
  readonly reading: ShellReading
  cwd: string
  readonly via: readonly string[]
  readonly remote: boolean
  readonly depth: number
  /** It reads a script on disk. */
  readonly isFromFile: boolean
  readonly scope: Scope
  /** Positional parameters, $0 first. */
  positional: readonly string[] | undefined
}

export const unknown: readonly string[] = [hole]
