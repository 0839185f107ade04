import { dirname } from 'node:path'
import { type Call, defineVerb } from '@switchyard/cli-kit'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { cleanEnv, execute } from '@switchyard/exec'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { readConfig } from '../config/config-file.ts'
import { type NoticeWord, noticeWordsDefault } from '../notice-words.ts'
import { complain } from '../session/complain.ts'
import type { SessionEvent } from '../session/event-schema.ts'
import type { Session } from '../session/fold-session.ts'
import { noticeWordOf } from '../session/notice-word.ts'
import { findSession, readEvents } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'
import { cut, oneLine } from '../short-text.ts'

const timeoutMsDefault = 30_000
const outputBytesMax = 4096
const reasonCharsMax = 2000

const spec = {
  summary: "Run the user's own command on what has happened to a session, as scope itself does at once",
  args: [
    { name: 'session', summary: 'Id or name', complete: 'session' },
    {
      name: 'event',
      summary: 'Id of an event, which notify.on has to want; else the last one, wanted or not',
      optional: true,
    },
  ],
  flags: {},
  examples: ['scope notify 0'],
} as const

/**
 * `scope notify`: tells the user of an event by the command of the settings. Exits 3 where there is no command, or
 * nothing to tell, 8 when the command failed, 124 when its time was over. What goes wrong stands in `notify.log` too.
 */
export const notify = defineVerb({
  ...spec,
  async run(call) {
    const { args, env, output } = call
    const store = needScope(call)
    const session = findSession(store, args.session)
    const { command, on = noticeWordsDefault, timeout } = readConfig(env).notify
    if (command === undefined) {
      throw new Failure('notFound', 'there is no command to tell you by', {
        hint: `scope config notify.command '["notify-send", "scope"]'`,
      })
    }
    const events = [...readEvents(store, session.id)].flatMap((event) => noticeOf(session, event))
    const found = args.event === undefined ? events.at(-1) : events.find(({ event }) => event.id === args.event)
    if (found === undefined) throw new Failure('notFound', `nothing of session ${session.id} is there to be told`)
    if (args.event !== undefined && !on.includes(found.word)) return undefined
    const timeoutMs = parseDuration(timeout ?? '') ?? timeoutMsDefault
    try {
      await tell(call, { command, cwd: dirname(store.path), timeoutMs }, found)
    } catch (error) {
      if (isFailure(error)) complain(store, session.id, 'notify.log', { at: call.now(), error: error.message })
      throw error
    }
    output.one(found.event, { text: () => found.text, id: ({ id }) => id })
    return undefined
  },
})

type Notice = {
  readonly word: NoticeWord
  readonly event: SessionEvent
  readonly reason: string
  readonly text: string
}

function noticeOf({ id, created }: Session, event: SessionEvent): Notice[] {
  const word = noticeWordOf(event)
  if (word === undefined) return []
  const reason = 'reason' in event ? short(event.reason ?? '') : ''
  const name = created.alias === null ? id : `${id} (${created.alias})`
  return [{ word, event, reason, text: `session ${name} ${says[word]}: ${reason || short(created.task)}` }]
}

/** Fit for a variable: one line, without what a terminal or the system would stumble over. */
const short = (text: string) => cut(oneLine(text), reasonCharsMax)

const says: Readonly<Record<NoticeWord, string>> = {
  needs_input: 'needs input',
  done: 'is done',
  failed: 'has failed',
  limit: 'has reached a limit',
  exited: 'has exited',
  aborted: 'was aborted',
}

type How = { readonly command: readonly string[]; readonly cwd: string; readonly timeoutMs: number }

async function tell(call: Call<typeof spec>, { command, cwd, timeoutMs }: How, notice: Notice): Promise<void> {
  const { word, event, reason, text } = notice
  const env = {
    ...cleanEnv(call.env),
    // An agent that the command starts is none of the session's, so its hooks must not find the store.
    ...{ SCOPE_DIR: undefined, SCOPE_SUPERVISES: undefined, SCOPE_HOOKS: undefined },
    ...{ SCOPE_SESSION_ID: event.session, SCOPE_EVENT: word, SCOPE_REASON: reason, SCOPE_TEXT: text },
  }
  const limits = { timeoutMs, outputBytesMax, signal: call.interrupted() }
  const input = `${JSON.stringify(event)}\n`
  const { exitCode, signal, timedOut, output } = await execute(command, { cwd, env, input, ...limits })
  const name = command[0] ?? ''
  if (timedOut) throw new Failure('waitTimeout', `${name} was ended: it was out of time after ${timeoutMs} ms`)
  if (exitCode === 0) return
  const said = output.trim().split('\n').at(-1) ?? ''
  throw new Failure(
    'outside',
    `${name} ended with ${signal ?? `exit code ${exitCode}`}${said === '' ? '' : `: ${said}`}`,
  )
}
