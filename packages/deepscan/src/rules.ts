import type { Family } from './language.ts'
import type { Rule } from './rule.ts'
import { jsArrays } from './rules/js-arrays.ts'
import { jsComparisons } from './rules/js-comparisons.ts'
import { jsFlow } from './rules/js-flow.ts'
import { jsLoops } from './rules/js-loops.ts'
import { jsSecurity } from './rules/js-security.ts'
import { pyComparisons } from './rules/py-comparisons.ts'
import { pyDefaults } from './rules/py-defaults.ts'
import { pyFlow } from './rules/py-flow.ts'
import { pySecurity } from './rules/py-security.ts'

/** Every rule there is, in the order of the guide. */
export const rules: readonly Rule[] = [
  ...jsComparisons,
  ...jsFlow,
  ...jsArrays,
  ...jsLoops,
  ...jsSecurity,
  ...pyComparisons,
  ...pyDefaults,
  ...pyFlow,
  ...pySecurity,
]

/** The rule of that id, if there is one. */
export function findRule(id: string): Rule | undefined {
  return rules.find((rule) => rule.id === id)
}

/** The rules for one family of languages. */
export function rulesFor(family: Family, selected: readonly Rule[]): readonly Rule[] {
  return selected.filter((rule) => rule.family === family)
}
