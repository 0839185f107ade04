import type { Verb } from '@switchyard/cli-kit'

/** The verbs of scope, each loaded when it is called. */
export const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  spawn: async () => (await import('./commands/spawn.ts')).spawn,
  workflow: async () => (await import('./commands/workflow.ts')).workflow,
  run: async () => (await import('./commands/run.ts')).run,
  poll: async () => (await import('./commands/poll.ts')).poll,
  wait: async () => (await import('./commands/wait.ts')).wait,
  result: async () => (await import('./commands/result.ts')).result,
  list: async () => (await import('./commands/list.ts')).list,
  logs: async () => (await import('./commands/logs.ts')).logs,
  send: async () => (await import('./commands/send.ts')).send,
  attach: async () => (await import('./commands/attach.ts')).attach,
  exit: async () => (await import('./commands/exit.ts')).exit,
  abort: async () => (await import('./commands/abort.ts')).abort,
  resume: async () => (await import('./commands/resume.ts')).resume,
  prime: async () => (await import('./commands/prime.ts')).prime,
  setup: async () => (await import('./commands/setup.ts')).setup,
  uninstall: async () => (await import('./commands/uninstall.ts')).uninstall,
  hook: async () => (await import('./commands/hook.ts')).hook,
  rubric: async () => (await import('./commands/rubric.ts')).rubric,
  check: async () => (await import('./commands/check.ts')).check,
  verdict: async () => (await import('./commands/verdict.ts')).verdict,
  agents: async () => (await import('./commands/agents.ts')).agents,
  where: async () => (await import('./commands/where.ts')).where,
  supervise: async () => (await import('./commands/supervise.ts')).supervise,
}
