import { runCli } from '@switchyard/cli-kit'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'deepscan',
  summary: 'Finds defects with syntax rules, and applies their rewrites',
  version: SWITCHYARD_VERSION,
  verbs: {
    run: async () => (await import('./commands/run.ts')).run,
    fix: async () => (await import('./commands/fix.ts')).fix,
  },
  schemas: async () => (await import('./schemas.ts')).schemas,
})
