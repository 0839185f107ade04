import type { Run } from '../store/append-records.ts'
import type { OpenScan } from '../store/open-scan.ts'
import type { Result } from '../store/result-schema.ts'
import type { AgentsFeed } from './agents-feed.ts'
import type { Files } from './chunk-content.ts'
import type { Ledger } from './ledger.ts'
import type { MapSettings } from './settings.ts'

/** A map under way: what its parts share. */
export type MapRun = {
  readonly open: OpenScan
  readonly run: Run
  readonly settings: MapSettings
  readonly files: Files
  readonly ledger: Ledger
  readonly feed: AgentsFeed
  /** The random word around code in this map's prompts. */
  readonly fence: string
  /** Which chunk this is of how many, for people. */
  readonly total: number
  /** Where agents note their pids, and have an empty folder each to work in. */
  readonly pids: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly random: () => number
  readonly pid: number
  /** Aborted: nobody is asked any more. */
  readonly draining: AbortSignal
  /** Aborted: agents that work are ended. */
  readonly stop: AbortSignal
  /** How many findings rules have in a chunk, and what they say, a line each. */
  readonly hintsOf: (chunk: string) => Promise<readonly string[]>
  /** Called with each result, once it is kept. */
  readonly tell: (result: Result) => void
}
