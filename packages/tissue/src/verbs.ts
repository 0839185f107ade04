import type { Verb } from '@switchyard/cli-kit'

/** The verbs of tissue, each loaded when it is called. */
export const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  init: async () => (await import('./commands/init.ts')).init,
  new: async () => (await import('./commands/new.ts')).newIssue,
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  edit: async () => (await import('./commands/edit.ts')).edit,
  status: async () => (await import('./commands/status.ts')).status,
  close: async () => (await import('./commands/close.ts')).close,
  comment: async () => (await import('./commands/comment.ts')).comment,
  'dep add': async () => (await import('./commands/dep-add.ts')).depAdd,
  'dep rm': async () => (await import('./commands/dep-rm.ts')).depRemove,
  ready: async () => (await import('./commands/ready.ts')).ready,
  claim: async () => (await import('./commands/claim.ts')).claim,
  release: async () => (await import('./commands/release.ts')).release,
  import: async () => (await import('./commands/import.ts')).importIssues,
  export: async () => (await import('./commands/export.ts')).exportEvents,
  board: async () => (await import('./commands/board.ts')).board,
  where: async () => (await import('./commands/where.ts')).where,
  check: async () => (await import('./commands/check.ts')).check,
  config: async () => (await import('./commands/config.ts')).config,
  'config get': async () => (await import('./commands/config-get.ts')).configGet,
  'config set': async () => (await import('./commands/config-set.ts')).configSet,
  'config unset': async () => (await import('./commands/config-unset.ts')).configUnset,
}
