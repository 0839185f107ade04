import { spentByCodex } from '@switchyard/wire/spent-codex'
import { spentSince } from '@switchyard/wire/spent-tokens'
import type { Session } from './fold-session.ts'

type Of = Pick<Session, 'agentSession' | 'readTo'> & { readonly created?: Pick<Session['created'], 'fork_of' | 'at'> }

/** A conversation of an agent, and where its client keeps what was said there. */
type Transcript = { readonly agent: string; readonly conversation: string; readonly path: string | undefined }

/** What a conversation has spent since the log of its session told last; `to` is how far it was read. */
export function spentInTranscript({ agentSession, readTo, created }: Of, { agent, conversation, path }: Transcript) {
  const from = agentSession === conversation ? readTo : 0
  if (agent === 'codex') return spentByCodex(path, from)
  // A copy of a conversation begins with what the other session has spent.
  const isCopy = created?.fork_of !== undefined && from === 0
  return spentSince(path, { from: isCopy ? undefined : from, startedAt: created?.at ?? 0 })
}
