import type { Category, Severity } from '../finding/severity.ts'

/** What a rule of a linter means to us: how bad it is, and whether its own fix is safe. */
export type LinterRule = { severity: Severity; category: Category; confidence: Severity; hasSafeFix: boolean }

/**
 * Reads a table of rules: a line a group, `severity category: rules`. `?` behind a rule: it is wrong now and then; `+`:
 * the linter's fix of it changes nothing that it must not.
 */
export function readRuleTable(table: string): ReadonlyMap<string, LinterRule> {
  const rules = new Map<string, LinterRule>()
  for (const line of table.trim().split('\n')) {
    const [, severity, category, names = ''] = /^\s*(low|medium|high) (\w+): (.*)$/.exec(line) ?? []
    for (const name of names.split(' ').filter(Boolean)) {
      rules.set(name.replace(/[?+]$/, ''), {
        severity: severity as Severity,
        category: category as Category,
        confidence: name.endsWith('?') ? 'medium' : 'high',
        hasSafeFix: name.endsWith('+'),
      })
    }
  }
  return rules
}
