import { type Failure, isFailure } from '@switchyard/ground/failure'
import type { Wanted } from '../finding/finding.ts'
import type { Rule } from '../rule/rule.ts'
import type { ScanSource } from '../scan/scan.ts'
import type { Parse } from '../syntax/parser.ts'
import { type Mended, mendSource } from './mend.ts'

/** `withOffers` takes rewrites that are offers, too; `all` are the rules that hold. */
export type MendOptions = { withOffers: boolean; all: readonly Rule[] }

/** A text with many findings mended: how each was, and why others were left. */
export type MendedAll = { text: string; mended: readonly (Mended & { from: string })[]; left: readonly Failure[] }

/**
 * Mends the findings of one text, the last first: an equal defect above keeps its id then. Each is proven on the text
 * that the ones before it left, as if it came alone, so that no two rewrites can overlap.
 */
export function mendAll(parse: Parse, source: ScanSource, wanted: readonly Wanted[], options: MendOptions): MendedAll {
  const mended: (Mended & { from: string })[] = []
  const left: Failure[] = []
  let text = source.text
  for (const one of [...wanted].sort((a, b) => b.line - a.line)) {
    try {
      const done = mendSource(parse, { ...source, text }, one, options)
      mended.push({ ...done, from: text })
      text = done.text
    } catch (error) {
      if (!isFailure(error)) throw error
      left.push(error)
    }
  }
  return { text, mended: mended.reverse(), left }
}
