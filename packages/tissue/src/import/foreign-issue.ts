// An issue of another tracker or file, on its way in. Each format is read into this, and one decision brings it into
// the log.
import type { DepKind, Status } from '../schema/event-schema.ts'
import type { OptionalField, OptionalValues } from '../schema/fields.ts'

/** A comment; `id` is its name where it comes from, so that it is taken in once. `at` is milliseconds since 1970. */
type ForeignComment = {
  readonly id: string
  readonly body: string
  readonly by?: string | undefined
  readonly at?: number | undefined
}

/** A link between two issues, each named by its key. */
export type ForeignLink = { readonly kind: DepKind; readonly from: string; readonly to: string }

/** Fields of an issue that may lack them, as events name them. */
type ForeignFields = { readonly [F in OptionalField]?: OptionalValues[F] | undefined }

/** One issue. `key` is the idempotency key, `name` its id where it comes from, `id` the one that it should have here. */
export type ForeignIssue = ForeignFields & {
  readonly key: string
  readonly name: string
  readonly id?: string | undefined
  readonly title: string
  readonly body: string
  readonly priority: number
  readonly tags: readonly string[]
  readonly status: Status
  /** Its status in the words of where it comes from. */
  readonly sourceStatus: string
  readonly reason?: string | undefined
  /** It was deleted there: not taken in, but closed where it was taken in before. */
  readonly isGone?: boolean
  readonly issueType?: string | undefined
  readonly refs: readonly string[]
  readonly meta: Readonly<Record<string, string>>
  readonly updatedAt?: number | undefined
  readonly comments: readonly ForeignComment[]
}

/** All that one import brings. */
export type ForeignIssues = { readonly issues: readonly ForeignIssue[]; readonly links: readonly ForeignLink[] }

/** Name of the entry of `meta` that keeps the status an issue had in its source when it was last imported. */
export const sourceStatusName = 'source_status'

/** The newest of several states of one issue, the later one of equals, with the comments of all. In file order. */
export function newestStates(issues: Iterable<ForeignIssue>): ForeignIssue[] {
  const newest = new Map<string, ForeignIssue>()
  for (const issue of issues) {
    const known = newest.get(issue.key)
    if (known === undefined) newest.set(issue.key, issue)
    else {
      const winner = (issue.updatedAt ?? 0) >= (known.updatedAt ?? 0) ? issue : known
      newest.set(issue.key, { ...winner, comments: [...known.comments, ...issue.comments] })
    }
  }
  return [...newest.values()]
}

/** A title on one line. */
export function titleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A word that can be a type, or undefined. */
export function typeWord(text: string | null | undefined): string | undefined {
  const word = (text ?? '').toLowerCase().replace(/[^a-z0-9_-]+/g, '-')
  return /^[a-z0-9]/.test(word) ? word : undefined
}

/** The entries that say something. */
export function filledMeta(entries: Iterable<readonly [string, string | null | undefined]>): Record<string, string> {
  const filled: [string, string][] = []
  for (const [name, value] of entries) if (name !== '' && value != null && value !== '') filled.push([name, value])
  return Object.fromEntries(filled)
}
