import type { ManifestEntry } from './manifest-schema.ts'

type Sum = { files: number; bytes: number; lines: number; tokens: number }

/** What a scan takes in and leaves out, for one screen. */
export type Summary = Sum & {
  languages: Map<string, Sum>
  kinds: Map<string, Sum>
  /** Paths that are left out, by reason. */
  skipped: Map<string, number>
  /** Files that a lazy scan has not read. */
  unread: string[]
  /** Files with changed lines, and how many changes they have. */
  changes: { files: number; hunks: number; callers: number }
}

const none = (): Sum => ({ files: 0, bytes: 0, lines: 0, tokens: 0 })

export function startSummary(): Summary {
  return {
    ...none(),
    languages: new Map(),
    kinds: new Map(),
    skipped: new Map(),
    unread: [],
    changes: { files: 0, hunks: 0, callers: 0 },
  }
}

/** Adds an entry to the summary. */
export function addEntry(summary: Summary, entry: ManifestEntry): void {
  if (entry.skip !== null) {
    summary.skipped.set(entry.skip, (summary.skipped.get(entry.skip) ?? 0) + 1)
    if (entry.skip === 'not loaded yet') summary.unread.push(entry.path)
    return
  }
  summary.changes.files += entry.hunks === undefined ? 0 : 1
  summary.changes.hunks += entry.hunks?.length ?? 0
  summary.changes.callers += entry.callers?.length ?? 0
  const language = entry.language ?? 'other'
  for (const sum of [summary, sumOf(summary.languages, language), sumOf(summary.kinds, entry.kind)]) {
    sum.files += 1
    sum.bytes += entry.bytes
    sum.lines += entry.lines
    sum.tokens += entry.tokens
  }
}

function sumOf(sums: Map<string, Sum>, name: string): Sum {
  const known = sums.get(name)
  if (known !== undefined) return known
  const sum = none()
  sums.set(name, sum)
  return sum
}
