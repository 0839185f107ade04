import type { Command } from './command.ts'
import type { Inner } from './inner.ts'
import type { ShellReading } from './reading.ts'

/** A command that may run others: its program by name, and the words behind it. */
export type Call = {
  readonly command: Command
  readonly name: string
  readonly args: readonly string[]
  readonly reading: ShellReading
}

/** What a program runs, one level down; undefined when it is none of those that this knows. */
export type Unwrap = (call: Call) => readonly Inner[] | undefined
