// Why an issue is ready or not, in words.

import type { Output, Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { waitsOf } from '../graph/waiting.ts'
import { createdIds, depsIn, isIssueOver, readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { type HeldBack, heldBackIn, isPutOff } from '../ready/held-back.ts'
import { type Reason, reasonsOf } from '../ready/standing.ts'
import { glimpsesOf, renderGlimpse, renderGlimpses } from '../render/glimpse.ts'
import { oneLine } from '../render/marks.ts'
import type { ExplainedReason, Explanation, Glimpse } from '../schema/view-schemas.ts'
import { firstOf } from '../text/limit.ts'
import { timeText } from '../text/time-text.ts'

type ExplainScene = {
  readonly ledger: Ledger
  readonly now: number
  readonly heldBack: HeldBack
  readonly glimpse: (id: string) => Glimpse
  readonly blockersOf: (id: string) => readonly string[]
}

type Request = {
  readonly ledger: Ledger
  readonly now: number
  readonly isMeant: (id: string) => boolean
  /** The issues that were asked for; when there are none, all that are not over and meant, ready ones first. */
  readonly named: readonly string[]
  readonly limit: number
  readonly me: string | undefined
}

/** Prints why issues are ready or not. */
export function explainIssues(output: Output, { ledger, now, isMeant, named, limit, me }: Request): void {
  const explain = explainer(ledger, now, me)
  const [only] = named
  if (only !== undefined) {
    if (named.length === 1) output.one(explain(only), shownExplanation)
    else output.list(named.map(explain), shownExplanation)
    return
  }
  const open = createdIds(ledger).filter((id) => !isIssueOver(ledger, id) && isMeant(id))
  const all = open.map(explain).sort((a, b) => Number(b.ready) - Number(a.ready) || a.priority - b.priority)
  output.list(firstOf(output, all, limit), { ...shownExplanation, empty: 'no issues' })
}

/**
 * Explains issues of a ledger at `now` (milliseconds since 1970). `me`, where given, is for whom: what is assigned to
 * another is not ready then.
 */
function explainer(ledger: Ledger, now: number, me: string | undefined): (id: string) => Explanation {
  const waits = waitsOf(depsIn(ledger), (id) => isIssueOver(ledger, id))
  const heldBack = heldBackIn(ledger, now)
  const blockersOf = (id: string) => waits(id).map(({ on }) => on)
  const scene = { ledger, now, heldBack, glimpse: glimpsesOf(ledger, now), blockersOf }
  return (id) => {
    const reasons = reasonsOf(ledger, heldBack, id, now).map((reason) => explain(scene, reason, id))
    const read = readState(ledger, id)
    const assignee = read?.state.fields.assignee?.value ?? null
    if (me !== undefined && assignee !== null && assignee !== me) {
      reasons.push({ kind: 'assigned', text: `assigned to ${assignee}`, by: assignee })
    }
    const { short, title } = scene.glimpse(id)
    const priority = read?.priority ?? 0
    return { v: 1, id, short, title, priority, assignee, ready: reasons.length === 0, reasons }
  }
}

function explain(scene: ExplainScene, reason: Reason, id: string): ExplainedReason {
  const { glimpse } = scene
  switch (reason.kind) {
    case 'status':
      return { ...reason, text: reason.status === 'in_progress' ? 'in_progress, but claimed by nobody' : reason.status }
    case 'held':
      return { ...reason, text: `held by ${reason.by} until ${timeText(reason.until)}` }
    case 'deferred':
      return { ...reason, text: `deferred until ${timeText(reason.until)}` }
    case 'blocked': {
      const issues = [...reason.issues]
      return { kind: 'blocked', issues, text: `blocked by ${renderGlimpses(issues.map(glimpse))}` }
    }
    case 'parent':
      return explainParent(scene, reason.parent, id)
    case 'parts': {
      const issues = [...reason.issues]
      return { kind: 'parts', issues, text: `its parts come first: ${renderGlimpses(issues.map(glimpse))}` }
    }
  }
}

function explainParent(
  { ledger, now, glimpse, heldBack, blockersOf }: ExplainScene,
  parent: string,
  id: string,
): ExplainedReason {
  const named = `parent ${renderGlimpse({ ...glimpse(parent), status: 'open', holder: null })}`
  if (isPutOff(ledger, parent, now)) return { kind: 'parent', parent, issues: [], text: `${named} is deferred` }
  const own = heldBack.blockers.get(id) ?? []
  const all = heldBack.blockers.get(parent) ?? []
  const inherited = blockersOf(id)
  const issues = all.filter((blocker) => inherited.includes(blocker) || own.includes(blocker))
  return { kind: 'parent', parent, issues, text: `${named} is blocked by ${renderGlimpses(issues.map(glimpse))}` }
}

/** How an explanation is shown: one line. */
const shownExplanation: Shown<Explanation> = {
  text: ({ short, priority, title, ready, reasons, assignee }) => {
    const why = reasons.map(({ text }) => text).join('; ')
    const state = ready ? `ready${assignee === null ? '' : `, for ${assignee}`}` : `not ready: ${why}`
    return inRow(`${short}  P${priority}  ${oneLine(title)}  ${state}`)
  },
  id: ({ id }) => id,
}
