import { runCli } from '@switchyard/cli-kit'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'loop',
  summary: 'Keeps agents going until their work is verified and landed',
  version: SWITCHYARD_VERSION,
  verbs,
  forgives: async (argv, error, input) =>
    argv.includes('hook') ? (await import('./hook/forgiven.ts')).forgiven(argv, error, input) : undefined,
  guide: async () => (await import('./verb-guide.ts')).guide,
  candidates: async () => (await import('./candidates.ts')).candidates,
  schemas: async () => (await import('./schemas.ts')).schemas,
})
