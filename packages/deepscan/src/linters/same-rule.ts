import { rules } from '../rules/all.ts'

/** What biome calls otherwise than eslint does, whose names others take over. */
const eslintNames = new Map([
  ['useIsNan', 'use-isnan'],
  ['useValidTypeof', 'valid-typeof'],
  ['noDuplicateObjectKeys', 'no-dupe-keys'],
  ['noDuplicateElseIf', 'no-dupe-else-if'],
  ['noFallthroughSwitchClause', 'no-fallthrough'],
  ['noFunctionAssign', 'no-func-assign'],
  ['useGetterReturn', 'getter-return'],
  ['noInvalidConstructorSuper', 'constructor-super'],
  ['noGlobalEval', 'no-eval'],
  ['noUnreachableSuper', 'no-this-before-super'],
  ['noDuplicateClassMembers', 'no-dupe-class-members'],
  ['noInvalidBuiltinInstantiation', 'no-new-native-nonconstructor'],
])

const families = new Set(rules.map(({ id }) => id.slice(0, id.indexOf('/'))))
const ours = new Map(rules.flatMap(({ id, known = [] }) => known.map((name) => [name, id] as const)))

/** A name for the defect that a rule finds: equal for our rules and those of linters that find the same. */
export function sameRule(rule: string): string {
  if (families.has(rule.slice(0, rule.indexOf('/')))) return rule
  const name = rule.slice(rule.lastIndexOf('/') + 1)
  const usual = eslintNames.get(name) ?? name.replaceAll(/[A-Z](?=[a-z])/g, (letter) => `-${letter.toLowerCase()}`)
  return ours.get(name) ?? ours.get(usual) ?? usual
}

/** Whether one of our rules finds the defect that a rule of a linter does. */
export function isKnownTo(ourRule: string, rule: string): boolean {
  const { known = [] } = rules.find(({ id }) => id === ourRule) ?? {}
  const name = rule.slice(rule.lastIndexOf('/') + 1)
  return known.includes(name) || sameRule(rule) === ourRule
}
