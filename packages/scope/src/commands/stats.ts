import { defineVerb } from '@switchyard/cli-kit'
import { tableOf } from '@switchyard/cli-kit/table'
import { statTable } from '../render/stat-table.ts'
import { scribeOf } from '../session/bus.ts'
import { lookAtAll } from '../session/look.ts'
import { allIds } from '../session/read-session.ts'
import { openScope } from '../session/scope-store.ts'
import { addUp } from '../stats/add-up.ts'
import { groupings } from '../stats/stat-schema.ts'

/** `scope stats`: tokens, cost and time of sessions, added up. */
export const stats = defineVerb({
  summary: 'Add up tokens, cost and time of sessions',
  flags: {
    by: { type: 'choice', choices: groupings, default: 'agent', summary: 'What is added up by' },
    since: { type: 'duration', summary: 'Only sessions that began so long ago at most' },
  },
  examples: ['scope stats --by day --since 7d', 'scope stats --by loop --json | jq -r .[0].cost_usd'],
  async run(call) {
    const { flags, output } = call
    const store = openScope(call)
    const now = call.now()
    const from = flags.since === undefined ? 0 : now - flags.since
    const sessions = await lookAtAll(scribeOf(call, store), allIds(store), (line) => output.note(`scope: ${line}`))
    const meant = sessions.filter(({ created }) => created.at >= from)
    const sums = addUp(meant, flags.by, now)
    const text = tableOf(sums, statTable, output)
    output.list(sums, { text, id: ({ key }) => key, empty: 'no sessions' })
    return undefined
  },
})
