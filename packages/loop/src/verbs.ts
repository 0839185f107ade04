import type { Verb } from '@switchyard/cli-kit'

/** The verbs of loop, each loaded when it is called. */
export const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  'hook stop': async () => (await import('./commands/hook-stop.ts')).hookStop,
  'hook pre-tool': async () => (await import('./commands/hook-pre-tool.ts')).hookPreTool,
  start: async () => (await import('./commands/start.ts')).start,
  'guard test': async () => (await import('./commands/guard-test.ts')).guardTest,
  signal: async () => (await import('./commands/signal.ts')).signal,
  status: async () => (await import('./commands/status.ts')).status,
  'review post': async () => (await import('./commands/review-post.ts')).reviewPost,
  'review status': async () => (await import('./commands/review-status.ts')).reviewStatus,
  'worktree add': async () => (await import('./commands/worktree-add.ts')).worktreeAdd,
  'worktree list': async () => (await import('./commands/worktree-list.ts')).worktreeList,
  'worktree path': async () => (await import('./commands/worktree-path.ts')).worktreePath,
  'worktree exec': async () => (await import('./commands/worktree-exec.ts')).worktreeExec,
  'worktree remove': async () => (await import('./commands/worktree-remove.ts')).worktreeRemove,
  'worktree prune': async () => (await import('./commands/worktree-prune.ts')).worktreePrune,
  'worktree salvage': async () => (await import('./commands/worktree-salvage.ts')).worktreeSalvage,
  pause: async () => (await import('./commands/pause.ts')).pause,
  resume: async () => (await import('./commands/resume.ts')).resume,
  steer: async () => (await import('./commands/steer.ts')).steer,
  cancel: async () => (await import('./commands/cancel.ts')).cancel,
  verify: async () => (await import('./commands/verify.ts')).verify,
  'queue list': async () => (await import('./commands/queue-list.ts')).queueList,
  'plugin build': async () => (await import('./commands/plugin-build.ts')).pluginBuild,
  'plugin validate': async () => (await import('./commands/plugin-validate.ts')).pluginValidate,
}
