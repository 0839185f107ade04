import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { withLastMessage } from '@switchyard/wire/last-message'
import { takeTurn } from '../by-hook/turn.ts'
import type { LoopHook } from './answer-hook.ts'
import { resumeAfterLimit } from './pause-at-limit.ts'

/** The end of a turn in a session that has a loop, or takes one on. It is answered before `until`. */
export async function answerStop(event: Extract<HostEvent, { event: 'stop' }>, hook: LoopHook): Promise<Answer> {
  await resumeAfterLimit(hook)
  return takeTurn(await withLastMessage(event), hook)
}
