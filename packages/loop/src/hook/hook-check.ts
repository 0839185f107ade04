import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { locateStore } from '@switchyard/topic'
import { readTicket } from '../by-hook/check-ticket.ts'
import { runCheck } from '../by-hook/run-check.ts'

/** `loop hook check`: goes on with a check that a stop hook had no time for. Failure `conflict` without its ticket. */
export async function hookCheck({ cwd, env, now, input }: Context): Promise<void> {
  const ticket = readTicket(parseJson(input.readAll().toString('utf8')), env, now())
  if (ticket === undefined) {
    throw new Failure('conflict', 'expected the ticket of a stop hook, got none', { retryable: false })
  }
  const store = locateStore({ cwd, env: { ...env, JWZ_STORE: ticket.store }, name: '.jwz', variable: 'JWZ_STORE' })
  await runCheck(ticket, { env, store, now })
}
