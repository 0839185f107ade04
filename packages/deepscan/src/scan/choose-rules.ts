import { nearest } from '@switchyard/cli-kit/nearest'
import { Failure } from '@switchyard/ground/failure'
import { isAtLeast, type Severity } from '../finding/severity.ts'
import type { Rule } from '../rule/rule.ts'

/**
 * The rules of a run: those that are named, else those that were a true defect somewhere, or with `isAll` every rule;
 * none below a severity. Exits 2 for a name that no rule has.
 */
export function chooseRules(
  all: readonly Rule[],
  { ids, lowest, isAll }: { ids: readonly string[]; lowest: Severity; isAll: boolean },
): readonly Rule[] {
  const named = ids.map((id) => all.find((rule) => rule.id === id) ?? unknownRule(id, all))
  const usual = isAll ? all : all.filter(({ fired }) => fired !== undefined)
  return (ids.length > 0 ? named : usual).filter(({ severity }) => isAtLeast(severity, lowest))
}

function unknownRule(id: string, all: readonly Rule[]): never {
  const meant = nearest(
    id,
    all.map((known) => known.id),
  )
  const hint = meant === undefined ? 'docs/deepscan-rules.md lists them' : `did you mean ${meant}?`
  throw new Failure('usage', `expected the id of a rule, got ${id}`, { hint })
}
