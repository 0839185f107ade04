import type { VerbGuide } from '@switchyard/cli-kit'

/** How help shows the verbs, and which one is meant by the words that people have for them. */
export const guide: VerbGuide = {
  groups: {
    write: ['post', 'reply', 'blob'],
    read: ['read', 'latest', 'show', 'thread', 'search', 'topic', 'stats'],
    wait: ['wait', 'follow', 'inbox', 'ack', 'cursor'],
    agents: ['lease', 'whoami', 'agents', 'prime'],
    store: ['init', 'where', 'check', 'doctor', 'compact'],
    exchange: ['export', 'import', 'migrate'],
  },
  forPrograms: ['bridge'],
  families: {
    blob: 'files beside the messages',
    topic: 'topics, and what each is about',
    cursor: 'how far each consumer has read',
    lease: 'who works on what, for how long',
  },
  otherWords: {
    send: 'post',
    publish: 'post',
    write: 'post',
    say: 'post',
    tail: 'follow',
    subscribe: 'follow',
    cat: 'read',
    log: 'read',
    last: 'latest',
    grep: 'search',
    find: 'search',
    get: 'show',
    lock: 'lease acquire',
    unlock: 'lease release',
    'lease renew': 'lease acquire --renew',
    'lease steal': 'lease acquire --steal',
    topics: 'topic list',
    gc: 'compact',
    verify: 'check',
    path: 'where',
    me: 'whoami',
  },
}
