import { type Call, defineVerb } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { Failure } from '@switchyard/ground/failure'
import { decideEdit, type Edit } from '../change/edit.ts'
import { parseMeta } from '../change/field-texts.ts'
import { parseEdit } from '../change/input.ts'
import { findIssue, findIssues, viewsOf } from '../issue/issue.ts'
import { asOne, type NewEntry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { printAsked, shownId } from '../render/issue-line.ts'
import { fieldFlags } from '../schema/fields.ts'
import { editFlags } from '../schema/verb-flags.ts'
import { authorFlags, change, nameOf } from '../session/session.ts'

const spec = {
  summary: 'Change what issues say',
  args: [
    { name: 'id', summary: 'Ids, or the beginnings of their last parts; - reads the body from stdin', rest: true },
  ],
  flags: {
    ...fieldFlags,
    ...editFlags,
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the body from a file' },
    ...authorFlags,
  },
  examples: ['tissue edit k3vd --priority 1 --add-tag urgent', 'tissue edit k3vd --append "Only with SSO."'],
} as const

/**
 * `tissue edit`: changes fields, tags, references and the parent, of all issues or of none; what is as asked already is
 * left alone. Exits 5 when the issue is no longer at --if-rev.
 */
export const edit = defineVerb({
  ...spec,
  async run(call) {
    const { args, output } = call
    const names = args.id.filter((name) => name !== '-')
    const wanted = readEdit(call, names.length < args.id.length)
    if (names.length === 0) throw new Failure('usage', 'expected <id>, got nothing')
    refuseNothing(call)
    refuseShared(call, names)
    const decide = (before: Ledger): readonly NewEntry[] => {
      const { parent } = call.flags
      const parentId = parent === undefined || parent === 'none' ? null : findIssue(before, parent)
      const edit = parent === undefined ? wanted : { ...wanted, parent: parentId }
      return asOne(findIssues(before, names).flatMap((id) => decideEdit(before, id, edit)))
    }
    const { ledger } = await change(call, decide, call.flags.parent === undefined ? { openOnly: names } : 'everything')
    const changed = findIssues(ledger, names).map(viewsOf(ledger).view)
    printAsked(output, changed, { shown: shownId, isList: names.length > 1 })
    return undefined
  },
})

function readEdit(call: Call<typeof spec>, fromStdin: boolean): Edit {
  const { flags, now } = call
  const fields = {
    ...flags,
    body: readBody({ text: flags.body, file: flags.file, stdin: fromStdin ? '-' : undefined }, call),
    meta: parseMeta(flags.meta),
    add_tag: flags['add-tag'],
    rm_tag: flags['rm-tag'],
    add_ref: flags['add-ref'],
    rm_ref: flags['rm-ref'],
    if_rev: flags['if-rev'],
  }
  return parseEdit(fields, now(), () => nameOf(call))
}

/** An edit that asks for nothing is a slip, and would look like a success. */
function refuseNothing({ flags, args }: Call<typeof spec>): void {
  const { store, as, 'if-rev': rev, ...changes } = flags
  const isGiven = Object.values(changes).some((value) =>
    typeof value === 'object' ? value.length > 0 : value !== undefined,
  )
  if (isGiven || args.id.includes('-')) return
  throw new Failure('usage', 'expected something to change, got nothing', { hint: 'see tissue edit --help' })
}

/** What can only be true of one issue is not given to several by mistake. */
function refuseShared({ flags, args }: Call<typeof spec>, names: readonly string[]): void {
  if (names.length === 1) return
  const own = (['title', 'body', 'file', 'if-rev'] as const).find((name) => flags[name] !== undefined)
  const what = args.id.includes('-') ? 'a body' : own && `--${own}`
  if (what) throw new Failure('usage', `expected one issue for ${what}, got ${names.length}`)
}
