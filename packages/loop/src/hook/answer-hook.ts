// What all hooks have in common: the host's JSON in, the answer in its words out, and exit 0 whatever happens.
import type { Context } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import type { EventName } from '@switchyard/wire/adapter'
import { adapters, detectHost } from '@switchyard/wire/adapters'
import { eventIn, eventNamed } from '@switchyard/wire/event-name'
import { type Host, hostNamed } from '@switchyard/wire/host'
import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import type { Fields } from '@switchyard/wire/host-fields'
import { readEvent } from '@switchyard/wire/read-event'
import { readInput } from '@switchyard/wire/read-input'
import { isLoopOff } from '../by-hook/is-loop-off.ts'
import { fromPlugin, noteHook } from '../record/last-seen.ts'
import type { Session } from '../state/event-schema.ts'
import { findPlace, type HookPlace } from './hook-place.ts'

type Named<Name extends EventName> = Extract<HostEvent, { event: Name }>

/** Where and when an event happened. `until`: milliseconds since 1970 by which a stop is answered. */
type Hook = HookPlace & Pick<Context, 'env' | 'cwd' | 'now'> & { readonly session: Session; readonly until: number }

/** A hook in a session that has, or had, a loop: its store is known. */
export type LoopHook = Hook & { readonly store: Store }

/** What is done at an event. */
export type Act<Name extends EventName, Of = Hook> = (event: Named<Name>, hook: Of) => Answer | Promise<Answer>
export type Acts = { readonly [Name in EventName]: Act<Name> }

type HookCall = Context & {
  readonly args: { readonly event: string | undefined }
  readonly flags: { readonly host: string | undefined; readonly timeout: number }
}

/** What remains of the host's time for the answer to reach it. */
const marginMs = 15_000

/**
 * Answers one event. A session is never broken by what goes wrong here: the agent goes on as if there were no hook,
 * and a warning says so; but a tool that could not be judged is not used.
 */
export async function answerHook(call: HookCall, acts: Acts): Promise<void> {
  const named = hostNamed(call.flags.host)
  let name = call.args.event === undefined ? undefined : eventNamed(call.args.event)
  let host: Host = named ?? 'claude'
  let answer: Answer
  let fields: Fields | undefined
  try {
    fields = readInput(call.input)
    host = named ?? detectHost(fields)
    name ??= eventIn(fields)
    answer = await decide(name, { call, host, fields, acts })
  } catch (error) {
    answer = await failed(name, error, call.env)
  }
  call.output.raw(adapters[host].render(answer, name ?? 'pre-tool', fields))
}

/** What is said where a hook fails. An event that nobody can name may be that of a tool. */
async function failed(name: EventName | undefined, error: unknown, env: Context['env']): Promise<Answer> {
  const warning = `loop: the ${name === undefined ? '' : `${name} `}hook did nothing: ${whatFailed(error)}`
  if (name !== undefined && name !== 'pre-tool') return { do: 'allow', warning }
  const { unjudgedAnswer } = await import('./answer-tool.ts')
  return { ...unjudgedAnswer(error, env), ...(name === undefined ? { warning } : {}) }
}

type Given = { call: HookCall; host: Host; fields: Fields; acts: Acts }

async function decide<Name extends EventName>(name: Name, { call, host, fields, acts }: Given): Promise<Answer> {
  const { env, cwd, now, flags } = call
  const until = now() + Math.max(flags.timeout / 2, flags.timeout - marginMs)
  const event = readEvent(name, { host, fields, folder: cwd, adapter: adapters[host] })
  if (!isNamed(event, name) || !isMeant(event, env)) return { do: 'allow' }
  const session = { host, id: event.session }
  const folders = [event.cwd, env['CLAUDE_PROJECT_DIR'], env['GEMINI_PROJECT_DIR'], cwd]
  const place = placeOf(name, () => findPlace(session, { folders, env, now: now() }))
  const commonDir = place.store?.repository?.commonDir
  if (commonDir !== undefined) noteHook(commonDir, host, name, now())
  if (commonDir !== undefined && env['CLAUDE_PLUGIN_ROOT']) noteHook(commonDir, host, fromPlugin, now())
  return acts[name](event, { ...place, env, cwd, session, now, until })
}

/** The guard judges also where no bus can be read. */
function placeOf(name: EventName, find: () => HookPlace): HookPlace {
  try {
    return find()
  } catch (error) {
    if (name !== 'pre-tool') throw error
    return { store: undefined, heard: 'unknown' }
  }
}

/** Guards are always on. What happens to a subagent is no event of the session around it, but for its own end. */
function isMeant({ event, agentId }: HostEvent, env: Context['env']): boolean {
  if (event === 'pre-tool') return true
  return !isLoopOff(env) && (agentId === undefined || event === 'subagent-stop')
}

function isNamed<Name extends EventName>(event: HostEvent, name: Name): event is Named<Name> {
  return event.event === name
}

/** Why something failed, in one line. */
function whatFailed(error: unknown): string {
  if (isFailure(error)) return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`
  return `a bug in loop: ${error instanceof Error ? error.message : String(error)}`
}
