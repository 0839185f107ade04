import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import { busExists } from '@switchyard/topic'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { readRun } from '../record/journal.ts'
import { isMadeHere, notMadeHere } from '../record/made-here.ts'
import type { Session } from '../state/event-schema.ts'
import { adoptRun } from './adopt.ts'
import type { TurnWorld } from './turn-world.ts'

/** A claim counts once, and only for a run that no session has. Failure `conflict` when it was not made here. */
export async function takeOn(
  run: string,
  session: Session,
  { store, env, now }: Pick<TurnWorld, 'store' | 'env' | 'now'>,
): Promise<void> {
  const found = busExists(store) ? readRun(store, run) : undefined
  if (found?.status?.session !== null) return
  if (!isMadeHere(store, found.started, env)) throw new Failure('conflict', notMadeHere(store, run))
  const { stale_after } = readConfig(configRootOf(store))
  await adoptRun(store, session, { run, from: null, staleAfterMs: parseDuration(stale_after) ?? 0 }, { env, now })
}
