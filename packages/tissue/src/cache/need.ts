// How much of the log a verb looks at. Most work on issues that are not over, which are few beside all there ever were.

/**
 * `openOnly`: the ledger need only have the issues that are not over, those that these words name and those of these
 * idempotency `keys`; the ids and keys of all others are still found by `findIssue` and `findKeyed`. Whoever asks for
 * more than it needs is slow, never wrong.
 */
export type Need = 'everything' | { readonly openOnly: readonly string[]; readonly keys?: readonly string[] }
