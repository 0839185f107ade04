import type { Output } from '@switchyard/cli-kit'
import type { Session } from '../session/fold-session.ts'

/** Says for people how those sessions ended that did not come to a good end. */
export function noteEnds(output: Pick<Output, 'note'>, sessions: readonly Session[]): void {
  for (const { id, state, reason } of sessions) {
    if (state === 'done') continue
    output.note(`scope: session ${id} is ${state}${reason === null || reason === '' ? '' : `: ${reason.trim()}`}`)
  }
}
