import { defineVerb } from '@switchyard/cli-kit'
import { tableOf } from '@switchyard/cli-kit/table'
import { readConfig } from '../config/config-file.ts'
import { limitOf } from '../config/setting.ts'
import { sessionTable } from '../render/session-table.ts'
import { scribeOf } from '../session/bus.ts'
import { idsAtHand } from '../session/live.ts'
import { lookAtAll } from '../session/look.ts'
import { allIds } from '../session/read-session.ts'
import { openScope } from '../session/scope-store.ts'
import { compareIds } from '../session/session-id.ts'
import { viewOf } from '../session/session-view.ts'
import { states } from '../session/transitions.ts'

/** `scope list`: the sessions that are at work, and those that ended last, as a tree. */
export const list = defineVerb({
  summary: 'List sessions as a tree: those at work, and the last that ended',
  flags: {
    all: { type: 'boolean', short: 'a', summary: 'Also those that ended long ago' },
    state: { type: 'choice', choices: states, summary: 'Only those in this state' },
    agent: { type: 'string', value: 'NAME', summary: 'Only those of this agent' },
  },
  examples: ['scope list', 'scope list --state running --json | jq -r .[].id'],
  async run(call) {
    const { flags, output } = call
    const store = openScope(call)
    const ids = flags.all ? allIds(store) : idsAtHand(store, limitOf(readConfig(call.env), 'max_completed_sessions'))
    const sessions = await lookAtAll(scribeOf(call, store), ids.sort(compareIds))
    const views = sessions
      .map((session) => viewOf(store, session))
      .filter(({ status, agent }) => (flags.state ?? status) === status && (flags.agent ?? agent) === agent)
    const text = tableOf(views, sessionTable(call.now()), output)
    output.list(views, { text, id: ({ id }) => id, empty: 'no sessions; scope spawn starts one' })
    return undefined
  },
})
