import { defineVerb } from '@switchyard/cli-kit'
import { interruptedCode } from '@switchyard/cli-kit/interrupted-code'
import { Failure } from '@switchyard/ground/failure'
import { parseStatus } from '../change/parse-status.ts'
import { findIssues, viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { needOf } from '../query/choice-flags.ts'
import { matcherOf } from '../query/match.ts'
import { parseQuery } from '../query/parse.ts'
import { compared, printQuery, type Query } from '../query/query.ts'
import { worldOf } from '../query/world.ts'
import { printAsked, shownRows } from '../render/issue-line.ts'
import { statuses } from '../schema/event.check.ts'
import { authorFlags, look, nameOf, noteStrange, notingOnce } from '../session/session.ts'
import { waitFor } from '../view/wait.ts'

/** The longest a timer can be set to, 24 days: a longer one would end at once. */
const timerMsMax = 2 ** 31 - 1

/**
 * `tissue wait`: ends when issues have a status, or fit a query, and prints them. Exits 124 when they do not in time,
 * 3 when one is not there or deleted meanwhile.
 */
export const wait = defineVerb({
  summary: 'Wait until issues are over, or as they are wanted',
  args: [{ name: 'id', summary: 'Id, or the beginning of its last part; all of them are waited for', rest: true }],
  flags: {
    status: { type: 'list', value: 'STATUS', summary: `Until they have one of these: ${statuses.join(', ')}` },
    for: { type: 'string', value: 'QUERY', summary: "Until they fit: ready, 'NOT held'; see tissue help list" },
    timeout: { type: 'duration', default: '10m', summary: 'Give up after this long' },
    ...authorFlags,
  },
  examples: ['tissue wait k3vd', 'tissue wait k3vd --for ready --timeout 1h'],
  async run(call) {
    const { args, flags, output } = call
    const query = queryOf(flags)
    const scene = notingOnce(call)
    const { store, ledger: first } = look(scene, needOf({ query: flags.for }, args.id))
    const ids = findIssues(first, args.id)
    const isDone = (ledger: Ledger) => {
      const matches = matcherOf(
        query,
        worldOf(ledger, call.now(), () => nameOf(call)),
      )
      const { view } = viewsOf(ledger)
      return (id: string) => matches(view(id))
    }
    const interrupted = call.interrupted()
    const signal = AbortSignal.any([AbortSignal.timeout(Math.min(flags.timeout, timerMsMax)), interrupted])
    const { ledger, missing } = await waitFor({
      log: store.log,
      ids,
      need: needOf({ query: flags.for }, ids),
      isDone,
      signal,
      onRead: (reading) => noteStrange(scene, reading),
      onWaiting(missing) {
        if (flags.timeout > 0) output.note(`waiting for ${named(missing)} to be ${wished(query)}`)
      },
    })
    if (missing.length > 0) {
      if (interrupted.aborted) return interruptedCode(interrupted)
      throw timedOut(flags.timeout, missing, query)
    }
    const views = viewsOf(ledger)
    const issues = ids.map(views.view)
    const shown = await shownRows(output, issues, call.now())
    printAsked(output, issues, { shown, isList: args.id.length > 1 })
    return undefined
  },
})

function queryOf({ status, for: text }: { status: readonly string[]; for?: string | undefined }): Query {
  if (text === undefined) return status.length > 0 ? compared('status', '=', ...status.map(parseStatus)) : isOver
  if (status.length > 0) throw new Failure('usage', 'expected --status or --for, got both')
  return parseQuery(text)
}

const isOver = compared('status', '=', 'closed', 'duplicate')

/** What was waited for, for people. */
function wished(query: Query): string {
  const text = printQuery(query)
  return text === printQuery(isOver) ? 'over' : text
}

function timedOut(timeoutMs: number, missing: readonly string[], query: Query): Failure {
  return new Failure('waitTimeout', `waited ${timeoutMs / 1000} s for ${named(missing)} to be ${wished(query)}`, {
    hint: 'wait longer with --timeout',
  })
}

function named([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
