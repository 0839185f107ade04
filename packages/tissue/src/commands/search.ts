import { defineVerb } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { parseTextQuery } from '@switchyard/cli-kit/text-query'
import { exitCodes } from '@switchyard/ground/failure'
import { commentsOf, viewsOf } from '../issue/issue.ts'
import { choiceFlags } from '../query/choice-flags.ts'
import { queryOfFlags } from '../query/choice-query.ts'
import { matcherOf } from '../query/match.ts'
import { findInIssue } from '../query/search.ts'
import { worldOf } from '../query/world.ts'
import { oneLine } from '../render/marks.ts'
import type { Hit } from '../schema/view-schemas.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { firstOf, limitFlag } from '../text/limit.ts'

/** `tissue search`: issues with all of some words, closed ones too, best first. Exits 3 when there is none. */
export const search = defineVerb({
  summary: 'Find issues by their words, closed ones too; the best first',
  args: [
    {
      name: 'words',
      summary: 'All of them, or "a phrase", begin*, OR, NOT; upper and lower case are the same',
      rest: true,
    },
  ],
  flags: {
    ...choiceFlags,
    ...limitFlag(20),
    ...authorFlags,
  },
  examples: ['tissue search login token', 'tissue search \'"race condition" OR login\' --query status:open'],
  run(call) {
    const { args, flags, output } = call
    const words = parseTextQuery(args.words.join(' '))
    const query = queryOfFlags(flags)
    const { ledger } = look(call)
    const views = viewsOf(ledger)
    const isMeant = matcherOf(
      query,
      worldOf(ledger, call.now(), () => nameOf(call)),
    )
    const mark = (found: string) => (output.color && output.mode === 'text' ? `\u001b[1m${found}\u001b[22m` : found)
    const found = views.ids
      .map(views.view)
      .filter(isMeant)
      .flatMap((issue) => findInIssue(words, issue, commentsOf(ledger, issue.id), mark) ?? [])
      .sort((a, b) => b.score - a.score || a.priority - b.priority)
    output.list(firstOf(output, found, flags.limit), { text: renderHit, id: ({ id }) => id, empty: 'no issue fits' })
    return found.length === 0 ? exitCodes.notFound : undefined
  },
})

function renderHit({ short, priority, status, title, place, snippet }: Hit): string {
  const row = inRow(`${short}  P${priority}  ${status}  ${oneLine(title)}`)
  return place === 'title' ? row : `${row}\n  ${place}: ${snippet}`
}
