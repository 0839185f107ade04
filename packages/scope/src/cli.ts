import { runCli } from '@switchyard/cli-kit'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'scope',
  summary: 'Runs coding agents of every kind in one way',
  version: SWITCHYARD_VERSION,
  verbs,
  schemas: async () => (await import('./schemas.ts')).schemas,
})
