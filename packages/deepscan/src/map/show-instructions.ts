import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import type { Context } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { statAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'
import { writeAll } from '@switchyard/ground/whole-file'
import { orUnwritten } from '@switchyard/topic/unwritten'
import type { Chunk } from '../store/chunk-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest, readResults } from '../store/read-records.ts'
import { chooseChunks, lastResults, type Only } from './choose-chunks.ts'
import { type Files, readContent } from './chunk-content.ts'
import { type PageHead, type PromptRecord, pageFoot, pageHead, pagePrompt } from './instructions.ts'
import { type PromptFrame, promptFor } from './prompt.ts'
import { requireChunks } from './require-chunks.ts'

/** Which prompts, and where they go. */
export type Wanted = {
  readonly only: Only
  readonly jobs: number
  readonly batch: number | undefined
  readonly limit: number | undefined
  readonly out: string | undefined
  readonly format: string
}

const shownDefault = 5
const fenceBytes = 8

/**
 * `deepscan map --instructions`: the prompts of the chunks that wait for an answer, for a host agent that asks agents of
 * its own. To a file go all of them. Exits 3 for a batch that there is not.
 */
export async function showInstructions(
  open: OpenScan,
  wanted: Wanted,
  frame: PromptFrame,
  call: Context,
): Promise<undefined> {
  const pending = chooseChunks(await requireChunks(open, call), lastResults(readResults(open)), wanted.only)
  const batches = Math.ceil(pending.length / wanted.jobs)
  const chunks = pageOf(pending, wanted, batches)
  const head = {
    scan: open.scan.id,
    query: frame.query,
    pending: pending.length,
    shown: chunks.length,
    batch: wanted.batch,
    batches,
  }
  const records = promptsOf(open, chunks, frame)
  const isLines = wanted.format === 'jsonl' || call.output.mode === 'jsonl'
  if (wanted.out !== undefined) {
    await writePieces(resolve(call.cwd, wanted.out), isLines ? linesOf(records) : pageOfPrompts(head, records))
    call.output.note(`${counted(chunks.length, 'prompt')} written to ${wanted.out}`)
    return undefined
  }
  if (call.output.mode === 'text' && !isLines)
    for await (const piece of pageOfPrompts(head, records)) call.output.raw(piece)
  else for await (const record of records) showRecord(record, isLines, call.output)
  return undefined
}

function pageOf(pending: readonly Chunk[], { batch, limit, out, jobs }: Wanted, batches: number): readonly Chunk[] {
  if (batch !== undefined && batch > batches) {
    throw new Failure('notFound', `expected --batch from 1 to ${batches}, got ${batch}`, {
      hint: `${counted(pending.length, 'chunk')} wait for an answer`,
    })
  }
  const from = batch === undefined ? pending : pending.slice((batch - 1) * jobs, batch * jobs)
  return from.slice(0, limit ?? (out === undefined && batch === undefined ? shownDefault : from.length))
}

async function* promptsOf(open: OpenScan, chunks: readonly Chunk[], frame: PromptFrame): AsyncGenerator<PromptRecord> {
  const files: Files = new Map([...readManifest(open)].map((entry) => [entry.path, entry]))
  const fence = randomBytes(fenceBytes).toString('hex')
  for (const chunk of chunks) {
    const { parts } = await readContent(open, files, chunk)
    const prompt = promptFor(frame, { chunk: chunk.id, parts, header: chunk.header, around: [], hints: [] }, fence)
    const paths = [...new Set(chunk.spans.map(({ path }) => path))]
    yield {
      ...{ v: 1, type: 'prompt', scan: open.scan.id, chunk: chunk.id, index: chunk.index, paths },
      ...{ agent_type: frame.type.name, prompt },
    }
  }
}

async function* pageOfPrompts(head: PageHead, records: AsyncIterable<PromptRecord>): AsyncGenerator<string> {
  yield pageHead(head)
  for await (const record of records) yield pagePrompt(record)
  yield pageFoot(head)
}

async function* linesOf(records: AsyncIterable<PromptRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}

function showRecord(record: PromptRecord, isLine: boolean, output: Context['output']): void {
  if (isLine) output.raw(`${JSON.stringify(record)}\n`)
  else output.each(record, { text: pagePrompt, id: ({ chunk }) => chunk })
}

/** A file that others see whole or not at all; a prompt at a time is in memory. */
async function writePieces(path: string, pieces: AsyncIterable<string>): Promise<void> {
  if (statAt(path)?.isFile() === false) throw new Failure('usage', `expected -o to name a file, got ${path}`)
  const draft = `${path}.${process.pid}.draft`
  const fd = orUnwritten(`${path} was to be written`, () => {
    mkdirSync(dirname(path), { recursive: true })
    return openSync(draft, 'w', 0o600)
  })
  try {
    for await (const piece of pieces) orUnwritten(`${path} was to be written`, () => writeAll(fd, Buffer.from(piece)))
    fsyncSync(fd)
    renameSync(draft, path)
  } finally {
    closeSync(fd)
    rmSync(draft, { force: true })
  }
}
