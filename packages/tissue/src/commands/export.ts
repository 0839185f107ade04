import { type Call, defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { chunksOf, outFile, writeOut } from '@switchyard/topic/out-file'
import type { z } from 'zod'
import { type ExportedIssue, exportedIssues } from '../export/exported.ts'
import { exportFormats, isText, recordsOf, type ViewFormat, viewLines } from '../export/format.ts'
import { readChoice } from '../query/choice.ts'
import type { exported } from '../schema/transfer-schemas.ts'
import { authorFlags, look, nameOf, noteStrange, storeOf } from '../session/session.ts'
import { readEventLines } from '../store/store.ts'

const spec = {
  summary: 'Print the events, or the issues as other programs know them',
  flags: {
    format: {
      type: 'choice',
      choices: exportFormats,
      default: 'jsonl',
      summary: 'jsonl are the events, all of them; the others show the issues as they are now',
    },
    out: { type: 'string', short: 'o', value: 'FILE', summary: 'Write to this file instead of stdout' },
    query: {
      type: 'string',
      value: 'QUERY',
      summary: "Only issues that fit: 'status:open AND tag:auth'; not of jsonl",
    },
    all: {
      type: 'boolean',
      short: 'a',
      summary: 'Also repeated lines, what was taken back and lines that are no events; of jsonl only',
    },
    ...authorFlags,
  },
  examples: [
    'tissue export > issues.jsonl',
    'tissue export | tissue import - --store other/.tissue',
    "tissue export --format csv --query 'priority<=2' -o issues.csv",
    'tissue export --format markdown',
  ],
} as const

/**
 * `tissue export`: the events as they lie in the log, one a line, each once; `tissue import` in another store takes
 * them in. Other formats: the issues, closed ones too, one state each.
 */
export const exportEvents = defineVerb({
  ...spec,
  async run(call) {
    const { format } = call.flags
    if (format === 'jsonl') return exportLog(call)
    if (call.flags.all) {
      throw new Failure('usage', `expected --all with jsonl only, ${format} leaves nothing out`)
    }
    return await exportView(call, format)
  },
})

function exportLog(call: Call<typeof spec>): undefined {
  const { flags, output } = call
  if (flags.query !== undefined) {
    throw new Failure('usage', 'expected --query with another format than jsonl, whose events are of no use alone', {
      hint: 'see --format',
    })
  }
  const read = readEventLines(storeOf(call).log, { all: flags.all })
  noteStrange(call, read)
  const events = read.lines
  const texts = linesOf(events, ({ text }) => text)
  if (flags.out !== undefined) return writeTo(call, flags.out, texts)
  if (output.mode === 'json' || output.mode === 'quiet') {
    const id = ({ id: own }: Record<string, unknown>) => String(own ?? '')
    output.list(
      [...events].map(({ record }) => record),
      { text: id, id },
    )
    return undefined
  }
  // As they lie there they could act on a terminal.
  if (output.isTerminal) for (const { text, record } of events) output.each(record, { text: () => text, id: () => '' })
  else for (const chunk of chunksOf(texts)) output.raw(chunk)
  return undefined
}

async function exportView(call: Call<typeof spec>, format: ViewFormat): Promise<undefined> {
  const { flags, output, now } = call
  const choose = await readChoice({ tag: [], type: [], query: flags.query })
  const { ledger } = look(call)
  const issues = exportedIssues(
    ledger,
    choose(ledger, now(), () => nameOf(call)),
  )
  if (flags.out !== undefined) return writeTo(call, flags.out, viewLines(format, issues))
  if (output.mode === 'quiet') {
    output.list(issues, { text: ({ id }: ExportedIssue) => id, id: ({ id }: ExportedIssue) => id })
    return undefined
  }
  if (output.mode === 'text' && output.isTerminal) {
    for (const line of viewLines(format, issues)) output.each(line, { text: String, id: String })
    return undefined
  }
  if (output.mode !== 'text') {
    if (isText(format))
      throw new Failure('usage', `expected --out beside --${output.mode}, because ${format} is no JSON`)
    const records = recordsOf(format, issues)
    output.list(records, { text: String, id: String })
    return undefined
  }
  for (const chunk of chunksOf(viewLines(format, issues))) output.raw(chunk)
  return undefined
}

/** Writes a file that is there whole or as it was before, and says how many lines it has. */
function writeTo(call: Call<typeof spec>, out: string, pieces: Iterable<string>): undefined {
  const path = outFile(storeOf(call), call.cwd, out)
  let lines = 0
  const counted = function* () {
    for (const piece of pieces) {
      lines += piece.split('\n').length - 1
      yield piece
    }
  }
  writeOut(path, counted(), call.now())
  call.output.one({ path, lines }, { text: (report: Exported) => report.path, id: (report: Exported) => report.path })
}

function* linesOf<T>(values: Iterable<T>, textOf: (value: T) => string): Generator<string> {
  for (const value of values) yield `${textOf(value)}\n`
}

/** What `export --out` says about the file that it wrote. */
type Exported = Readonly<z.infer<typeof exported>>
