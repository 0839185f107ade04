import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { locateStore } from '@switchyard/topic'
import { readTicket } from '../by-hook/check-ticket.ts'
import { runCheck } from '../by-hook/run-check.ts'

/**
 * `loop hook check`: goes on with a check that a hook had no time for. Does nothing without the ticket that such a hook
 * gives. Exits 0, whatever happens.
 */
export const hookCheck = defineVerb({
  summary: 'Go on with a check that a stop hook had no time for; only such a hook can start it',
  flags: {},
  examples: ['loop hook check < ticket.json'],
  async run({ cwd, env, now, input }) {
    const ticket = readTicket(parseJson(input.readAll().toString('utf8')), env, now())
    if (ticket === undefined) {
      throw new Failure('conflict', 'expected the ticket of a stop hook, got none', { retryable: false })
    }
    const store = locateStore({ cwd, env: { ...env, JWZ_STORE: ticket.store }, name: '.jwz', variable: 'JWZ_STORE' })
    await runCheck(ticket, { env, store, now })
    return undefined
  },
})
