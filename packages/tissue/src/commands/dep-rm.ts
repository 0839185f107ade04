import { defineVerb } from '@switchyard/cli-kit'
import { shortNames } from '../issue/issue.ts'
import { decideUnlinks, findDeps } from '../ready/deps.ts'
import { printLinks } from '../render/link.ts'
import { depKinds } from '../schema/event.check.ts'
import { authorFlags, change } from '../session/session.ts'

/** `tissue dep rm`: removes links, all or none; one that is not there is no error. */
export const depRemove = defineVerb({
  summary: 'Remove links between issues',
  args: [
    { name: 'from', summary: 'Id of the issue that blocks, is the parent, was discovered from ...' },
    { name: 'kind', summary: depKinds.join(', ') },
    { name: 'to', summary: 'Ids of the other issues', rest: true },
  ],
  flags: authorFlags,
  examples: ['tissue dep rm k3vd blocks x9qa'],
  async run(call) {
    const { args, output } = call
    const { ledger, events } = await change(call, (before) => decideUnlinks(before, findDeps(before, args)))
    if (events.length === 0) output.note('there was no such link')
    const shape = { nameOf: shortNames(ledger), isList: args.to.length > 1, prefix: 'no longer: ' }
    printLinks(output, findDeps(ledger, args), shape)
    return undefined
  },
})
