// The end of a turn: its text, its usage, and whether the session is done with it.
import { entriesIn } from '@switchyard/ground/disk'
import { join, rmSync } from '@switchyard/ground/machine'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { HostEvent } from '@switchyard/wire/host-event'
import { withLastMessage } from '@switchyard/wire/last-message'
import type { Session } from '../session/fold-session.ts'
import { type EventDraft, record, type Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { doneUnlessAwaited } from '../session/settle.ts'
import { spentInTranscript } from '../session/spent-in-transcript.ts'
import { noteActivity } from './note-activity.ts'

type Stop = Extract<HostEvent, { event: 'stop' }>

/**
 * Records the end of a turn. An agent that waits for work of its own goes on by itself, so its turn has not ended for
 * whoever waits. Of one without a screen the supervisor has the result.
 */
export async function endTurn(scribe: Scribe, { id, created }: Session, event: Stop): Promise<void> {
  if (created.backend === 'tmux') {
    const { lastMessage = '' } = await withLastMessage(event)
    await record(scribe, id, (session) => (session === undefined ? [] : ended(scribe, session, event, lastMessage)))
  }
  if (!event.background) await noteActivity(scribe, id, '')
  sweepDrafts(sessionFolder(scribe.store, id))
}

/** What is recorded; the text is written before, as whoever reads of it looks for it. Inside the session's section. */
function ended(scribe: Scribe, session: Session, event: Stop, text: string): readonly EventDraft[] {
  const { id, state, turn, isSubmitted } = session
  if (state !== 'running' && state !== 'done' && state !== 'exited') return []
  const path = join(sessionFolder(scribe.store, id), 'result')
  if (text !== '') writeWhole(path, `${path}.draft`, text)
  const place = { agent: event.host, conversation: event.session, path: event.transcript }
  const { usage, to } = spentInTranscript(session, place)
  const by = 'hook'
  const bytes = Buffer.byteLength(text)
  const result = { bytes, agent_session: event.session, usage, cost_usd: null, read_to: to }
  return [
    { event: 'result', by, ...result },
    ...(event.background || turn === null ? [] : [{ event: 'turn', by, turn: 'idle' } as const]),
    ...(event.background || !isSubmitted ? [] : doneUnlessAwaited(scribe.store, session, by)),
  ]
}

/** Removes the drafts of hooks that were killed. */
function sweepDrafts(folder: string): void {
  for (const { name } of entriesIn(folder)) {
    if (/^activity\.\d+\.draft$/.test(name)) rmSync(join(folder, name), { force: true })
  }
}
