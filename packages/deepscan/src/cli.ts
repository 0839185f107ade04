import { runCli } from '@switchyard/cli-kit'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'deepscan',
  summary: 'Finds defects with syntax rules, and applies their rewrites',
  version: SWITCHYARD_VERSION,
  verbs,
  meant: async (words, cwd) => (await import('./shortcuts.ts')).expandShortcut(words, cwd),
  schemas: async () => (await import('./schemas.ts')).schemas,
})
