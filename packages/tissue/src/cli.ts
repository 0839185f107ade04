import { runCli } from '@switchyard/cli-kit'

declare const SWITCHYARD_VERSION: string

runCli({
  name: 'tissue',
  summary: 'Issue tracker in the repository, made for agents',
  version: SWITCHYARD_VERSION,
  hot: ['ready', 'claim', 'status', 'show', 'close', 'new'],
  verbs: {
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
    where: async () => (await import('./commands/where.ts')).where,
    check: async () => (await import('./commands/check.ts')).check,
  },
  schemas: async () => (await import('./schemas.ts')).schemas,
})
