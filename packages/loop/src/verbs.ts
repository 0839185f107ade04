import type { Verb } from '@switchyard/cli-kit'

/** The verbs of loop, each loaded when it is called. */
export const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  'hook stop': async () => (await import('./commands/hook-stop.ts')).hookStop,
  'hook pre-tool': async () => (await import('./commands/hook-pre-tool.ts')).hookPreTool,
  start: async () => (await import('./commands/start.ts')).start,
  'guard test': async () => (await import('./commands/guard-test.ts')).guardTest,
  status: async () => (await import('./commands/status.ts')).status,
  'review post': async () => (await import('./commands/review-post.ts')).reviewPost,
  'review status': async () => (await import('./commands/review-status.ts')).reviewStatus,
  verify: async () => (await import('./commands/verify.ts')).verify,
  'queue list': async () => (await import('./commands/queue-list.ts')).queueList,
  'plugin build': async () => (await import('./commands/plugin-build.ts')).pluginBuild,
  'plugin validate': async () => (await import('./commands/plugin-validate.ts')).pluginValidate,
}
