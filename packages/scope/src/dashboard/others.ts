// Sessions that other tools keep going, and those of other stores: what the feed tells of them, and nothing else.
import { isSessionEvent } from '../session/event.check.ts'
import { foldSession, type Session } from '../session/fold-session.ts'
import { isGone } from '../session/process-here.ts'
import type { SessionView } from '../session/session-schema.ts'
import { viewFrom } from '../session/session-view.ts'
import { isOver } from '../session/transitions.ts'

const idLengthMax = 160
/** More sessions than these are not kept of others. */
const othersMax = 5_000
/** Sessions that ended longer ago are not shown, nor those without a process that were heard last before that. */
const silentMs = 24 * 60 * 60 * 1000

export type Others = ReturnType<typeof otherSessions>

/** Folds what the feed says of sessions that are not `isOwn`; a message that comes twice counts once. */
export function otherSessions(isOwn: (id: string) => boolean) {
  const sessions = new Map<string, Session>()
  const activities = new Map<string, string>()
  const seen = new Map<string, Set<string>>()
  const heardAt = new Map<string, number>()
  const add = ({ event, session: id, at, data }: Heard): boolean => {
    if (event === 'activity') {
      if (!sessions.has(id)) return false
      activities.set(id, typeof data['activity'] === 'string' ? data['activity'] : '')
      heardAt.set(id, at)
      return true
    }
    if (!isSessionEvent(data) || (!sessions.has(id) && sessions.size >= othersMax)) return false
    const ids = seen.get(id) ?? new Set()
    if (ids.has(data.id)) return false
    const after = foldSession(sessions.get(id), data)
    if (after === undefined) return false
    seen.set(id, ids.add(data.id))
    heardAt.set(id, at)
    sessions.set(id, after)
    return true
  }
  return {
    isOwn,
    /** Which session a message is about, and whether it is one of this store; undefined when it is about none. */
    hear: (data: unknown): { id: string; isOwn: boolean; isNews: boolean } | undefined => {
      const heard = heardIn(data)
      if (heard === undefined) return undefined
      const own = isOwn(heard.session)
      return { id: heard.session, isOwn: own, isNews: own || add(heard) }
    },
    /** How these stand; all when none is named. One whose process has gone without a word has failed. */
    views: (now: number, ids: Iterable<string> = sessions.keys()): SessionView[] =>
      [...ids].flatMap((id) => {
        const session = sessions.get(id)
        const isKept = session?.process !== undefined && !isOver(session.state)
        if (session === undefined || (!isKept && now - (heardAt.get(id) ?? 0) > silentMs)) return []
        return [viewFrom(orGone(session), { activity: activities.get(id) ?? '', result: null })]
      }),
  }
}

type Heard = {
  readonly session: string
  readonly event: string
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

function heardIn(data: unknown): Heard | undefined {
  if (typeof data !== 'object' || data === null || !('session' in data) || !('event' in data)) return undefined
  const { session, event } = data
  const at = 'at' in data && typeof data.at === 'number' ? data.at : 0
  if (typeof session !== 'string' || session === '' || session.length > idLengthMax) return undefined
  return typeof event === 'string' ? { session, event, at, data: { ...data } } : undefined
}

function orGone(session: Session): Session {
  const { process, state } = session
  if (isOver(state) || process === undefined || !isGone(process)) return session
  const reason = `process ${process.pid}, which kept it going, is gone`
  return { ...session, state: 'failed', turn: null, needs: null, process: undefined, reason }
}
