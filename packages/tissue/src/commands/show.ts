import { defineVerb } from '@switchyard/cli-kit'
import { busIfThere } from '../bus.ts'
import { commentsOf, findIssue, viewsOf } from '../issue.ts'
import { shownWhole } from '../render.ts'
import { look, storeFlag } from '../session.ts'

/** `tissue show`: an issue with its comments and what the bus says of it. Exits 3 when the id names none, 4 when it names several. */
export const show = defineVerb({
  summary: 'Show an issue with its comments and links',
  args: [{ name: 'id', summary: 'Id, or the beginning of its last part' }],
  flags: storeFlag,
  examples: ['tissue show auth-k3vd', 'tissue show k3vd --json'],
  async run(call) {
    const { ledger } = look(call, { openOnly: [call.args.id] })
    const views = viewsOf(ledger)
    const id = findIssue(ledger, call.args.id)
    const bus = busIfThere(call)
    const said = bus && (await import('../bus-messages.ts')).messagesAbout(bus, id, call.now())
    const messages = said ? { messages: said } : {}
    call.output.one({ ...views.view(id), comments: commentsOf(ledger, id), ...messages }, shownWhole(call.now()))
    return undefined
  },
})
