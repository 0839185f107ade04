import { type Context, defineVerb } from '@switchyard/cli-kit'
import { tableOf } from '@switchyard/cli-kit/table'
import { readBack } from '../dashboard/feed-news.ts'
import { otherSessions } from '../dashboard/others.ts'
import { sessionsElsewhere } from '../dashboard/projects.ts'
import { everything, inOrder, rowsOf } from '../dashboard/rows.ts'
import { glanceAt, idsToShow, ownIn } from '../dashboard/sight.ts'
import { sessionTable } from '../render/session-table.ts'
import { scribeOf } from '../session/bus.ts'
import { openScope } from '../session/scope-store.ts'
import { inOwnTmux } from '../tmux/in-own-tmux.ts'
import { hasTmux } from '../tmux/tmux.ts'

/** Sessions that are over, of those that are printed. */
const overMax = 20

/**
 * `scope` alone: the tree of sessions, those that wait for a person first; printed once where there is no terminal.
 */
export const dashboard = defineVerb({
  summary: 'Show the sessions as a tree, live: those that wait for a person first',
  flags: {
    once: { type: 'boolean', summary: 'Print the tree, and end' },
    'no-tmux': { type: 'boolean', summary: 'Enter terminals in place of the dashboard, not beside it' },
    'all-projects': { type: 'boolean', summary: 'Those of your other projects too' },
    'inside-tmux': { type: 'boolean', forPrograms: true, summary: 'The tmux around it is there for it alone' },
  },
  examples: ['scope --once'],
  async run(call) {
    const { flags, env, input, output } = call
    const isLive = input.isTerminal && output.isTerminal && output.mode === 'text' && env['TERM'] !== 'dumb'
    if (flags.once || !isLive) {
      await printOnce(call, flags['all-projects'])
      return undefined
    }
    const isWithin = Boolean(env['TMUX'])
    if (!isWithin && !flags['no-tmux'] && hasTmux(call)) return inOwnTmux(call, flags['all-projects'])
    const { watchSessions } = await import('../dashboard/live.ts')
    await watchSessions(
      { ...call, store: openScope(call) },
      { besides: isWithin && !flags['no-tmux'], closesPanes: flags['inside-tmux'], hasProjects: flags['all-projects'] },
    )
    return undefined
  },
})

async function printOnce(call: Context, hasProjects: boolean): Promise<void> {
  const { output } = call
  const scribe = scribeOf(call)
  const others = otherSessions(ownIn(scribe.store))
  if (scribe.bus !== undefined) readBack(scribe.bus, others)
  const own = await glanceAt(scribe, idsToShow(scribe, overMax))
  const elsewhere = hasProjects ? await sessionsElsewhere(scribe.store, call).views() : []
  const all = [...own, ...others.views(call.now()), ...elsewhere]
  const views = new Map(all.map((view) => [view.id, view]))
  const rows = rowsOf(views, inOrder(views.keys()), everything).map(({ view }) => view)
  const text = tableOf(rows, sessionTable(call.now()), output)
  output.list(rows, { text, id: ({ id }) => id, empty: 'no sessions; scope spawn starts one' })
}
