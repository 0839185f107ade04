import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { findIssue, findIssues, shortNames } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { decideLinks } from '../ready/deps.ts'
import { printLinks } from '../render/link.ts'
import type { Dep } from '../schema/event-schema.ts'
import { authorFlags, change } from '../session/session.ts'

/** `tissue block`: makes an issue wait for others. Exits 5, naming the circle, when it would come to wait for itself. */
export const block = defineVerb({
  summary: 'Make an issue wait for others',
  args: [{ name: 'id', summary: 'Id of the issue that is to wait' }],
  flags: {
    by: { type: 'list', value: 'ID', summary: 'An issue that has to be closed first; again for more' },
    ...authorFlags,
  },
  examples: ['tissue block x9qa --by k3vd'],
  async run(call) {
    const { args, flags, output } = call
    if (flags.by.length === 0)
      throw new Failure('usage', 'expected an issue to wait for, got none', { hint: `tissue block ${args.id} --by ID` })
    const find = (ledger: Ledger): Dep[] => {
      const to = findIssue(ledger, args.id)
      return findIssues(ledger, flags.by).map((from) => ({ kind: 'blocks', from, to }))
    }
    const { ledger } = await change(call, (before) => decideLinks(before, find(before)))
    const side = findIssue(ledger, args.id)
    printLinks(output, find(ledger), { nameOf: shortNames(ledger), side, isList: flags.by.length > 1 })
    return undefined
  },
})
