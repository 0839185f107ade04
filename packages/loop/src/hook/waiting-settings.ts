import { isFailure } from '@switchyard/ground/failure'
import type { Answer } from '@switchyard/wire/host-event'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { waitingLine } from '../config/waiting-words.ts'
import type { LoopHook } from './answer-hook.ts'

/** The answer, and to the person a line on what of loop.json waits for trust; nobody else can give it. */
export function tellWaiting(answer: Answer, { store, env }: Pick<LoopHook, 'store' | 'env'>): Answer {
  const waits = waitingIn(store, env)
  if (waits.length === 0) return answer
  const line = `loop: ${waitingLine(waits)}`
  return { ...answer, warning: answer.warning === undefined ? line : `${answer.warning}\n${line}` }
}

/** Settings that wait for trust. Where they cannot be read none does; whatever needs them says what is wrong. */
function waitingIn(store: LoopHook['store'], env: LoopHook['env']): readonly string[] {
  try {
    return readConfig(configRootOf(store), env).waits
  } catch (error) {
    if (!isFailure(error)) throw error
    return []
  }
}
