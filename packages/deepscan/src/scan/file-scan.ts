import type { Context } from '../finding/context.ts'
import type { Finding } from '../finding/finding.ts'
import type { UserRules } from '../rules/user-rule.ts'
import type { FoundFile } from '../walk/walk.ts'

/** What the rules gave for one file, as plain values that go from thread to thread and into the cache. */
export type FileScan = {
  findings: readonly Finding[]
  /** Places that the grammar could not read. */
  syntaxErrors: number
  /** Rules that were given up on this file because they matched in too many places. */
  overflowed: readonly string[]
  lines: number
}

/** A file that was read and is to be looked through. */
export type Work = { file: FoundFile; bytes: Uint8Array; context: Context }

/** How files are looked through: rules by their ids and data, for they cannot go to another thread themselves. */
export type ScanSettings = { ruleIds: readonly string[]; userRules: UserRules; isForeignHeard: boolean }
