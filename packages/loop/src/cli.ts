import { runCli } from '@switchyard/cli-kit'
import { forgiven } from './hook/forgiven.ts'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'loop',
  summary: 'Keeps agents going until their work is verified and landed',
  version: SWITCHYARD_VERSION,
  hot: [
    'stop',
    'pre-tool',
    'post-tool',
    'pre-compact',
    'subagent-stop',
    'session-start',
    'session-end',
    'stop-failure',
  ].map((event) => `hook ${event}`),
  verbs,
  forgives: forgiven,
  guide: async () => (await import('./verb-guide.ts')).guide,
  candidates: async () => (await import('./candidates.ts')).candidates,
  schemas: async () => (await import('./schemas.ts')).schemas,
})
