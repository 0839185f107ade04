type Env = Readonly<Record<string, string | undefined>>

/** Whether an environment is that of an agent which loop started to work, or of what that has started. */
export const isWorker = (env: Env) => ['LOOP_RUN_ID', 'LOOP_ISSUE', 'LOOP_WORKTREE'].some((name) => Boolean(env[name]))
