import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { exitCodeOf } from '../end/exit-code.ts'
import { noteEnds } from '../end/note-ends.ts'
import { waitForAll } from '../end/wait-for.ts'
import { scribeOf } from '../session/bus.ts'
import type { Session } from '../session/fold-session.ts'
import { findSession } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'
import type { Waited } from '../session/session-schema.ts'
import { viewOf } from '../session/session-view.ts'
import { isOver } from '../session/transitions.ts'

/**
 * `scope wait`: waits until sessions are over and prints them. Exits 0 when all are done, 1 when one has failed, 5 when
 * one was aborted or said `scope exit`, 124 when the time is over, 3 when one does not exist.
 */
export const wait = defineVerb({
  summary: 'Wait until sessions are over, and print how they ended, as JSON',
  args: [{ name: 'session', summary: 'Ids or names', rest: true, complete: 'session' }],
  flags: {
    any: { type: 'boolean', summary: 'Until one of them is over' },
    'needs-input': { type: 'boolean', summary: 'Also until one needs input' },
    timeout: { type: 'duration', summary: 'For at most so long; then exit 124' },
    text: { type: 'boolean', summary: 'For people: the results alone' },
  },
  examples: ['scope wait 0 | jq -r .results[0].result', 'scope wait 0.0 0.1 --text --timeout 20m'],
  async run(call) {
    const { args, flags, output } = call
    if (args.session.length === 0) throw new Failure('usage', 'expected sessions to wait for, got none')
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const ids = [...new Set(args.session.map((name) => findSession(store, name).id))]
    const isEnough = (sessions: readonly Session[]) =>
      (flags.any && sessions.some(({ state }) => isOver(state))) ||
      (flags['needs-input'] && sessions.some(({ needs }) => needs !== null))
    const patience = { signal: call.interrupted(), timeoutMs: flags.timeout, isEnough }
    const all = await waitForAll(scribe, ids, patience)
    const sessions = flags.any ? all.filter(({ state }) => isOver(state)) : all
    const isEarly = sessions.length === 0 || (!isEnough(all) && all.some(({ state }) => !isOver(state)))
    const waited: Waited = { v: 1, timed_out: isEarly, results: sessions.map((session) => viewOf(store, session)) }
    output.one(waited, {
      text: () => (flags.text ? textOf(waited) : JSON.stringify(waited)),
      id: ({ results }) => results.map(({ id }) => id),
    })
    if (isEarly) throw new Failure('waitTimeout', `the time is over, and ${openOf(all)} not`)
    noteEnds(
      output,
      sessions.filter(({ state }) => isOver(state)),
    )
    return exitCodeOf(sessions.filter(({ state }) => isOver(state)))
  },
})

const openOf = (sessions: readonly Session[]) => {
  const open = sessions.filter(({ state }) => !isOver(state)).map(({ id }) => id)
  return `session${open.length === 1 ? '' : 's'} ${open.join(', ')} ${open.length === 1 ? 'is' : 'are'}`
}

/** One result as it is; of several each behind a line that names its session. */
function textOf({ results }: Waited): string {
  const [only] = results
  if (results.length === 1) return only?.result ?? ''
  return results
    .map(({ id, alias, result, status }) => `[${alias === null ? id : `${alias} (${id})`}] ${status}\n${result ?? ''}`)
    .join('\n')
}
