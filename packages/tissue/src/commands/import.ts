import { defineVerb } from '@switchyard/cli-kit'
import { ulid } from '@switchyard/topic'
import { readLinesIn } from '../body.ts'
import { decideImport, keyOf, parseImport } from '../import.ts'
import { type Imported, reportImport } from '../import-report.ts'
import { authorFlags, change, storeOf } from '../session.ts'
import { readTexts } from '../store.ts'

/**
 * `tissue import`: one issue for each finding that has none, and the union of events. All or nothing: exits 2 on a
 * bad line.
 */
export const importIssues = defineVerb({
  summary: 'Make issues of findings, or take in events of another store; prints the ids it made',
  args: [{ name: 'file', summary: 'JSON Lines; stdin when it is - or not given', optional: true }],
  flags: {
    'dry-run': { type: 'boolean', summary: 'Say what would be made, write nothing' },
    ...authorFlags,
  },
  examples: ['tissue import findings.jsonl', 'tissue import - --quiet < findings.jsonl'],
  async run(call) {
    const { args, flags, output, now } = call
    const incoming = parseImport(readLinesIn(args.file ?? '-', call))
    const texts = readTexts(storeOf(call).log)
    let planned = 0
    const { ledger, created } = await change(call, (before, _actor, { base }) => {
      const entries = decideImport(before, incoming, texts, { base, ulid: () => ulid(now()) })
      planned = entries.filter((entry) => entry.type === 'created').length
      return flags['dry-run'] ? [] : entries
    })
    const report = reportImport(ledger, incoming.findings.map(keyOf), created)
    if (flags['dry-run']) output.note(`would make ${planned} ${planned === 1 ? 'issue' : 'issues'}`)
    const known = report.filter((issue) => !issue.created)
    if (known.length > 0) {
      const closed = known.filter((issue) => issue.closed).length
      output.note(`${known.length} already there${closed > 0 ? `, ${closed} of them closed and not reopened` : ''}`)
    }
    const isJson = output.mode === 'json' || output.mode === 'jsonl'
    const shown = { text: ({ id }: Imported) => id, id: ({ id }: Imported) => id }
    output.list(isJson ? report : report.filter((issue) => issue.created), shown)
    return undefined
  },
})
