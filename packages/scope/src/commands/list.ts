import { defineVerb } from '@switchyard/cli-kit'
import { tableOf } from '@switchyard/cli-kit/table'
import { listedMax } from '../config/listed-max.ts'
import { scribeIn } from '../dashboard/projects.ts'
import { projectsTable, sessionTable } from '../render/session-table.ts'
import { scribeOf } from '../session/bus.ts'
import { idsAtHand } from '../session/live.ts'
import { type LeftOut, lookAtAll } from '../session/look.ts'
import { otherProjects, projectOf } from '../session/projects.ts'
import { allIds } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'
import { openScope } from '../session/scope-store.ts'
import { compareIds } from '../session/session-id.ts'
import type { SessionView } from '../session/session-schema.ts'
import { viewOf } from '../session/session-view.ts'
import { states } from '../session/transitions.ts'

/** `scope list`: the sessions that are at work, and those that ended last, as a tree. */
export const list = defineVerb({
  summary: 'List sessions as a tree: those at work, and the last that ended',
  flags: {
    all: { type: 'boolean', short: 'a', summary: 'Also those that ended long ago' },
    state: { type: 'choice', choices: states, summary: 'Only those in this state' },
    agent: { type: 'string', value: 'NAME', summary: 'Only those of this agent' },
    since: { type: 'duration', summary: 'Only those that began so long ago at most' },
    'all-projects': { type: 'boolean', summary: 'Those of your other projects too' },
  },
  examples: ['scope list', 'scope list --all-projects --since 1d', 'scope list --state running --json | jq -r .[].id'],
  async run(call) {
    const { flags, output } = call
    const own = openScope(call)
    const overMax = flags.all ? undefined : await listedMax(call.env)
    const elsewhere = flags['all-projects'] ? otherProjects(own, call.env) : []
    const leftOut = (line: string) => output.note(`scope: ${line}`)
    const views = await sessionsIn(scribeOf(call, own), overMax, leftOut)
    for (const store of elsewhere) views.push(...(await sessionsIn(scribeIn(store, call), overMax, leftOut)))
    const from = flags.since === undefined ? 0 : call.now() - flags.since
    const meant = views.filter(
      ({ status, agent, created_at }) =>
        (flags.state ?? status) === status && (flags.agent ?? agent) === agent && created_at >= from,
    )
    const shown = flags['all-projects'] ? meant : meant.map(({ project: _, ...view }) => view)
    const table = flags['all-projects'] ? projectsTable : sessionTable
    const text = tableOf(shown, table(call.now()), output)
    output.list(shown, { text, id: ({ id }) => id, empty: 'no sessions; scope spawn starts one' })
    return undefined
  },
})

/** Sessions at work in a store, and so many that ended last; all where that is undefined. */
async function sessionsIn(scribe: Scribe, overMax: number | undefined, leftOut: LeftOut): Promise<SessionView[]> {
  const { store } = scribe
  const ids = overMax === undefined ? allIds(store) : idsAtHand(store, overMax)
  const sessions = await lookAtAll(scribe, ids.sort(compareIds), leftOut)
  return sessions.map((session) => ({ ...viewOf(store, session), project: projectOf(store) }))
}
