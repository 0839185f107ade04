import { defineVerb } from '@switchyard/cli-kit'
import { decideLink, findDep, renderDep } from '../deps.ts'
import { depKinds } from '../guard.ts'
import { authorFlags, change } from '../session.ts'

/**
 * `tissue dep add`: links two issues and says how. Exits 5, naming the circle, when an issue would come to wait for
 * itself.
 */
export const depAdd = defineVerb({
  summary: 'Link two issues: one blocks, relates to, or is the parent of the other',
  args: [
    { name: 'from', summary: 'Id of the issue that blocks, relates or is the parent' },
    { name: 'kind', summary: depKinds.join(', ') },
    { name: 'to', summary: 'Id of the other issue' },
  ],
  flags: authorFlags,
  examples: ['tissue dep add k3vd blocks x9qa', 'tissue dep add k3vd parent x9qa'],
  async run(call) {
    const { ledger } = await change(call, (before) => decideLink(before, findDep(before, call.args)))
    const dep = findDep(ledger, call.args)
    call.output.one(dep, { text: () => renderDep(dep), id: ({ from }) => from })
    return undefined
  },
})
