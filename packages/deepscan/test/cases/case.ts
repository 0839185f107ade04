import type { RuledLanguage } from '../../src/syntax/language.ts'

/**
 * Sources for one rule: those with exactly one finding of it and what the rewrite makes of them, those with one that
 * is only reported, and clean ones.
 */
export type RuleCases = {
  language?: RuledLanguage
  mended?: readonly (readonly [before: string, after: string])[]
  reported?: readonly string[]
  clean: readonly string[]
}
