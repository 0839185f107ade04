import { availableParallelism } from 'node:os'
import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { chunkFiles, type Fallback } from '../chunk/chunk-files.ts'
import { type ChunkSettings, checkSettings, chunkModes } from '../chunk/chunk-settings.ts'
import type { FileText } from '../chunk/describe.ts'
import { makeChunk } from '../chunk/make-chunk.ts'
import { counted, renderChunk } from '../chunk/render-chunk.ts'
import { fail } from '../errors/fail.ts'
import { startRun } from '../store/append-records.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import { type OpenScan, openScan } from '../store/open-scan.ts'
import { publishEvents } from '../store/publish-events.ts'
import { readManifest } from '../store/read-records.ts'
import { readSnapshot } from '../store/read-text.ts'
import { replaceChunks } from '../store/replace-chunks.ts'
import type { Scan } from '../store/scan-schema.ts'
import { openParserPool } from '../syntax/parser-process.ts'
import { decodeText } from '../walk/measure.ts'

/** A grammar that takes longer for one file does not end. */
const parseDeadlineMs = 60_000

/** `deepscan chunk`: cuts the files of a scan into pieces that an agent can read at once. */
export const chunk = defineVerb({
  summary: 'Cut the files of a scan into chunks that an agent reads at once',
  flags: {
    size: { type: 'integer', value: 'N', min: 1, max: 1e9, summary: 'Characters of a chunk, 50000 to 300000 (150000)' },
    tokens: { type: 'integer', value: 'N', min: 1, max: 1e9, summary: 'Tokens of a chunk instead, 100 to 1000000' },
    overlap: { type: 'integer', value: 'N', min: 0, max: 1e9, summary: 'Repeat so much of the chunk before (0)' },
    mode: {
      type: 'choice',
      choices: chunkModes,
      default: 'ast',
      summary: 'Cut between declarations, lines, or anywhere',
    },
    adaptive: { type: 'boolean', short: 'a', summary: 'Smaller chunks of code and data, larger ones of prose' },
    strict: { type: 'boolean', summary: 'Fail where a file cannot be cut by its syntax' },
    plan: { type: 'boolean', summary: 'Show the chunks and write nothing' },
    'max-chunks': { type: 'integer', value: 'N', min: 1, max: 1e6, default: 500, summary: 'Refuse to make more' },
    warn: { type: 'integer', value: 'N', min: 1, max: 1e6, default: 100, summary: 'Warn of more' },
    session: { type: 'string', value: 'ID', summary: 'The scan, if not the current one' },
  },
  examples: ['deepscan chunk', 'deepscan chunk --tokens 8000 --plan', 'deepscan chunk --adaptive --quiet'],
  async run({ flags, cwd, env, now, output }) {
    const open = openScan(env, cwd, flags.session)
    const settings = settingsFrom(open.scan, flags)
    checkSettings(settings)
    const { chunks, fallbacks, files } = await chunksOf(open, settings, env)
    const [lostFile] = fallbacks
    if (flags.strict && lostFile !== undefined) throw fail('DS-101', { ...lostFile, hint: lostFile.reason })
    if (chunks.length === 0) throw fail('DS-202', { scan: open.scan.id })
    const max = flags['max-chunks']
    if (chunks.length > max && !flags.plan)
      throw fail('DS-201', { reason: `${chunks.length} chunks are more than ${max}` })
    if (!flags.plan) {
      const phase = { type: 'phase' as const, phase: 'chunking', chunks: chunks.length }
      const lost = fallbacks.map((fallback) => ({ type: 'parse_fallback' as const, ...fallback }))
      await replaceChunks(open, chunks, { run: startRun(now), drafts: [phase, ...lost] })
      await publishEvents(open, env)
    }
    output.list(chunks, { text: renderChunk, id: ({ id }) => id })
    for (const { path, reason } of fallbacks) output.note(`${path} was cut by its layout: ${reason}`)
    const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
    output.note(`${counted(chunks.length, 'chunk')} of ${counted(files, 'file')}, about ${counted(tokens, 'token')}`)
    if (chunks.length > flags.warn)
      output.note(`more than ${flags.warn} chunks: a larger --size or fewer files cost less`)
  },
})

type Flags = {
  size: number | undefined
  tokens: number | undefined
  overlap: number | undefined
  adaptive: boolean
  mode: ChunkSettings['mode']
}

function settingsFrom(scan: Scan, { size, tokens, overlap, adaptive, mode }: Flags): ChunkSettings {
  if (size !== undefined && tokens !== undefined) {
    throw new Failure('usage', 'expected --size or --tokens, got both', { hint: 'a chunk has one size' })
  }
  if (mode === 'fixed' && tokens !== undefined) {
    throw new Failure('usage', 'expected --size with --mode fixed, got --tokens', {
      hint: 'fixed chunks count characters',
    })
  }
  const limit =
    tokens !== undefined
      ? { unit: 'tokens' as const, size: tokens }
      : size !== undefined
        ? { unit: 'characters' as const, size }
        : { unit: scan.unit, size: scan.size }
  return { mode, limit, overlap: overlap ?? scan.overlap, adaptive: adaptive || scan.adaptive }
}

type Env = Readonly<Record<string, string | undefined>>
type Outcome = { chunks: readonly Chunk[]; fallbacks: readonly Fallback[]; files: number }

async function chunksOf(open: OpenScan, settings: ChunkSettings, env: Env): Promise<Outcome> {
  const parser = openParserPool({ env, processes: Math.min(availableParallelism(), 4), deadlineMs: parseDeadlineMs })
  const fallbacks: Fallback[] = []
  let files = 0
  const counting = function* () {
    for (const file of filesOf(open)) {
      files++
      yield file
    }
  }
  try {
    const packed = await chunkFiles(counting(), settings, { parser, fallBack: (fallback) => fallbacks.push(fallback) })
    fallbacks.sort((a, b) => (a.path < b.path ? -1 : 1))
    return { chunks: packed.map((pieces, index) => makeChunk(pieces, index, settings.mode)), fallbacks, files }
  } finally {
    parser.end()
  }
}

function* filesOf(open: OpenScan): Generator<FileText> {
  for (const entry of readManifest(open)) {
    if (entry.skip !== null) continue
    const bytes = readSnapshot(open, entry)
    yield { ...entry, bytes, text: decodeText(bytes, entry.encoding, entry.mark) }
  }
}
