import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import type { Session } from '../session/fold-session.ts'
import { liveIds } from '../session/live.ts'
import { look, lookAtAll } from '../session/look.ts'
import { allIds } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'
import { shownJson, viewOf } from '../session/session-view.ts'

/**
 * `scope poll`: how sessions stand now, a JSON object a line. Exits 3 when one of them does not exist, after those that
 * do.
 */
export const poll = defineVerb({
  summary: 'Print how sessions stand, as JSON',
  args: [{ name: 'session', summary: 'Ids or names', optional: true, rest: true, complete: 'session' }],
  flags: {
    all: { type: 'boolean', summary: 'All that there are' },
    tree: { type: 'boolean', summary: 'Those below each too' },
    active: { type: 'boolean', summary: 'All that are not over' },
    trajectory: { type: 'boolean', summary: 'Also what its agent did, in numbers' },
    text: { type: 'boolean', summary: 'For people' },
  },
  examples: ['scope poll 0', 'scope poll --active | jq -r .activity'],
  async run(call) {
    const { args, flags, output } = call
    const named = args.session
    if (Number(named.length > 0) + Number(flags.all) + Number(flags.active) !== 1) {
      throw new Failure('usage', 'expected sessions, --all or --active', { hint: 'scope list shows what there is' })
    }
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const shown = flags.text ? (await import('../render/session-line.ts')).shownSession(call.now()) : shownJson
    const sumUp = flags.trajectory ? (await import('../trajectory/sum-up.ts')).sumUp : undefined
    const tell = (session: Session) => {
      const trajectory = sumUp === undefined ? {} : { trajectory: sumUp(store, session, call.env) }
      output.each({ ...viewOf(store, session), ...trajectory }, shown)
    }
    const tellTree = async (session: Session): Promise<void> => {
      tell(session)
      for (const child of await lookAtAll(scribe, session.children)) await tellTree(child)
    }
    if (named.length > 0) for (const name of named) await (flags.tree ? tellTree : tell)(await look(scribe, name))
    else {
      const leftOut = (line: string) => output.note(`scope: ${line}`)
      for (const session of await lookAtAll(scribe, flags.all ? allIds(store) : liveIds(store), leftOut)) tell(session)
    }
    return undefined
  },
})
