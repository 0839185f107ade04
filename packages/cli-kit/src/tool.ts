import type { Input } from './context.ts'
import type { Verb } from './verb.ts'
import type { VerbGuide } from './verb-guide.ts'

/**
 * Words as they are, or the tool's own command line that prints them, one a line. What stands behind two spaces is only
 * shown: a title beside an id.
 */
export type Candidates = Readonly<Record<string, { words: readonly string[] } | { run: readonly string[] }>>

/** A command-line tool: its table of verbs, each loaded when it is called. A key may have two words, `topic list`. */
export type Tool = {
  readonly name: string
  readonly summary: string
  readonly version: string
  readonly verbs: Readonly<Record<string, () => Promise<Verb>>>
  /** What a tool that does one thing does: its flags follow the tool's own name, and `verbs` is empty. */
  readonly main?: () => Promise<Verb>
  /** What a tool with verbs does when none is named: its flags follow the tool's own name. */
  readonly alone?: () => Promise<Verb>
  /** Other names of verbs. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The command line that another stands for, asked of each; undefined where it stands for itself. */
  readonly meant?: (words: readonly string[], cwd: string) => Promise<readonly string[] | undefined>
  /** What were verbs of two words, and whose first one is a verb with arguments now: the guide's other words answer. */
  readonly gone?: readonly string[]
  /**
   * What an argument or a flag's value may be, by the argument's name, the value's placeholder (`ID` is `id`), or what
   * `complete` says.
   */
  readonly candidates?: () => Promise<Candidates>
  /** How help groups the verbs, and what other words for them are. */
  readonly guide?: () => Promise<VerbGuide>
  /** Fields of the error object of a bug, as `details` of a failure are. */
  readonly bugDetails?: Readonly<Record<string, string>>
  /** JSON Schemas of the tool's records, for `schema [name]`. */
  readonly schemas?: () => Promise<Readonly<Record<string, object>>>
  /**
   * What a command line prints that may never fail, because its caller takes an exit code for an answer: then it exits
   * 0, and stderr says what went wrong. Undefined for all others. `input` is what was not read of stdin.
   */
  readonly forgives?: (argv: readonly string[], error: unknown, input: Input) => Promise<string | undefined>
}
