import { defineVerb } from '@switchyard/cli-kit'
import { shortNames } from '../issue/issue.ts'
import { decideLinks, findDeps } from '../ready/deps.ts'
import { printLinks } from '../render/link.ts'
import { depKinds } from '../schema/event.check.ts'
import { linkFlags } from '../schema/verb-flags.ts'
import { authorFlags, change } from '../session/session.ts'

/**
 * `tissue dep add`: links issues, all or none, and says how. Exits 5, naming the circle, when an issue would come to
 * wait for itself, and when a child has another parent already.
 */
export const depAdd = defineVerb({
  summary: 'Link issues: one blocks others, is their parent, relates to them',
  args: [
    { name: 'from', summary: 'Id of the issue that blocks, is the parent, was discovered from ...' },
    { name: 'kind', summary: depKinds.join(', ') },
    { name: 'to', summary: 'Ids of the other issues', rest: true },
  ],
  flags: {
    ...linkFlags,
    ...authorFlags,
  },
  examples: ['tissue dep add k3vd blocks x9qa', 'tissue dep add k3vd relates x9qa'],
  async run(call) {
    const { args, flags, output } = call
    const { ledger } = await change(call, (before) => decideLinks(before, findDeps(before, args), flags))
    printLinks(output, findDeps(ledger, args), { nameOf: shortNames(ledger), isList: args.to.length > 1 })
    return undefined
  },
})
