import { defineVerb } from '@switchyard/cli-kit'
import { existsSync, join } from '@switchyard/ground/machine'
import { baseOf } from '@switchyard/ground/repository'
import type { Store } from '@switchyard/topic'
import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { answerHook, hookFlags, type LoopHook } from '../hook/answer-hook.ts'

type Start = Extract<HostEvent, { event: 'session-start' }>

/**
 * `loop hook session-start`: tells a session that starts again, or whose conversation was compacted, of its loop, and
 * the person that loop.json waits for trust. Exits 0, whatever happens.
 */
export const hookSessionStart = defineVerb({
  summary: 'Tell a session that starts again of its loop',
  flags: hookFlags,
  examples: ['loop hook session-start --host claude'],
  async run(call) {
    await answerHook('session-start', call, async (event, hook) => {
      const { store } = hook
      if (store === undefined) return { do: 'allow' }
      const answer = await tellLoop(event, { ...hook, store })
      if (event.source === 'compact' || !hasSettings(store)) return answer
      return (await import('../hook/waiting-settings.ts')).tellWaiting(answer, { ...hook, store })
    })
    return undefined
  },
})

async function tellLoop(event: Start, hook: LoopHook): Promise<Answer> {
  if (hook.heard === 'unknown' && event.source !== 'clear') return { do: 'allow' }
  if (hook.heard === 'unknown') return (await import('../hook/cleared-loop.ts')).clearedLoop(hook)
  return (await import('../hook/greet-session.ts')).greetSession(event, hook)
}

/** Looks at one name: where there is none, nothing more is loaded. */
const hasSettings = ({ repository, base }: Store) =>
  existsSync(join(repository === undefined ? base : baseOf(repository.commonDir), 'loop.json'))
