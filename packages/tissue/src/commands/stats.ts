import { defineVerb } from '@switchyard/cli-kit'
import { viewsOf } from '../issue/issue.ts'
import { choiceFlags } from '../query/choice-flags.ts'
import { queryOfFlags } from '../query/choice-query.ts'
import { matcherOf } from '../query/match.ts'
import { worldOf } from '../query/world.ts'
import { renderStats } from '../render/stats.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { countIssues, groupings } from '../view/stats.ts'

/** `tissue stats`: how many issues there are, of all or of those that fit; --quiet prints the one number. */
export const stats = defineVerb({
  summary: 'Count issues, those that are over too; --quiet prints only how many',
  flags: {
    by: { type: 'choice', choices: groupings, summary: 'Count each group by itself, too' },
    ...choiceFlags,
    ...authorFlags,
  },
  examples: ['tissue stats', 'tissue stats --by assignee', "tissue stats --query 'tag:auth status:open' --quiet"],
  run(call) {
    const { flags, output } = call
    const query = queryOfFlags(flags)
    const { ledger } = look(call)
    const world = worldOf(ledger, call.now(), () => nameOf(call))
    const views = viewsOf(ledger)
    const issues = views.ids.map(views.view).filter(matcherOf(query, world))
    output.one(countIssues(issues, world, flags.by), { text: renderStats, id: ({ total }) => String(total) })
    return undefined
  },
})
