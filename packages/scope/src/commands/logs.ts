import { join } from 'node:path'
import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import { readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { follow, parseRecord } from '@switchyard/jsonl'
import { isSessionEvent } from '../session/event.check.ts'
import type { SessionEvent } from '../session/event-schema.ts'
import { findSession, readEvents } from '../session/read-session.ts'
import { renderEvent } from '../session/render-event.ts'
import { eventsFile, needScope, sessionFolder } from '../session/scope-store.ts'
import { requireTerminal } from '../tmux/require-terminal.ts'
import { readScreen } from '../tmux/terminal.ts'

const screenLines = 1000

/** `scope logs`: what happened in a session, oldest first; with --output what its agent printed. */
export const logs = defineVerb({
  summary: 'Print what happened in a session',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: {
    follow: { type: 'boolean', short: 'f', summary: 'Then go on with what comes' },
    output: { type: 'boolean', summary: 'What its agent printed instead, once it has ended' },
    screen: { type: 'boolean', summary: 'What its terminal shows instead' },
    event: { type: 'list', value: 'WORD', summary: 'Only events of this kind' },
    since: { type: 'duration', summary: 'Only events of so long ago at most' },
  },
  examples: ['scope logs 0', 'scope logs 0 --event failed --json'],
  async run(call) {
    const { flags, output } = call
    const store = needScope(call)
    const session = findSession(store, call.args.session)
    const { id } = session
    if (flags.screen && flags.output) throw new Failure('usage', 'expected one of --screen and --output, got both')
    if (flags.screen || flags.output) {
      const text = flags.screen
        ? (await readScreen(await requireTerminal(call, store, session), id, screenLines)).trimEnd()
        : (readStored(join(sessionFolder(store, id), 'output.log')) ?? '')
      output.one({ v: 1, id, text }, { text: () => text, id: () => id })
      return undefined
    }
    const from = flags.since === undefined ? 0 : call.now() - flags.since
    const isMeant = ({ at, event }: SessionEvent) =>
      at >= from && (flags.event.length === 0 || flags.event.includes(event))
    const shown = shownEvent(call.now())
    if (!flags.follow) {
      output.list([...readEvents(store, id)].filter(isMeant), shown)
      return undefined
    }
    for await (const line of follow(eventsFile(store, id), { from: 'start', signal: call.interrupted() })) {
      const event = parseRecord(line)
      if (event !== undefined && isSessionEvent(event) && isMeant(event)) output.each(event, shown)
    }
    return undefined
  },
})

const shownEvent = (now: number): Shown<SessionEvent> => ({
  text: (event) => `${renderAge(event.at, now).padStart(8)}  ${renderEvent(event)}`,
  id: ({ id }) => id,
})
