import { type Call, defineVerb } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { Failure } from '@switchyard/ground/failure'
import type { Need } from '../cache/need.ts'
import type { Actor } from '../change/fence.ts'
import { parseMeta } from '../change/field-texts.ts'
import { parseNew } from '../change/input.ts'
import { draftsOfNew, type IdSource, linksOfNew } from '../change/new-issue.ts'
import { linksFrom } from '../change/new-links.ts'
import { findIssue, findKeyed, viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { refuseLinks } from '../ready/deps.ts'
import { shownId } from '../render/issue-line.ts'
import { fieldFlags } from '../schema/fields.ts'
import { newFlags } from '../schema/verb-flags.ts'
import { authorFlags, change, nameOf } from '../session/session.ts'

const spec = {
  summary: 'Create an issue and print its id',
  args: [
    { name: 'title', summary: 'What is to be done, in one line', optional: true },
    { name: 'stdin', summary: '- reads the body from stdin', optional: true },
  ],
  flags: {
    ...fieldFlags,
    ...newFlags,
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the body from a file' },
    plan: { type: 'string', value: 'FILE', summary: 'Create all issues of a plan, or none' },
    'check-similar': { type: 'boolean', summary: 'Not when an open issue says nearly the same' },
    'dry-run': { type: 'boolean', summary: 'Check everything, write nothing' },
    ...authorFlags,
  },
  examples: [
    'tissue new "Fix login" -p 1 -t auth',
    'git log -1 --format=%B | tissue new "Review the last commit" -',
    `echo '{"issues":[{"name":"a","title":"A"},{"name":"b","title":"B","blocked_by":"a"}]}' | tissue new --plan -`,
  ],
} as const

/**
 * `tissue new`: creates an issue and prints its id. With a key that was used before: prints that issue's id and
 * creates nothing. With --plan: creates a graph of issues in one write.
 */
export const newIssue = defineVerb({
  ...spec,
  async run(call) {
    if (call.flags.plan === undefined) return newOne(call)
    const { newPlan } = await import('../session/new-plan.ts')
    return newPlan(call)
  },
})

async function newOne(call: Call<typeof spec>): Promise<undefined> {
  const { flags, output } = call
  const { issue: wanted, words } = readNew(call)
  const { key } = flags
  const refuseSimilar = flags['check-similar'] ? (await import('../issue/similar.ts')).refuseSimilar : undefined
  const decide = (before: Ledger, _actor: Actor, source: IdSource) => {
    if (key !== undefined && findKeyed(before, key) !== undefined) return []
    const issue = { ...wanted, links: linksFrom(words, (name) => findIssue(before, name)) }
    refuseLinks(before, linksOfNew('the new issue', issue))
    refuseSimilar?.(before, issue)
    return flags['dry-run'] ? [] : draftsOfNew(before, [issue], source)
  }
  const { ledger, created } = await change(call, decide, needOf(call))
  const known = key === undefined ? undefined : findKeyed(ledger, key)
  const id = created[0] ?? known
  if (id === undefined) {
    const { shownMade } = await import('../render/made.ts')
    output.note(`would make ${JSON.stringify(wanted.title)}`)
    output.one({ v: 1, title: wanted.title, ...(key === undefined ? {} : { key }), created: true }, shownMade)
    return undefined
  }
  if (created.length === 0) output.note(`the key ${key} has its issue already`)
  output.one(viewsOf(ledger).view(id), shownId)
  return undefined
}

/** Whether a link makes a circle takes all links to say, but where only one leads to the new issue it cannot. */
function needOf({ flags }: Call<typeof spec>): Need {
  const { key, parent, blocks, 'blocked-by': blockedBy, 'discovered-from': origin } = flags
  if (blocks.length > 0 || (parent !== undefined && blockedBy.length > 0)) return 'everything'
  const openOnly = [parent, origin, ...blockedBy].filter((name) => name !== undefined)
  return { openOnly, keys: key === undefined ? [] : [key] }
}

const otherWord = 'quote a title of several words; a body goes behind -b'

function readNew(call: Call<typeof spec>) {
  const { args, flags, now } = call
  const { title } = args
  if (title === undefined)
    throw new Failure('usage', 'expected <title>, got nothing', { hint: 'see tissue new --help' })
  const fields = {
    ...flags,
    title,
    body: readBody({ text: flags.body, file: flags.file, stdin: args.stdin, hint: otherWord }, call),
    meta: parseMeta(flags.meta),
    blocked_by: flags['blocked-by'],
    discovered_from: flags['discovered-from'],
  }
  return parseNew(fields, now(), () => nameOf(call))
}
