import type { GuardSettings } from './scene/settings.ts'
import { packOf, packTable, raisedBy } from './verdict/pack-table.ts'
import { ruleTable } from './verdict/rule-table.ts'
import { unjudgedRule } from './verdict/unjudged.ts'
import type { Decision } from './verdict/verdict.ts'

export type ListedRule = {
  readonly rule: string
  readonly decision: Decision | 'off'
  /** Null for a rule of the project. */
  readonly builtin: Decision | null
  readonly what: string
  readonly reason: string
}

/** Every rule as it holds here: built in, changed or added by loop.json. */
export function listRules({ rules, add, packs }: GuardSettings): readonly ListedRule[] {
  const own = add.map(({ id, command, flags, has, decision, reason }) => ({
    rule: id,
    decision: rules.get(id) ?? decision,
    builtin: null,
    what: [...command, ...flags, ...has].join(' '),
    reason,
  }))
  const builtin = Object.entries(ruleTable).map(([rule, { decision, what, reason }]) => ({
    rule,
    decision: rule === unjudgedRule ? decision : (rules.get(rule) ?? raisedBy(packs, rule) ?? decision),
    builtin: decision,
    what,
    reason,
  }))
  const packed = Object.entries(packTable).filter(([id]) => packs.some((pack) => pack === packOf(id)))
  const ofPacks = packed.map(([rule, { decision, what, reason }]) => ({
    rule,
    decision: rules.get(rule) ?? decision,
    builtin: decision,
    what,
    reason,
  }))
  return [...builtin, ...ofPacks, ...own]
}
