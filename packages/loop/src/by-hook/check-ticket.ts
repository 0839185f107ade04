// What a hook gives to the process that goes on with its check. Nobody else can write one: it is signed.

import { isSignedHere } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import { z } from 'zod'

/** How long a check may take by itself. */
export const checkLivesMs = 60 * 60_000
/** A ticket is taken at once, or not at all. */
const ticketLivesMs = 60_000

const ticketSchema = z.object({
  v: z.literal(1),
  commonDir: z.string(),
  run: z.string(),
  tree: z.string(),
  command: z.string(),
  cwd: z.string(),
  top: z.string(),
  store: z.string(),
  told: z.record(z.string(), z.string()).describe('what the command finds in its environment'),
  at: z.number(),
  until: z.number(),
})
export type Ticket = z.infer<typeof ticketSchema>

/** The ticket in a text; undefined for one that no hook of this machine has written just now. */
export function readTicket(read: unknown, env: Env, now: number): Ticket | undefined {
  const signed = ticketSchema.extend({ signature: z.string() }).safeParse(read)
  if (!signed.success) return undefined
  const { signature, ...ticket } = signed.data
  const isFresh = now - ticket.at < ticketLivesMs && now >= ticket.at - ticketLivesMs
  return isFresh && isSignedHere('verified', ['ticket', JSON.stringify(ticket)], signature, env) ? ticket : undefined
}
