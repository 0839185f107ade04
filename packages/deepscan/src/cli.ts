import { runCli } from '@switchyard/cli-kit'
import { verbs } from './verbs.ts'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'deepscan',
  summary: 'Analyses more code than one context holds: by rules, linters and agents, every byte accounted for',
  version: SWITCHYARD_VERSION,
  verbs,
  bugDetails: { ds: 'DS-501' },
  guide: async () => (await import('./verb-guide.ts')).guide,
  meant: async (words, cwd) =>
    Object.hasOwn(verbs, words[0] ?? '') ? undefined : (await import('./shortcuts.ts')).expandShortcut(words, cwd),
  schemas: async () => (await import('./schemas.ts')).schemas,
})
