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
  symbols: async () => (await import('./commands/symbols.ts')).symbols,
  list: async () => (await import('./commands/list.ts')).list,
  resume: async () => (await import('./commands/resume.ts')).resume,
  abort: async () => (await import('./commands/abort.ts')).abort,
  clean: async () => (await import('./commands/clean.ts')).clean,
  reset: async () => (await import('./commands/reset.ts')).reset,
  coverage: async () => (await import('./commands/coverage.ts')).coverage,
  progress: async () => (await import('./commands/progress.ts')).progress,
  errors: async () => (await import('./commands/errors.ts')).errors,
  run: async () => (await import('./commands/run.ts')).run,
  fix: async () => (await import('./commands/fix.ts')).fix,
  verify: async () => (await import('./commands/verify.ts')).verify,
  reduce: async () => (await import('./commands/reduce.ts')).reduce,
  export: async () => (await import('./commands/export.ts')).exportReport,
  diff: async () => (await import('./commands/diff.ts')).diff,
}
