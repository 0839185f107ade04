import { defineVerb } from '@switchyard/cli-kit'
import { readChoice } from '../query/choice.ts'
import { choiceFlags, needOf } from '../query/choice-flags.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { firstOf, limitFlag } from '../text/limit.ts'
import { shownWaiting, waitingIds, waitingViews } from '../view/blocked.ts'

/** `tissue blocked`: what waits for other issues, itself or with its parent, and where the waiting begins. */
export const blocked = defineVerb({
  summary: 'List issues that wait, with what they wait for',
  flags: {
    ...choiceFlags,
    ...limitFlag(50),
    ...authorFlags,
  },
  examples: ['tissue blocked', 'tissue blocked --tag auth --json'],
  async run(call) {
    const { flags, output } = call
    const choice = await readChoice(flags)
    const { ledger } = look(call, needOf(flags, []))
    const now = call.now()
    const isMeant = choice(ledger, now, () => nameOf(call))
    const found = waitingIds(ledger, now).filter(isMeant)
    const view = waitingViews(ledger, now)
    output.list(firstOf(output, found, flags.limit).map(view), { ...shownWaiting, empty: 'nothing is blocked' })
    return undefined
  },
})
