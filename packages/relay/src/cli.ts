import { runCli } from '@switchyard/cli-kit'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'jwz-relay',
  summary: 'Mirrors topics between stores on different machines, through NATS JetStream',
  version: SWITCHYARD_VERSION,
  verbs: {},
  main: async () => (await import('./commands/mirror.ts')).mirror,
  schemas: async () => (await import('./event-schema.ts')).schemas,
})
