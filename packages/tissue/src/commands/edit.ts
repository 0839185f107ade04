import { defineVerb } from '@switchyard/cli-kit'
import { readBody } from '../body.ts'
import { decideEdit } from '../edit.ts'
import { findIssue, viewsOf } from '../issue.ts'
import { checkTags, checkTitle } from '../new-issue.ts'
import { shownId } from '../render.ts'
import { authorFlags, change } from '../session.ts'

/** `tissue edit`: changes fields and tags; what is as asked already is left alone. */
export const edit = defineVerb({
  summary: 'Change the title, body, priority or tags of an issue',
  args: [
    { name: 'id', summary: 'Id, or the beginning of its last part' },
    { name: 'stdin', summary: '- reads the body from stdin', optional: true },
  ],
  flags: {
    title: { type: 'string', value: 'TITLE', summary: 'The new title' },
    body: { type: 'string', short: 'b', value: 'TEXT', summary: 'The new body' },
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the new body from a file' },
    priority: { type: 'integer', short: 'p', value: 'N', min: 1, max: 5, summary: '1 is the most urgent' },
    'add-tag': { type: 'list', short: 't', value: 'TAG', summary: 'Add a tag' },
    'rm-tag': { type: 'list', value: 'TAG', summary: 'Remove a tag' },
    ...authorFlags,
  },
  examples: ['tissue edit k3vd --priority 1 --add-tag urgent', 'tissue edit k3vd --body "Only with SSO."'],
  async run(call) {
    const { args, flags, output } = call
    const { title, priority } = flags
    if (title !== undefined) checkTitle(title)
    checkTags([...flags['add-tag'], ...flags['rm-tag']])
    const body = readBody({ text: flags.body, file: flags.file, stdin: args.stdin }, call)
    const wanted = { title, body, priority, addTags: flags['add-tag'], removeTags: flags['rm-tag'] }
    const { ledger } = await change(call, (before) => {
      return decideEdit(before, findIssue(before, args.id), wanted)
    })
    output.one(viewsOf(ledger).view(findIssue(ledger, args.id)), shownId)
    return undefined
  },
})
