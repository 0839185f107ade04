import { runCli } from '@switchyard/cli-kit'
import { forgiven } from './hook/forgiven.ts'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'loop',
  summary: 'Keeps agents going until their work is verified and landed',
  version: SWITCHYARD_VERSION,
  verbs,
  forgives: forgiven,
  guide: async () => (await import('./verb-guide.ts')).guide,
  candidates: async () => (await import('./candidates.ts')).candidates,
  schemas: async () => (await import('./schemas.ts')).schemas,
})
