import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Call, defineVerb } from '@switchyard/cli-kit'
import { readLinesOf } from '@switchyard/cli-kit/body'
import { counted } from '@switchyard/cli-kit/counted'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { decideForeign, type ForeignDecision } from '../import/decide-foreign.ts'
import { foldSource } from '../migrate/fold.ts'
import { type Migration, reportMigration } from '../migrate/report.ts'
import { findSource, readSource } from '../migrate/source.ts'
import { authorFlags, change, storeOf } from '../session/session.ts'

const spec = {
  summary: 'Take over the issues of a store written by the original tissue',
  args: [{ name: 'source', summary: 'Its folder, the folder it is in, or its issues.jsonl' }],
  flags: { 'dry-run': { type: 'boolean', summary: 'Only say what would come' }, ...authorFlags },
  examples: ['tissue migrate old/.tissue --dry-run', 'tissue migrate old/.tissue'],
} as const

/**
 * `tissue migrate`: the newest revision of every issue, with comments and links, under the ids they have. Exits 7 when
 * a line of the source is damaged; the rest is taken over.
 */
export const migrate = defineVerb({
  ...spec,
  async run(call) {
    const { args, flags, output, cwd } = call
    const file = findSource(resolve(cwd, args.source))
    requireElsewhere(call, file)
    const { records, damaged } = readSource(readLinesOf(file))
    const source = foldSource(records)
    const decided: ForeignDecision[] = []
    const { created } = await change(call, (before, _actor, ids) => {
      const first = source.issues.find(({ id }) => id !== undefined)?.id
      const root = first === undefined ? ids.root : first.slice(0, first.lastIndexOf('-'))
      decided[0] = decideForeign(before, source, { ...ids, root })
      return flags['dry-run'] ? [] : decided[0].entries
    })
    const [decision] = decided
    if (!decision) throw new Error('bug: a change was not decided')
    const report = reportMigration(decision, { file, source, damaged, created, isDry: flags['dry-run'] })
    output.one(report, { text: renderMigration, id: ({ created: ids }) => ids })
    return damaged.length > 0 ? exitCodes.corrupt : undefined
  },
})

/** The source is only ever read, and the log only ever appended to: they have to be two. */
function requireElsewhere(call: Call<typeof spec>, file: string): void {
  const { path, log } = storeOf(call)
  if (!existsSync(log) || realpathSync(file) !== realpathSync(log)) return
  throw new Failure('usage', `expected a store to migrate from, got the one to migrate to, ${path}`, {
    hint: `move it away first: mv ${path} ${path}-old, then tissue migrate ${path}-old`,
  })
}

function renderMigration({
  source,
  dry_run,
  created,
  issues,
  comments,
  links,
  present,
  changed,
  left_out,
  damaged,
}: Migration) {
  const made = dry_run ? 'to make' : 'made'
  return [
    ...damaged.map(({ line, reason }) => `${source}:${line}: ${reason}`),
    ...(left_out.comments === 0
      ? []
      : [`left out: ${counted(left_out.comments, 'comment')} of issues that are not there`]),
    ...left_out.links.map((link) => `left out: ${link}`),
    ...(dry_run ? [] : created),
    `${counted(issues, 'issue')} ${made}, ${present} there before${changed === 0 ? '' : `, ${changed} of them changed`}; ` +
      `${counted(comments, 'comment')}, ${counted(links, 'link')}`,
  ].join('\n')
}
