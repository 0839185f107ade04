import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { appendLine, readLines } from '@switchyard/jsonl'
import * as z from 'zod'
import { insideRoot } from '../explore/inside.ts'
import { appendEvents, startRun } from '../store/append-records.ts'
import { foldStatus } from '../store/fold-status.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { numberOr, textOf } from './arguments.ts'
import type { Helpers } from './reading-helpers.ts'

const importBytesMax = 10_000_000
const phases = ['initialized', 'scouting', 'chunking', 'mapping', 'reducing', 'completed']

const buffersFile = 'buffers.jsonl'
const bufferSchema = z.object({ v: z.literal(1), type: z.enum(['buffer', 'buffers_cleared']), text: z.string() })

type Reached = {
  now: () => number
  /** Runs another verb of deepscan on the scan; its stdout. */
  run: (args: readonly string[], input: string) => string
}

/** The helpers that keep something in a scan, or say how it stands. */
export function writingHelpers(open: OpenScan, { now, run }: Reached): Helpers {
  const tell = (phase: string, more: Readonly<Record<string, string>> = {}) => {
    appendEvents(open, startRun(now), [{ type: 'phase', phase, ...more }])
  }
  const add = (text: string) => run(['map', '--import', '-', '--json'], text)
  return new Map<string, (given: readonly unknown[]) => unknown>([
    ['is_lazy_mode', () => open.scan.mode === 'lazy'],
    ['get_status', () => foldStatus(open)],
    ['set_phase', ([phase]) => tell(oneOfPhases(textOf(phase, 'a phase')))],
    ['set_final_answer', ([answer]) => tell('completed', { answer: textOf(answer, 'an answer') })],
    ['add_buffer', ([text]) => keepBuffer(open, { v: 1, type: 'buffer', text: textOf(text, 'a text') })],
    ['get_buffers', () => readBuffers(open)],
    ['clear_buffers', () => keepBuffer(open, { v: 1, type: 'buffers_cleared', text: '' })],
    ['add_result', ([result]) => parseJson(add(`${JSON.stringify(result ?? null)}\n`))],
    ['add_results_from_file', ([path]) => parseJson(add(resultsIn(open, textOf(path, 'a path'))))],
    ['write_chunks', (given) => writeChunks(run, given)],
  ])
}

function oneOfPhases(phase: string): string {
  if (phases.includes(phase)) return phase
  throw new Failure('usage', `expected ${phases.join(', ')}, got ${JSON.stringify(phase)}`)
}

function keepBuffer({ folder }: OpenScan, record: z.infer<typeof bufferSchema>): void {
  appendLine(join(folder, buffersFile), JSON.stringify(record))
}

/** The texts that were kept since they were last cleared. */
function readBuffers({ folder }: OpenScan): string[] {
  let texts: string[] = []
  for (const line of readLines(join(folder, buffersFile))) {
    const record = bufferSchema.safeParse(parseJson(line.text))
    if (!record.success) continue
    texts = record.data.type === 'buffer' ? [...texts, record.data.text] : []
  }
  return texts
}

/** A file of the project with results: one object, an array of them, or one a line. */
function resultsIn({ scan }: OpenScan, path: string): string {
  const { absolute } = insideRoot(scan.root, scan.root, path)
  const text = readFileSync(absolute, 'utf8')
  if (text.length > importBytesMax) throw new Failure('limit', `${path} has more than ${importBytesMax} characters`)
  const whole = parseJson(text)
  if (whole === undefined) return text
  return `${[whole]
    .flat()
    .map((result) => JSON.stringify(result))
    .join('\n')}\n`
}

/** `write_chunks(out_dir, size, overlap, semantic)`: chunks are kept in the scan, whatever the folder; their ids. */
function writeChunks(run: Reached['run'], [, size, overlap, semantic]: readonly unknown[]): string[] {
  const bounds = ['--size', String(numberOr(size, 150_000)), '--overlap', String(numberOr(overlap, 0))]
  const mode = semantic === true ? 'ast' : 'fixed'
  return run(['chunk', ...bounds, '--mode', mode, '--quiet'], '')
    .split('\n')
    .filter(Boolean)
}
