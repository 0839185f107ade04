import { defineVerb } from '@switchyard/cli-kit'
import { depsIn, findIssue, isIssueOver, readState, shortNames } from '../issue/issue.ts'
import { parseDepKind } from '../ready/deps.ts'
import { linkRecord, shownLink } from '../render/link.ts'
import { oneLine } from '../render/marks.ts'
import { depKinds } from '../schema/event.check.ts'
import { look, storeFlag } from '../session/session.ts'
import { firstOf, limitFlag } from '../text/limit.ts'

/** `tissue dep list`: the links of an issue, read from its side, or all links. */
export const depList = defineVerb({
  summary: 'List the links of an issue, or all',
  args: [{ name: 'id', summary: 'Id, or the beginning of its last part', optional: true }],
  flags: {
    kind: { type: 'list', value: 'KIND', summary: `Only these: ${depKinds.join(', ')}` },
    ...limitFlag(200),
    ...storeFlag,
  },
  examples: ['tissue dep list k3vd', 'tissue dep list --kind blocks --json'],
  run(call) {
    const { args, flags, output } = call
    const { ledger } = look(call)
    const kinds = flags.kind.map(parseDepKind)
    const side = args.id === undefined ? undefined : findIssue(ledger, args.id)
    const found = [...depsIn(ledger)].filter(({ kind, from, to }) => {
      if (kinds.length > 0 && !kinds.includes(kind)) return false
      return side === undefined || from === side || to === side
    })
    const shown = shownLink({ nameOf: shortNames(ledger), side })
    const text = (link: Parameters<typeof shown.text>[0]) => {
      if (side === undefined) return shown.text(link)
      const other = shown.id(link)
      const title = oneLine(readState(ledger, other)?.title ?? '(not in this store)')
      return `${shown.text(link)}  ${title}${isIssueOver(ledger, other) ? '  (over)' : ''}`
    }
    output.list(firstOf(output, found, flags.limit).map(linkRecord), { text, id: shown.id, empty: 'no links' })
    return undefined
  },
})
