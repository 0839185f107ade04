import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/cli-kit/failure'
import { ulid } from '@switchyard/topic'
import { readBody } from '../body.ts'
import { findIssue, findKeyed, viewsOf } from '../issue.ts'
import { checkTags, checkTitle, draftsOfNew } from '../new-issue.ts'
import { shownId } from '../render.ts'
import { authorFlags, change } from '../session.ts'

/**
 * `tissue new`: creates an issue and prints its id. With a key that was used before: prints that issue's id and
 * creates nothing.
 */
export const newIssue = defineVerb({
  summary: 'Create an issue and print its id',
  args: [
    { name: 'title', summary: 'What is to be done, in one line' },
    { name: 'stdin', summary: '- reads the body from stdin', optional: true },
  ],
  flags: {
    body: { type: 'string', short: 'b', value: 'TEXT', summary: 'The body' },
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the body from a file' },
    priority: { type: 'integer', short: 'p', value: 'N', min: 1, max: 5, default: 2, summary: '1 is the most urgent' },
    tag: { type: 'list', short: 't', value: 'TAG', summary: 'Add a tag' },
    'blocked-by': { type: 'list', value: 'ID', summary: 'An issue that has to be closed first' },
    key: { type: 'string', value: 'KEY', summary: 'Create at most one issue with this key, however often it is tried' },
    ...authorFlags,
  },
  examples: ['tissue new "Fix login" -p 1 -t auth', 'git log -1 --format=%B | tissue new "Review the last commit" -'],
  async run(call) {
    const { args, flags, output, now } = call
    const { title } = args
    checkTitle(title)
    checkTags(flags.tag)
    const body = readBody({ text: flags.body, file: flags.file, stdin: args.stdin }, call) ?? ''
    const { key, priority, tag } = flags
    if (key === '') throw new Failure('usage', 'expected a key, got an empty one')
    const { ledger, created } = await change(call, (before, _actor, { base }) => {
      if (key !== undefined && findKeyed(before, key) !== undefined) return []
      const blockedBy = flags['blocked-by'].map((name) => findIssue(before, name))
      return draftsOfNew(before, [{ title, body, priority, tags: tag, blockedBy, key }], base, () => ulid(now()))
    })
    const [id] = created
    if (id === undefined) output.note(`the key ${key} has its issue already`)
    output.one(viewsOf(ledger).view(id ?? findKeyed(ledger, key ?? '') ?? ''), shownId)
    return undefined
  },
})
