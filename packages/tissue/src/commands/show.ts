import { defineVerb } from '@switchyard/cli-kit'
import { busIfThere } from '../bus/bus.ts'
import { shownWhole } from '../render/whole.ts'
import type { Issue } from '../schema/schemas.ts'
import { look, storeFlag } from '../session/session.ts'
import { readLedger } from '../store/store.ts'
import { findToRead, hasWhole, wholeViews } from '../view/whole.ts'

/**
 * `tissue show`: issues with their comments, links and what the bus says of them. Exits 3 when an id names none, 4 when
 * it names several.
 */
export const show = defineVerb({
  summary: 'Show issues with their comments and links',
  args: [{ name: 'id', summary: 'Id, or the beginning or the end of its last part', rest: true }],
  flags: storeFlag,
  examples: ['tissue show auth-k3vd', 'tissue show k3vd --json'],
  async run(call) {
    const { args, output } = call
    const now = call.now()
    const { store, ledger: open } = look(call, { openOnly: args.id })
    const all = () => readLedger(store.log).ledger
    const ids = [...new Set(args.id.map((name) => findToRead(open, name, all)))]
    const ledger = ids.every((id) => hasWhole(open, id)) ? open : all()
    const bus = busIfThere(call)
    const messagesAbout = bus && (await import('../bus/messages.ts')).messagesAbout
    const view = wholeViews(ledger, now)
    const unread = new Set<string>()
    const about = { now, onUnread: (text: string) => unread.add(text) }
    const issues = ids.map((id): Issue => {
      return bus && messagesAbout ? { ...view(id), messages: messagesAbout(bus, id, about) } : view(id)
    })
    for (const text of unread) output.note(`of the bus not all is read: ${text}`)
    const shown = shownWhole(now, output.isTerminal)
    const [only] = issues
    if (only && issues.length === 1) output.one(only, shown)
    else output.list(issues, { ...shown, text: (issue) => blockOf(shown.text(issue), issue === issues.at(-1)) })
    return undefined
  },
})

/** An issue among several ends with an empty line, but for the last. */
function blockOf(text: string, isLast: boolean): string {
  return isLast ? text : `${text}\n\n`
}
