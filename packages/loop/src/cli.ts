import { runCli } from '@switchyard/cli-kit'
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
  forgives: (argv, error) =>
    argv.find((word) => !word.startsWith('-')) === 'hook'
      ? `${JSON.stringify({ systemMessage: `loop: the hook did nothing: ${error instanceof Error ? error.message : error}` })}\n`
      : undefined,
  guide: async () => (await import('./verb-guide.ts')).guide,
  candidates: async () => (await import('./candidates.ts')).candidates,
  schemas: async () => (await import('./schemas.ts')).schemas,
})
