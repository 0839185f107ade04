// Lists that end: how many a verb prints at most, and a word where there are more.
import type { Output } from '@switchyard/cli-kit'

/** The flag `--limit`, with what holds when it is not given. */
export function limitFlag(initial: number) {
  return {
    limit: {
      type: 'integer',
      short: 'n',
      value: 'N',
      min: 1,
      max: 100_000,
      default: initial,
      summary: 'At most so many',
    },
  } as const
}

/** The first of these, as many as `--limit` says; notes how many there are when that is not all. */
export function firstOf<T>(output: Pick<Output, 'note'>, all: readonly T[], limit: number): readonly T[] {
  if (all.length > limit) output.note(`${limit} of ${all.length} shown; --limit shows more`)
  return all.slice(0, limit)
}
