// What merges have left that nobody has decided yet: each clone was in order by itself.
import { counted } from '@switchyard/cli-kit/counted'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'
import { circlesIn, renderCircle } from '../graph/circle.ts'
import { renderLink } from '../graph/link-text.ts'
import { createdIds, depsIn, isDeleted, isIssueOver, readState, shortNames, viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { Dep } from '../schema/event-schema.ts'
import { type IssueStore, readLedger } from '../store/store.ts'
import { findConflicts } from '../view/conflicts.ts'

/** How many of a kind are named. */
const namedMax = 5

type LedgerScene = { readonly ledger: Ledger; readonly deps: readonly Dep[]; readonly nameOf: (id: string) => string }

/** Looks at what people have to settle: the state of issues, not the bytes of the log. */
export function examineIssues({ log }: IssueStore): Finding[] {
  const { ledger } = readLedger(log)
  const scene = { ledger, deps: [...depsIn(ledger)], nameOf: shortNames(ledger) }
  const looks = [examineConflicts, examineParents, examineCircles, examineEnds, examineKeys]
  const found = looks.flatMap((look) => look(scene))
  if (found.length > 0) return found
  return ledger.issues.size === 0 ? [] : [ok('issues', 'nothing is left to settle')]
}

function examineConflicts({ ledger }: LedgerScene): Finding[] {
  const { length } = findConflicts(ledger, viewsOf(ledger), () => new Map())
  if (length === 0) return []
  return [warn('issues', `${counted(length, 'conflict')} between clones`, 'tissue list --conflicts has both sides')]
}

function examineParents({ deps, nameOf }: LedgerScene): Finding[] {
  const parents = new Map<string, string[]>()
  for (const { kind, from, to } of deps) if (kind === 'parent') parents.set(to, [...(parents.get(to) ?? []), from])
  const rivals = [...parents].filter(([, all]) => all.length > 1)
  return rivals.slice(0, namedMax).map(([child, all]) => {
    const text = `${nameOf(child)} has ${all.length} parents: ${listed(all.map(nameOf))}`
    return warn('issues', text, `keep one: tissue dep rm PARENT parent ${nameOf(child)}`)
  })
}

function examineCircles({ deps, nameOf }: LedgerScene): Finding[] {
  const circles = circlesIn(deps).slice(0, namedMax)
  return circles.map((circle) => {
    const text = `links go in a circle: ${renderCircle(circle, nameOf)}`
    return warn('issues', text, 'remove one of them with tissue dep rm; tissue dep cycles has all')
  })
}

/** Links to issues that are not in this log: those of a branch, or of a line that was lost. */
function examineEnds({ ledger, deps, nameOf }: LedgerScene): Finding[] {
  const isUnknown = (id: string) => readState(ledger, id) === undefined && !isDeleted(ledger, id)
  const loose = deps.filter(({ from, to }) => isUnknown(from) || isUnknown(to))
  if (loose.length === 0) return []
  const text = `links to no known issue: ${listed(loose.map((dep) => renderLink(dep, dep.from, nameOf)))}`
  return [warn('issues', text, 'they hold nothing up; import what the clone that has the issue exports')]
}

function examineKeys({ ledger, nameOf }: LedgerScene): Finding[] {
  const made = new Map<string, string[]>()
  for (const id of createdIds(ledger)) {
    const key = readState(ledger, id)?.created.key
    if (key !== undefined && !isIssueOver(ledger, id)) made.set(key, [...(made.get(key) ?? []), nameOf(id)])
  }
  const twice = [...made.values()].filter((names) => names.length > 1)
  return twice.slice(0, namedMax).map((names) => {
    const [first = '', ...others] = names
    const text = `made with the same key: ${listed(names)}`
    return warn('issues', text, `tissue close ${others.join(' ')} --duplicate-of ${first}`)
  })
}

function listed(words: readonly string[]): string {
  const more = words.length > namedMax ? `, and ${words.length - namedMax} more` : ''
  return `${words.slice(0, namedMax).join(', ')}${more}`
}
