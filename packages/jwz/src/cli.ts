import { runCli } from '@switchyard/cli-kit'

declare const SWITCHYARD_VERSION: string

void runCli({
  name: 'jwz',
  summary: 'Topic messaging between agents, over append-only JSONL',
  version: SWITCHYARD_VERSION,
  hot: ['post', 'reply', 'read', 'latest', 'wait'],
  verbs: {
    init: async () => (await import('./commands/init.ts')).init,
    post: async () => (await import('./commands/post.ts')).post,
    reply: async () => (await import('./commands/reply.ts')).reply,
    read: async () => (await import('./commands/read.ts')).read,
    latest: async () => (await import('./commands/latest.ts')).latest,
    show: async () => (await import('./commands/show.ts')).show,
    thread: async () => (await import('./commands/thread.ts')).thread,
    'topic new': async () => (await import('./commands/topic-new.ts')).topicNew,
    'topic list': async () => (await import('./commands/topic-list.ts')).topicList,
    follow: async () => (await import('./commands/follow.ts')).follow,
    wait: async () => (await import('./commands/wait.ts')).wait,
    search: async () => (await import('./commands/search.ts')).search,
    'cursor list': async () => (await import('./commands/cursor-list.ts')).cursorList,
    'cursor reset': async () => (await import('./commands/cursor-reset.ts')).cursorReset,
    compact: async () => (await import('./commands/compact.ts')).compact,
    whoami: async () => (await import('./commands/whoami.ts')).whoami,
    'blob put': async () => (await import('./commands/blob-put.ts')).blobPut,
    'blob get': async () => (await import('./commands/blob-get.ts')).blobGet,
    'blob gc': async () => (await import('./commands/blob-gc.ts')).blobGc,
    bridge: async () => (await import('./commands/bridge.ts')).bridge,
    doctor: async () => (await import('./commands/doctor.ts')).doctor,
    check: async () => (await import('./commands/check.ts')).check,
    where: async () => (await import('./commands/where.ts')).where,
    stats: async () => (await import('./commands/stats.ts')).stats,
    prime: async () => (await import('./commands/prime.ts')).prime,
  },
  aliases: { list: 'read' },
  schemas: async () => (await import('./schemas.ts')).schemas,
})
