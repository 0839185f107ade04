// What an agent in a terminal has spent since its hooks told last: from the transcript that it writes while it works.
import type { Context } from '@switchyard/cli-kit'
import { statAt } from '@switchyard/ground/at-path'
import { spentSince } from '@switchyard/wire/spent-tokens'
import { findTranscript } from '../agents/find-transcript.ts'
import { nothingSpent, type Spending } from '../budget.ts'
import type { Session } from '../session/fold-session.ts'

/** `to`: how far it was read, in bytes. */
type Unread = Spending & { readonly to: number }

type Of = Pick<Session, 'agentSession' | 'readTo'>

/** A reader of one agent's transcripts; undefined where its client keeps none that tells. */
export function openUnread(agent: string, env: Context['env']): (session: Of) => Unread {
  let place: { readonly conversation: string; readonly path: string } | undefined
  let last: { readonly size: number; readonly from: number; readonly unread: Unread } | undefined
  return ({ agentSession, readTo: from }) => {
    const nothing = { ...nothingSpent, to: from }
    if (agent !== 'claude' || agentSession === null) return nothing
    if (place?.conversation !== agentSession) {
      const path = findTranscript(agent, agentSession, env)
      if (path === undefined) return nothing
      place = { conversation: agentSession, path }
    }
    const size = statAt(place.path)?.size ?? 0
    if (last?.size === size && last.from === from) return last.unread
    const { usage, to } = spentSince(place.path, { from, startedAt: 0 })
    last = { size, from, unread: { usage, costUsd: null, to } }
    return last.unread
  }
}
