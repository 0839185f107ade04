import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { keepAnchor } from '../anchor/keep-anchor.ts'
import { takeAnchor } from '../anchor/take-anchor.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { findOwnRun } from '../record/own-run.ts'
import { openRecord } from '../record/session-record.ts'
import { workerOfSession } from '../record/worker-name.ts'
import { isUnreminded } from '../work/continuation.ts'
import type { LoopHook } from './answer-hook.ts'

type Compacting = Extract<HostEvent, { event: 'pre-compact' }>

/**
 * Before a conversation is compacted: what its loop has to know afterwards goes onto the bus. Where the host does not
 * bring it back, the next stop tells all again.
 */
export async function writeAnchor(event: Compacting, { store, session, env, now }: LoopHook): Promise<Answer> {
  const run = findOwnRun(store, session, env)
  if (run === undefined) return { do: 'allow' }
  const anchor = await takeAnchor(openGit(openPlainChildren(env)), run)
  await keepAnchor(store, anchor, workerOfSession(session), now())
  if (isUnreminded(session.host) && isSure(event)) {
    await openRecord(store, session, run.id, { env, now }).tell({ event: 'forgotten', host: session.host })
  }
  return { do: 'allow' }
}

/** Gemini CLI calls this hook before each of its calls, whether it compresses or not, unless a person asks it to. */
const isSure = ({ host, trigger }: Compacting) => host !== 'gemini' || trigger === 'manual'
