import { defineVerb } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { Failure } from '@switchyard/ground/failure'
import { findIssue } from '../issue/issue.ts'
import { authorFlags, change } from '../session/session.ts'

/** `tissue comment`: adds a comment and prints its id. */
export const comment = defineVerb({
  summary: 'Comment on an issue',
  args: [
    { name: 'id', summary: 'Id, or the beginning of its last part' },
    { name: 'stdin', summary: '- reads the comment from stdin', optional: true },
  ],
  flags: {
    message: { type: 'string', short: 'm', value: 'TEXT', summary: 'The comment' },
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the comment from a file' },
    ...authorFlags,
  },
  examples: ['tissue comment k3vd -m "Only happens with SSO."', 'git log -1 | tissue comment k3vd -'],
  async run(call) {
    const { args, flags, output } = call
    const body = readBody({ text: flags.message, file: flags.file, stdin: args.stdin }, call)
    if (body === undefined || body.trim() === '') {
      throw new Failure('usage', 'expected a comment, got none', { hint: 'give -m TEXT, -F FILE or - for stdin' })
    }
    const { events } = await change(
      call,
      (before) => [{ type: 'commented', issue: findIssue(before, args.id), body }],
      { openOnly: [args.id] },
    )
    const [event] = events
    output.one(event, { text: () => event?.id ?? '', id: () => event?.id ?? '' })
    return undefined
  },
})
