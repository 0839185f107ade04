// What decides whether the work of the run around a command is done: of an agent's session, or of a runner.
import { secretMark } from '@switchyard/cli-kit/secrets'
import { busExists, type Store } from '@switchyard/topic'
import { sessionOf } from '../record/env-session.ts'
import { findOwnRun, readOpenRun } from '../record/own-run.ts'

/** `folder` is where the work lies; undefined where the run does not say it. */
export type BoundCheck = { readonly run: string; readonly command: string; readonly folder: string | undefined }

/** The command of the run that the session works, or that a runner's worker is part of; undefined when it has none. */
export function findBoundCheck(
  store: Store,
  env: Readonly<Record<string, string | undefined>>,
): BoundCheck | undefined {
  if (!busExists(store)) return undefined
  const session = sessionOf(env)
  const named = env['LOOP_RUN_ID']
  const own = () => session && findOwnRun(store, session, env)
  const run = named === undefined ? own() : readOpenRun(store, named, env)
  if (run === undefined || run.started.verify === '') return undefined
  // The record of a command with a secret in it is not the command.
  if (run.started.verify.includes(secretMark)) return undefined
  const { started, claimed } = run
  const ofIssue = env['LOOP_RUN_ID'] === undefined ? claimed?.worktree : undefined
  return { run: run.id, command: started.verify, folder: started.mode === 'task' ? started.cwd : ofIssue }
}
