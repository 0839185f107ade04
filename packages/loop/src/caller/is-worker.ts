import type { Env } from '../secret/state-folder.ts'

/** Whether an environment is that of an agent which loop started to work, or of what that has started. */
export const isWorker = (env: Env) => ['LOOP_RUN_ID', 'LOOP_ISSUE', 'LOOP_WORKTREE'].some((name) => Boolean(env[name]))
