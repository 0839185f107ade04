import { runCli } from '@switchyard/cli-kit'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

runCli({
  name: 'tissue',
  summary: 'Issue tracker in the repository, made for agents',
  version: SWITCHYARD_VERSION,
  verbs,
  gone: ['config get', 'config set', 'config unset', 'config list'],
  guide: async () => (await import('./verb-guide.ts')).guide,
  candidates: async () => (await import('./candidates.ts')).candidates,
  schemas: async () => (await import('./schema/schemas.ts')).schemas,
})
