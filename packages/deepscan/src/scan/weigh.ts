import type { Context } from '../finding/context.ts'
import type { Finding } from '../finding/finding.ts'
import type { Severity } from '../finding/severity.ts'

const unwrittenContexts = ['generated', 'vendored', 'minified'] as const satisfies readonly Context[]

/** Whether nobody mends files of this kind by hand. */
export function isUnwritten(context: string): context is (typeof unwrittenContexts)[number] {
  return unwrittenContexts.some((each) => each === context)
}

/** What a defect weighs where only tests and readers meet it. */
const lower: Record<Severity, Severity> = { high: 'medium', medium: 'low', low: 'low' }

/** The finding with the kind of its file; one that is in no product is one severity lower. */
export function atContext(finding: Finding, context: Context): Finding {
  const isProduct = context === 'source' || isUnwritten(context)
  return { ...finding, severity: isProduct ? finding.severity : lower[finding.severity], context }
}
