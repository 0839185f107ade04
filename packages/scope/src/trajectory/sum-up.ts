// What an agent did, as a few numbers: for whoever polls or waits, and has no time for every step.
import type { Context } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import type { Step } from '@switchyard/wire/transcript-steps'
import type { Session } from '../session/fold-session.ts'
import type { SessionView } from '../session/session-schema.ts'
import { cut, oneLine } from '../short-text.ts'
import { membersOf, stepsOfSession } from './read-trajectory.ts'

export type Sum = NonNullable<SessionView['trajectory']>

/** A transcript is hostile: nobody gets more names of tools from it, nor longer ones. */
const namesMax = 100
const nameLengthMax = 80

/** The numbers of a session, of a loop those of all that it has started; null where there is no transcript to read. */
export function sumUp(store: Store, session: Session, env: Context['env']): Sum | null {
  const known = membersOf(store, session).flatMap((member) => stepsIfAny(store, member, env) ?? [])
  if (known.length === 0) return null
  const steps = known.flat()
  const tools = new Map<string, number>()
  for (const { tool } of steps) {
    const name = cut(oneLine(tool ?? ''), nameLengthMax)
    if (name !== '' && (tools.has(name) || tools.size < namesMax)) tools.set(name, (tools.get(name) ?? 0) + 1)
  }
  return {
    prompts: steps.filter(({ step }) => step === 'prompt').length,
    tool_calls: steps.filter(({ step }) => step === 'tool').length,
    tools: Object.fromEntries(tools),
    files_written: new Set(steps.flatMap(({ paths }) => paths)).size,
  }
}

/** In a list, so that steps that are none are not taken for a transcript that is not there. */
function stepsIfAny(store: Store, session: Session, env: Context['env']): Step[][] | undefined {
  try {
    return [stepsOfSession(store, session, env)]
  } catch (error) {
    if (isFailure(error) && error.kind === 'notFound') return undefined
    throw error
  }
}
