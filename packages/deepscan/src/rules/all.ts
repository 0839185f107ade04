import type { Rule } from '../rule/rule.ts'
import type { Family } from '../syntax/language.ts'
import { bashFiles } from './bash/files.ts'
import { goSecurity } from './go/security.ts'
import { jsArrays } from './javascript/arrays.ts'
import { jsComparisons } from './javascript/comparisons.ts'
import { jsFlow } from './javascript/flow.ts'
import { jsLoops } from './javascript/loops.ts'
import { jsSecurity } from './javascript/security.ts'
import { pyComparisons } from './python/comparisons.ts'
import { pyDefaults } from './python/defaults.ts'
import { pyFlow } from './python/flow.ts'
import { pySecurity } from './python/security.ts'

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
  ...goSecurity,
  ...bashFiles,
]

/** The rules for one family of languages. */
export function rulesFor(family: Family, selected: readonly Rule[]): readonly Rule[] {
  return selected.filter((rule) => rule.family === family)
}
