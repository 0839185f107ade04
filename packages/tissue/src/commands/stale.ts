import { defineVerb } from '@switchyard/cli-kit'
import { renderSpan } from '@switchyard/cli-kit/age'
import { viewsOf } from '../issue/issue.ts'
import { readChoice } from '../query/choice.ts'
import { choiceFlags, needOf } from '../query/choice-flags.ts'
import { renderRow } from '../render/issue-line.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { readSetting } from '../store/settings.ts'
import { firstOf, limitFlag } from '../text/limit.ts'
import { type StaleIssue, staleIssues } from '../view/stale.ts'

/** `tissue stale`: what nobody has touched for long, and work whose lease ran out; the longest rest first. */
export const stale = defineVerb({
  summary: 'List issues untouched for long, and work whose lease ran out',
  flags: {
    'older-than': { type: 'duration', summary: 'Untouched for so long, instead of the setting stale (14d)' },
    ...choiceFlags,
    ...limitFlag(50),
    ...authorFlags,
  },
  examples: ['tissue stale', 'tissue stale --older-than 2d --quiet'],
  async run(call) {
    const { flags, output } = call
    const choice = await readChoice(flags)
    const { ledger } = look(call, needOf(flags, []))
    const now = call.now()
    const views = viewsOf(ledger)
    const isMeant = choice(ledger, now, () => nameOf(call))
    const open = views.ids.filter((id) => !views.isOver(id) && isMeant(id)).map(views.view)
    const restMs = flags['older-than'] ?? readSetting(ledger, 'stale')
    const found = staleIssues(open, { now, restMs })
    output.list(firstOf(output, found, flags.limit), {
      text: (issue: StaleIssue) => `${renderRow(issue, now)}  ${restText(issue, now)}`,
      id: ({ id }) => id,
      empty: 'nothing is stale',
    })
    return undefined
  },
})

function restText({ updated_at }: StaleIssue, now: number): string {
  return `untouched for ${renderSpan(Math.max(0, Math.floor((now - updated_at) / 1000)))}`
}
