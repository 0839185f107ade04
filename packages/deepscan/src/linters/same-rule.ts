/** Rules of linters that find the same defect as one of ours, by our rule. */
const equals: Readonly<Record<string, readonly string[]>> = {
  'js/nan-comparison': ['oxlint/use-isnan', 'eslint/use-isnan', 'biome/useIsNan'],
}

const ours = new Map(Object.entries(equals).flatMap(([rule, others]) => others.map((other) => [other, rule] as const)))

/** Our rule for the defect that a rule finds, else the rule itself: equal for rules that find the same. */
export function sameRule(rule: string): string {
  return ours.get(rule) ?? rule
}
