import { keepAnchor } from '../anchor/keep-anchor.ts'
import { takeAnchor } from '../anchor/take-anchor.ts'
import { openGit } from '../git.ts'
import { openPlainChildren } from '../run/children.ts'
import { findOwnRun } from '../session/own-run.ts'
import { workerOf } from '../session/record.ts'
import type { LoopHook } from './answer-hook.ts'
import type { Answer } from './host-event.ts'

/** Before a conversation is compacted: what its loop has to know afterwards goes onto the bus. */
export async function writeAnchor({ store, session, env, now }: LoopHook): Promise<Answer> {
  const run = findOwnRun(store, session, env)
  if (run === undefined) return { do: 'allow' }
  const anchor = await takeAnchor(openGit(openPlainChildren(env)), run)
  await keepAnchor(store, anchor, workerOf(session), now())
  return { do: 'allow' }
}
