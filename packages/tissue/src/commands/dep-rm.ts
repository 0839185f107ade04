import { defineVerb } from '@switchyard/cli-kit'
import { decideUnlink, findDep, renderDep } from '../deps.ts'
import { depKinds } from '../guard.ts'
import { authorFlags, change } from '../session.ts'

/** `tissue dep rm`: removes a link; one that is not there is no error. */
export const depRemove = defineVerb({
  summary: 'Remove a link between two issues',
  args: [
    { name: 'from', summary: 'Id of the issue that blocks, relates or is the parent' },
    { name: 'kind', summary: depKinds.join(', ') },
    { name: 'to', summary: 'Id of the other issue' },
  ],
  flags: authorFlags,
  examples: ['tissue dep rm k3vd blocks x9qa'],
  async run(call) {
    const { ledger } = await change(call, (before) => decideUnlink(before, findDep(before, call.args)))
    const dep = findDep(ledger, call.args)
    call.output.one(dep, { text: () => `no longer: ${renderDep(dep)}`, id: ({ from }) => from })
    return undefined
  },
})
