// What `scope hook` does with an event of its host: a session's activity, and whatever else follows from it.
import type { Context } from '@switchyard/cli-kit'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import type { Store } from '@switchyard/topic'
import { adapters, detectHost } from '@switchyard/wire/adapters'
import { eventIn } from '@switchyard/wire/event-name'
import { hostNamed } from '@switchyard/wire/host'
import type { HostEvent } from '@switchyard/wire/host-event'
import type { Fields } from '@switchyard/wire/host-fields'
import { readEvent } from '@switchyard/wire/read-event'
import { readInput } from '@switchyard/wire/read-input'
import { toolDeed } from '@switchyard/wire/tool-deed'
import { scribeOf } from '../session/bus.ts'
import type { Session } from '../session/fold-session.ts'
import { cut, oneLine } from '../short-text.ts'
import { activityOf } from './activity.ts'
import { draftsOf, type Told } from './decide.ts'
import { noteActivity } from './note-activity.ts'
import { isOwn, ownSession } from './own-session.ts'

/** Notes one event, given as JSON on stdin, which is read to its end. Fails where the input or the disk does. */
export async function noteEvent(call: Context, hostName: string | undefined): Promise<void> {
  const fields = readInput(call.input)
  const found = ownSession(call)
  if (found === undefined) return
  const host = hostNamed(hostName) ?? detectHost(fields)
  const event = readEvent(eventIn(fields), { host, fields, folder: call.cwd, adapter: adapters[host] })
  if (!isOwn(found.session, event)) return
  const { store, session } = found
  if (event.event === 'stop') {
    await (await import('./end-turn.ts')).endTurn(scribeOf(call, store), session, event)
    return
  }
  if (session.state === 'exited') return
  const told = await toldBy(event, { call, fields, ...found })
  if (told.activity !== undefined) await noteActivity(scribeOf(call, store), session.id, told.activity)
  if (draftsOf(session, event, told).length === 0) return
  const { record } = await import('../session/record.ts')
  await record(scribeOf(call, store), session.id, (now) => (now === undefined ? [] : draftsOf(now, event, told)))
}

type Given = { call: Pick<Context, 'env'>; fields: Fields; store: Store; session: Session }

async function toldBy(event: HostEvent, { call, fields, store, session }: Given): Promise<Told> {
  const redact = redactorOf(call.env)
  switch (event.event) {
    case 'pre-tool':
      return { activity: activityOf(toolDeed(event.tool, event.host, fields), redact) || undefined }
    case 'pre-compact':
      return { activity: 'compacting' }
    case 'session-start':
      return event.source === 'compact' ? rests : {}
    case 'session-end':
      return event.isCleared ? {} : rests
    case 'notice': {
      const tool = event.tool && activityOf(toolDeed(event.tool, event.host, fields), redact)
      return { reason: tool === undefined ? reasonOf(event.needs ?? '', redact) : `permission for ${tool}` }
    }
    case 'stop-failure':
      return { reason: `its turn failed: ${failures[event.failure]}` }
    case 'prompt':
      return { contract: (await import('../session/contract-text.ts')).contractText(store, session.id) ?? '' }
    default:
      return {}
  }
}

const rests: Told = { activity: '' }

const reasonLengthMax = 200
const reasonOf = (text: string, redact: (text: string) => string) => cut(oneLine(redact(text)), reasonLengthMax)

const failures = { 'rate-limit': 'a limit of its provider', auth: 'it is not logged in', other: 'its host failed' }
