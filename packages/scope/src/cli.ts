import { runCli } from '@switchyard/cli-kit'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

runCli({
  name: 'scope',
  summary: 'Starts coding agents, and shows and steers what they do',
  version: SWITCHYARD_VERSION,
  verbs,
  alone: async () => (await import('./commands/dashboard.ts')).dashboard,
  guide: async () => (await import('./verb-guide.ts')).guide,
  schemas: async () => (await import('./schemas.ts')).schemas,
})
