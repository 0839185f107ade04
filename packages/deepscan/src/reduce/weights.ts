import type { Verification } from '../finding/finding.ts'
import type { Severity } from '../finding/severity.ts'

/** The numbers of a reduction. A project may set its own. */
export type Weights = {
  /** Shares of a word in how alike two findings are: of the title, the category, and at one place the quote. */
  title: number
  category: number
  quote: number
  confidence: Readonly<Record<Severity, number>>
  severity: Readonly<Record<Severity, number>>
  verification: Readonly<Record<Verification, number>>
  /** What each further independent source adds, as a share of the first; the factor stays below two. */
  support: number
}

export const defaultWeights: Weights = {
  title: 1,
  category: 0.5,
  quote: 0.5,
  confidence: { high: 0.9, medium: 0.6, low: 0.3 },
  severity: { high: 1, medium: 0.5, low: 0.2 },
  verification: { verified: 1, moved: 0.9, unverified: 0.6, ghost: 0, refuted: 0 },
  support: 0.2,
}
