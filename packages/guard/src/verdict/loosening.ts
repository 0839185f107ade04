// Which of the guard's settings would allow more than its built-in rules: they wait for the person's trust.
import { ruleTable } from './rule-table.ts'
import type { Decision } from './verdict.ts'

export type Settled = Decision | 'off'

const weights = { off: 0, allow: 0, warn: 1, ask: 2, deny: 3 }

/** Whether a setting stops less than what is built in. */
export const isWeaker = (settled: Settled, built: Decision) => weights[settled] < weights[built]

/** The settings that loosen, by name; those of own rules stop what nothing else stops. */
export function loosens(rules: Readonly<Record<string, Settled>>): [string, Settled][] {
  const built = new Map<string, { readonly decision: Decision }>(Object.entries(ruleTable))
  const weaker = Object.entries(rules).filter(([id, value]) => isWeaker(value, built.get(id)?.decision ?? 'allow'))
  return weaker.map(([id, value]) => [`guard.rules.${id}`, value])
}
