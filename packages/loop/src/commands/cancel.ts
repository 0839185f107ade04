import { defineVerb } from '@switchyard/cli-kit'
import { askRuns, controlFlags } from '../by-hook/ask-runs.ts'

/** `loop cancel`: the run ends; an issue that it works is paused with a comment, its work is kept. */
export const cancel = defineVerb({
  summary: 'End a run; its work is kept, an issue is paused',
  flags: {
    ...controlFlags,
    all: { type: 'boolean', summary: 'Every run that is not over' },
    reason: { type: 'string', short: 'm', value: 'TEXT', default: '', summary: 'Why, for the comment on the issue' },
    'keep-worktree': { type: 'boolean', summary: 'Leave the worktree and its branch where they are' },
  },
  examples: ['loop cancel', 'loop cancel --all'],
  run: (call) =>
    askRuns(call, {
      command: 'cancel',
      text: call.flags.reason,
      ...(call.flags['keep-worktree'] ? { keep: true } : {}),
    }),
})
