import type { Verb } from '@switchyard/cli-kit'

/** The verbs of scope, each loaded when it is called. */
export const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  run: async () => (await import('./commands/run.ts')).run,
}
