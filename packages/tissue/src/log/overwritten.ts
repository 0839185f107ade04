// What a write overwrites, and whose claim it keeps: known to its writer alone, and needed by every later reader to
// tell a change from a conflict.
import { fieldNames } from '../schema/fields.ts'
import type { Draft } from './draft.ts'
import type { Ledger } from './fold.ts'
import { type IssueState, metaField, registerOf } from './issue-state.ts'
import { headsOf } from './register.ts'

/** The newest write of each field by this very call, which no ledger has yet. */
export type Overwritten = Map<string, string>

type Stamped = { readonly id: string; readonly at: number; readonly by: string }
type Causes = {
  replaces?: Record<string, string[]>
  supersedes?: string[]
  ends?: string[]
  renewal?: { claim: string; until: number }
}

/** The part of an event that says what it follows on: writes and claims before it, and its writer's own claim. */
export function causesOf(ledger: Ledger, overwritten: Overwritten, draft: Draft, stamped: Stamped): Causes {
  if (!('issue' in draft)) return {}
  const state = ledger.issues.get(draft.issue)
  if (draft.type === 'created') {
    // On top of nothing, but what the same call writes after it is on top of it.
    for (const field of ['status', ...valuesIn(draft)]) overwritten.set(`${draft.issue} ${field}`, stamped.id)
    return {}
  }
  const replaces: Record<string, string[]> = {}
  for (const field of fieldsOf(draft)) {
    const place = `${draft.issue} ${field}`
    const own = overwritten.get(place)
    replaces[field] = own === undefined ? headsIn(state, field) : [own]
    overwritten.set(place, stamped.id)
  }
  const renewal = renewalOf(state, draft, stamped)
  return {
    ...(Object.keys(replaces).length > 0 ? { replaces } : {}),
    ...claimsBefore(state, draft),
    ...(renewal ? { renewal } : {}),
  }
}

/** The claims that an event puts an end to: all that its writer saw, also what nobody has confirmed yet. */
function claimsBefore(state: IssueState | undefined, draft: Draft): Causes {
  const open = [...(state?.openClaims ?? [])]
  if (draft.type === 'claimed') return draft.renews === undefined ? { supersedes: open } : {}
  return endsClaims(draft) ? { ends: open } : {}
}

/** Whether nobody holds an issue after this. */
export function endsClaims(draft: Draft): draft is Extract<Draft, { type: 'closed' | 'released' | 'status' }> {
  if (draft.type === 'status') return draft.status !== 'in_progress'
  return draft.type === 'closed' || draft.type === 'released'
}

function valuesIn(draft: Extract<Draft, { type: 'created' | 'edited' }>): string[] {
  return [...fieldNames.filter((name) => draft[name] !== undefined), ...Object.keys(draft.meta ?? {}).map(metaField)]
}

/** The fields that a draft writes on top of others. */
export function fieldsOf(draft: Draft): string[] {
  switch (draft.type) {
    case 'edited':
      return valuesIn(draft)
    case 'status':
    case 'closed':
      return ['status']
    case 'claimed':
      return draft.renews === undefined ? ['status'] : []
    case 'released':
      return draft.to === undefined ? ['status'] : ['status', 'assignee']
    default:
      return []
  }
}

function headsIn(state: IssueState | undefined, field: string): string[] {
  return state ? headsOf(registerOf(state, field)) : []
}

/** Whoever works on what it holds keeps it for as long as it asked for; taking and giving back say so themselves. */
function renewalOf(state: IssueState | undefined, draft: Draft, { at, by }: Stamped): Causes['renewal'] {
  const claim = state?.claim
  if (!claim || claim.by !== by || claim.until <= at) return undefined
  if (draft.type === 'claimed' || endsClaims(draft)) return undefined
  return { claim: claim.id, until: at + claim.lengthMs }
}
