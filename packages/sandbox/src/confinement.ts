import type { InnerGit } from './inner-git.ts'

/** What a command may do. Paths are absolute and real; what is not there is left out. */
export type Confinement = {
  /** Where it works, with all that is below it: it may write there. */
  readonly folder: string
  /** The user's home: empty inside but for what is named here, and for tools. */
  readonly home: string
  /** Stores and the like: it may write there too. */
  readonly writable: readonly string[]
  /** What it may read beside that. */
  readonly readable: readonly string[]
  /** The agents that it may call, whose own files and variables it gets. */
  readonly agents: readonly string[]
  readonly hasNetwork: boolean
  /** What its temporary folder, which is empty at first, may hold. */
  readonly temporaryBytes: number
  /** The git folder that it finds; none hides that of the repository only where nothing shows it. */
  readonly git: InnerGit | undefined
  /** All its variables, before secrets are taken out. */
  readonly env: Readonly<Record<string, string | undefined>>
}
