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
  let isKnown = false
  let [prompts, toolCalls] = [0, 0]
  const tools = new Map<string, number>()
  const files = new Set<string>()
  const count = ({ step, tool, paths }: Step) => {
    if (step === 'prompt') prompts += 1
    if (step !== 'tool') return
    toolCalls += 1
    const name = cut(oneLine(tool ?? ''), nameLengthMax)
    if (name !== '' && (tools.has(name) || tools.size < namesMax)) tools.set(name, (tools.get(name) ?? 0) + 1)
    for (const path of paths) files.add(path)
  }
  for (const member of membersOf(store, session)) {
    try {
      for (const step of stepsOfSession(store, member, env)) count(step)
      isKnown = true
    } catch (error) {
      if (!isFailure(error) || error.kind !== 'notFound') throw error
    }
  }
  if (!isKnown) return null
  return { prompts, tool_calls: toolCalls, tools: Object.fromEntries(tools), files_written: files.size }
}
