import { runCli } from '@switchyard/cli-kit'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'loop',
  summary: 'Works issues in git worktrees until they are verified and landed',
  version: SWITCHYARD_VERSION,
  hot: [],
  verbs: {
    run: async () => (await import('./commands/run.ts')).run,
    status: async () => (await import('./commands/status.ts')).status,
  },
  schemas: async () => (await import('./schemas.ts')).schemas,
})
