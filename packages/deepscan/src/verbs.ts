import type { Verb } from '@switchyard/cli-kit'

/** The verbs of deepscan, each loaded when it is called. */
export const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  init: async () => (await import('./commands/init.ts')).init,
  status: async () => (await import('./commands/status.ts')).status,
  chunk: async () => (await import('./commands/chunk.ts')).chunk,
  parse: async () => (await import('./commands/parse.ts')).parse,
  map: async () => (await import('./commands/map.ts')).map,
  scout: async () => (await import('./commands/scout.ts')).scout,
  tree: async () => (await import('./commands/tree.ts')).tree,
  peek: async () => (await import('./commands/peek.ts')).peek,
  grep: async () => (await import('./commands/grep.ts')).grep,
  run: async () => (await import('./commands/run.ts')).run,
  fix: async () => (await import('./commands/fix.ts')).fix,
  verify: async () => (await import('./commands/verify.ts')).verify,
  reduce: async () => (await import('./commands/reduce.ts')).reduce,
  export: async () => (await import('./commands/export.ts')).exportReport,
  diff: async () => (await import('./commands/diff.ts')).diff,
}
