import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideEdit } from '../change/edit.ts'
import { checkNames } from '../change/field-texts.ts'
import { findIssue, viewsOf } from '../issue/issue.ts'
import { asOne } from '../log/draft.ts'
import { shownId } from '../render/issue-line.ts'
import { authorFlags, change } from '../session/session.ts'

/** `tissue tag add`: adds tags, and prints the id of the issue; one that is there already is no error. */
export const tagAdd = defineVerb({
  summary: 'Add tags to an issue',
  args: [
    { name: 'id', summary: 'Id, or the beginning of its last part' },
    { name: 'tag', summary: 'Tags, each a word of the command line', rest: true },
  ],
  flags: authorFlags,
  examples: ["tissue tag add k3vd auth 'needs design'"],
  async run(call) {
    const { id, tag } = call.args
    if (tag.length === 0) throw new Failure('usage', 'expected <tag>, got nothing')
    checkNames(tag, 'tag')
    const { ledger } = await change(call, (before) => {
      return asOne(decideEdit(before, findIssue(before, id), { addTags: tag }))
    })
    call.output.one(viewsOf(ledger).view(findIssue(ledger, id)), shownId)
    return undefined
  },
})
