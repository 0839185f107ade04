import type { VerbGuide } from '@switchyard/cli-kit'

/** How help shows the verbs, and which one is meant by the words that people have for them. */
export const guide: VerbGuide = {
  groups: {
    start: ['spawn', 'workflow', 'run', 'resume'],
    look: ['poll', 'wait', 'result', 'list', 'logs'],
    judge: ['rubric', 'check', 'verdict'],
    talk: ['send', 'attach'],
    stop: ['exit', 'abort'],
    agents: ['agents', 'prime', 'setup', 'uninstall', 'where'],
  },
  forPrograms: ['supervise', 'hook'],
  families: {},
  otherWords: {
    start: 'spawn',
    new: 'spawn',
    status: 'poll',
    ls: 'list',
    tree: 'list',
    ps: 'list',
    install: 'setup',
    init: 'setup',
    kill: 'abort',
    stop: 'abort',
    cancel: 'abort',
    output: 'result',
    tell: 'send',
    enter: 'attach',
    events: 'logs',
    log: 'logs',
    'loop stop': 'abort',
    'loop resume': 'resume',
    'loop status': 'poll',
    verify: 'check',
    judge: 'check',
  },
}
