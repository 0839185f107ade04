// What an agent in a terminal has spent since its hooks told last: from the transcript that it writes while it works.
import type { Context } from '@switchyard/cli-kit'
import { statAt } from '@switchyard/ground/at-path'
import { hostsWithTranscripts } from '@switchyard/wire/transcript-steps'
import { findTranscript } from '../agents/find-transcript.ts'
import { nothingSpent, type Spending } from '../budget.ts'
import { spentInTranscript } from '../session/spent-in-transcript.ts'

/** `to`: how far it was read, in bytes. */
type Unread = Spending & { readonly to: number }

type Of = Parameters<typeof spentInTranscript>[0]

/** A reader of one agent's transcripts, which tells nothing where its client keeps none that does. */
export function openUnread(agent: string, env: Context['env']): (session: Of) => Unread {
  let place: { readonly conversation: string; readonly path: string } | undefined
  let last: { readonly size: number; readonly from: number; readonly unread: Unread } | undefined
  const host = hostsWithTranscripts.find((name) => name === agent)
  return (session) => {
    const { agentSession: conversation, readTo: from } = session
    const nothing = { ...nothingSpent, to: from }
    if (host === undefined || conversation === null) return nothing
    if (place?.conversation !== conversation) {
      const path = findTranscript(host, conversation, env)
      if (path === undefined) return nothing
      place = { conversation, path }
    }
    const size = statAt(place.path)?.size ?? 0
    if (last?.size === size && last.from === from) return last.unread
    const { usage, to } = spentInTranscript(session, { agent, ...place })
    last = { size, from, unread: { usage, costUsd: null, to } }
    return last.unread
  }
}

/** Where the transcript of a conversation ends by now; 0 where there is none. */
export function endOfTranscript(agent: string, conversation: string | null, env: Context['env']): number {
  const host = hostsWithTranscripts.find((name) => name === agent)
  const path = host && conversation !== null ? findTranscript(host, conversation, env) : undefined
  return path === undefined ? 0 : (statAt(path)?.size ?? 0)
}
