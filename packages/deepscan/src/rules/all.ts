import type { Family } from '../language.ts'
import type { Rule } from '../rule.ts'
import { jsArrays } from './js-arrays.ts'
import { jsComparisons } from './js-comparisons.ts'
import { jsFlow } from './js-flow.ts'
import { jsLoops } from './js-loops.ts'
import { jsSecurity } from './js-security.ts'
import { pyComparisons } from './py-comparisons.ts'
import { pyDefaults } from './py-defaults.ts'
import { pyFlow } from './py-flow.ts'
import { pySecurity } from './py-security.ts'

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
