import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { exitCodeOf } from '../end/exit-code.ts'
import { noteEnds } from '../end/note-ends.ts'
import { waitForAll } from '../end/wait-for.ts'
import { summaryLine } from '../render/summary-line.ts'
import { scribeOf } from '../session/bus.ts'
import type { Session } from '../session/fold-session.ts'
import { findSession, readSession } from '../session/read-session.ts'
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
  args: [{ name: 'session', summary: 'Ids or names', optional: true, rest: true, complete: 'session' }],
  flags: {
    any: { type: 'boolean', summary: 'Until one of them is over' },
    'needs-input': { type: 'boolean', summary: 'Also until one needs input' },
    'all-children': { type: 'boolean', summary: 'For all that they have started instead; without ids, your own' },
    timeout: { type: 'duration', summary: 'For at most so long; then exit 124' },
    text: { type: 'boolean', summary: 'For people: the results alone' },
    summary: { type: 'boolean', summary: 'A line each, from what is known; no model is asked' },
  },
  examples: ['scope wait 0 | jq -r .results[0].result', 'scope wait --all-children --summary --timeout 20m'],
  async run(call) {
    const { args, flags, output } = call
    if (flags.text && flags.summary) throw new Failure('usage', 'expected one of --text and --summary, got both')
    const own = flags['all-children'] ? call.env['SCOPE_SESSION_ID'] : undefined
    const named = args.session.length === 0 && own ? [own] : args.session
    if (named.length === 0) throw new Failure('usage', 'expected sessions to wait for, got none')
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const meant = named.map((name) => findSession(store, name))
    const ids = [...new Set(flags['all-children'] ? childrenOf(store, meant) : meant.map(({ id }) => id))]
    const isEnough = (sessions: readonly Session[]) =>
      (flags.any && sessions.some(({ state }) => isOver(state))) ||
      (flags['needs-input'] && sessions.some(({ needs }) => needs !== null))
    const patience = { signal: call.interrupted(), timeoutMs: flags.timeout, isEnough }
    const all = await waitForAll(scribe, ids, patience)
    const sessions = flags.any ? all.filter(({ state }) => isOver(state)) : all
    const isEarly = sessions.length === 0 || (!isEnough(all) && all.some(({ state }) => !isOver(state)))
    const sumUp = flags.summary ? (await import('../trajectory/sum-up.ts')).sumUp : undefined
    const results = sessions.map((session) => ({
      ...viewOf(store, session),
      ...(sumUp === undefined ? {} : { trajectory: sumUp(store, session, call.env) }),
    }))
    const waited: Waited = { v: 1, timed_out: isEarly, results }
    output.one(waited, { text: textIn(flags), id: () => results.map(({ id }) => id) })
    if (isEarly) throw new Failure('waitTimeout', `the time is over, and ${openOf(all)} not`)
    noteEnds(
      output,
      sessions.filter(({ state }) => isOver(state)),
    )
    return exitCodeOf(sessions.filter(({ state }) => isOver(state)))
  },
})

/** The children of sessions that have come to be. Exits 3 where there is none. */
function childrenOf(store: Store, sessions: readonly Session[]): string[] {
  const ids = sessions.flatMap(({ children }) => children).filter((id) => readSession(store, id) !== undefined)
  if (ids.length > 0) return ids
  throw new Failure('notFound', `nothing was started by session ${sessions.map(({ id }) => id).join(', ')}`, {
    hint: 'scope list --all',
  })
}

function textIn({ text, summary }: { readonly text: boolean; readonly summary: boolean }) {
  return (waited: Waited) => {
    if (summary) return waited.results.map(summaryLine).join('\n')
    return text ? textOf(waited) : JSON.stringify(waited)
  }
}

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
