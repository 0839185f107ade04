import type { Command } from './command.ts'

type Common = {
  readonly via: readonly string[]
  readonly remote?: boolean
  readonly cwd?: string
  /** In the same shell, as with `eval`: its `cd` lasts. */
  readonly isHere?: boolean
  /** Run at a time that nobody knows, as a trap is. */
  readonly isLater?: boolean
  readonly stdin?: string | undefined
  /** The text is that of a script on disk. */
  readonly isFromFile?: boolean
}

/** A command or a text that another command runs. */
export type Inner = Common &
  (
    | { readonly argv: readonly string[]; readonly env?: Command['env'] }
    | { readonly script: string; readonly positional?: readonly string[] }
  )
