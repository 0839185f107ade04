// What all hooks have in common: the host's JSON in, the answer in its words out, and exit 0 whatever happens.
import type { Context, FlagSpec } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import type { EventName } from '@switchyard/wire/adapter'
import { adapters, detectHost } from '@switchyard/wire/adapters'
import { type Host, hostNamed } from '@switchyard/wire/host'
import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import type { Fields } from '@switchyard/wire/host-fields'
import { readEvent } from '@switchyard/wire/read-event'
import { readInput } from '@switchyard/wire/read-input'
import { isLoopOff } from '../by-hook/is-loop-off.ts'
import { fromPlugin, noteHook } from '../record/last-seen.ts'
import type { Session } from '../state/event-schema.ts'
import { findPlace, type HookPlace } from './hook-place.ts'

export const hookFlags = {
  host: { type: 'string', value: 'NAME', summary: 'claude, codex, gemini or opencode; else told by the JSON' },
} as const satisfies Readonly<Record<string, FlagSpec>>

type Named<Name extends EventName> = Extract<HostEvent, { event: Name }>

type Hook = HookPlace & Pick<Context, 'env' | 'cwd' | 'now'> & { readonly session: Session }

/** A hook in a session that has, or had, a loop: its store is known. */
export type LoopHook = Hook & { readonly store: Store }

type Act<Name extends EventName, Of = Hook> = (event: Named<Name>, hook: Of) => Answer | Promise<Answer>
type HookCall = Context & { readonly flags: { readonly host: string | undefined } }

/**
 * Answers one event. A session is never broken by what goes wrong here: the agent goes on as if there were no hook,
 * and a warning says so; or it is `failed` that says what happens.
 */
export async function answerHook<Name extends EventName>(
  name: Name,
  call: HookCall,
  act: Act<Name>,
  failed: (error: unknown) => Answer = (error) => goesOn(name, error),
): Promise<void> {
  const named = hostNamed(call.flags.host)
  let host: Host = named ?? 'claude'
  let answer: Answer
  let fields: Fields | undefined
  try {
    fields = readInput(call.input)
    host = named ?? detectHost(fields)
    answer = await decide(name, { call, host, fields, act })
  } catch (error) {
    answer = failed(error)
  }
  call.output.raw(adapters[host].render(answer, name, fields))
}

const goesOn = (name: EventName, error: unknown): Answer => ({
  do: 'allow',
  warning: `loop: the ${name} hook did nothing: ${whatFailed(error)}`,
})

type Given<Name extends EventName> = { call: HookCall; host: Host; fields: Fields; act: Act<Name> }

async function decide<Name extends EventName>(name: Name, { call, host, fields, act }: Given<Name>): Promise<Answer> {
  const { env, cwd, now } = call
  const event = readEvent(name, { host, fields, folder: cwd, adapter: adapters[host] })
  if (!isNamed(event, name) || !isMeant(event, env)) return { do: 'allow' }
  const session = { host, id: event.session }
  const folders = [event.cwd, env['CLAUDE_PROJECT_DIR'], env['GEMINI_PROJECT_DIR'], cwd]
  const place = placeOf(name, () => findPlace(session, { folders, env, now: now() }))
  const commonDir = place.store?.repository?.commonDir
  if (commonDir !== undefined) noteHook(commonDir, host, name, now())
  if (commonDir !== undefined && env['CLAUDE_PLUGIN_ROOT']) noteHook(commonDir, host, fromPlugin, now())
  return act(event, { ...place, env, cwd, session, now })
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

/** Answers an event that matters only in a session with a loop; any other session hears nothing. */
export function answerLoopHook<Name extends EventName>(
  name: Name,
  call: HookCall,
  act: Act<Name, LoopHook>,
): Promise<void> {
  return answerHook(name, call, (event, hook) => {
    const { store, heard } = hook
    return store === undefined || heard === 'unknown' ? { do: 'allow' } : act(event, { ...hook, store })
  })
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
