import { type Call, defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { circlesIn, renderCircle } from '../graph/circle.ts'
import { renderLink } from '../graph/link-text.ts'
import { type Decision, decideBrought, keysOf } from '../import/decide.ts'
import { importFormats } from '../import/format.ts'
import { type Brought, readImport } from '../import/read.ts'
import { describeKnown, type Imported, type Planned, reportImport } from '../import/report.ts'
import { depsIn, shortNames } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { authorFlags, change, storeOf } from '../session/session.ts'
import { readTexts } from '../store/store.ts'

const shownMax = 5

const spec = {
  summary: 'Make issues of findings, other trackers, task lists or tables',
  args: [{ name: 'file', summary: 'What to import; stdin when it is - or not given', optional: true }],
  flags: {
    from: { type: 'choice', choices: importFormats, summary: 'Format of the file; found out from it when not given' },
    'dry-run': { type: 'boolean', summary: 'Say what would be made, write nothing' },
    'close-missing': { type: 'boolean', summary: 'Close the issues of findings that are not among these' },
    within: { type: 'list', value: 'PATH', summary: 'With --close-missing: only of findings in this file or folder' },
    force: { type: 'boolean', summary: 'With --close-missing: also when there is no finding at all' },
    ...authorFlags,
  },
  examples: [
    'tissue import findings.jsonl',
    'tissue import - --quiet < findings.jsonl',
    'tissue import findings.jsonl --close-missing --within src',
    "printf -- '- [ ] Fix login #sso\\n' | tissue import - --dry-run",
  ],
} as const

/**
 * `tissue import`: one issue for each that has none yet, and the union of events. All or nothing: exits 2 on a bad
 * line, 7 on a conflict marker.
 */
export const importIssues = defineVerb({
  ...spec,
  async run(call) {
    const { args, flags, output, now } = call
    checkFlags(call)
    const brought = readImport(args.file ?? '-', flags.from, call)
    if (flags['close-missing']) requireFindings(brought, flags.force)
    const texts = brought.kind === 'own' ? readTexts(storeOf(call).log) : new Map<string, string>()
    const decided: Decision[] = []
    const { ledger, created } = await change(call, (before, _actor, source) => {
      const closing = { isWanted: flags['close-missing'], within: flags.within, now: now() }
      const decision = decideBrought(before, brought, texts, { source, closing })
      decided[0] = decision
      return flags['dry-run'] ? [] : decision.entries
    })
    const [decision] = decided
    if (!decision) throw new Error('bug: a change was not decided')
    noteLeftOut(call, decision)
    if (flags['dry-run']) return printPlan(call, decision)
    if (brought.kind === 'foreign' && decision.entries.length > 0) noteCircles(call, ledger)
    const report = reportImport(ledger, { keys: keysOf(brought), created, changed: decision.changed })
    const known = describeKnown(report)
    if (known !== undefined) output.note(known)
    const isJson = output.mode === 'json' || output.mode === 'jsonl'
    const shown = { text: ({ id }: Imported) => id, id: ({ id }: Imported) => id }
    output.list(isJson ? report : report.filter((issue) => issue.created), shown)
    return undefined
  },
})

function checkFlags({ flags }: Call<typeof spec>): void {
  if (flags['close-missing'] || (flags.within.length === 0 && !flags.force)) return
  throw new Failure('usage', 'expected --within and --force beside --close-missing only')
}

/** A scan that failed has no findings either, and would close everything. */
function requireFindings(brought: Brought, isForced: boolean): void {
  if (brought.kind === 'own' && (isForced || brought.incoming.findings.length > 0)) return
  throw new Failure('usage', 'expected findings beside --close-missing, got none; a scan that failed looks like that', {
    hint: 'add --force if nothing is left to be found',
  })
}

function noteLeftOut({ output }: Call<typeof spec>, { held, lost }: Decision): void {
  if (held.length > 0) output.note(`no longer found, but left to who holds it: ${listed(held)}`)
  if (lost.length > 0)
    output.note(`links to no other issue were left out: ${listed(lost.map((link) => renderLink(link)))}`)
}

/** They are kept, because what was written there is not ours to judge; tissue itself makes none. */
function noteCircles({ output }: Call<typeof spec>, ledger: Ledger): void {
  const nameOf = shortNames(ledger)
  const circles = circlesIn([...depsIn(ledger)]).map((circle) => renderCircle(circle, nameOf))
  if (circles.length > 0) output.note(`links go in a circle: ${listed(circles)}; remove one with tissue dep rm`)
}

function listed(words: readonly string[]): string {
  const more = words.length > shownMax ? ` and ${words.length - shownMax} more` : ''
  return `${words.slice(0, shownMax).join('; ')}${more}`
}

function printPlan({ output }: Call<typeof spec>, { planned, changed }: Decision): undefined {
  const count = `would make ${counted(planned.length, 'issue')}`
  output.note(changed.size === 0 ? count : `${count} and change ${changed.size}`)
  output.list(planned, { text: renderPlanned, id: () => '' })
}

function renderPlanned({ priority, title }: Planned): string {
  return `P${priority}  ${title}`
}
