import { isParsed } from '../syntax/language.ts'
import type { ParserPool } from '../syntax/parser-process.ts'
import { type ChunkSettings, limitFor } from './chunk-settings.ts'
import { type CutText, cutLines, cutText, type Limit, sharesOf } from './cut-text.ts'
import { describePieces, type FilePiece, type FileText } from './describe.ts'
import { fixedChunks } from './fixed.ts'
import { packFiles } from './pack.ts'
import { type CutAnswer, cutAnswerSchema } from './parser-answers.ts'
import { fits } from './split.ts'

/** A file whose grammar did not answer: it was cut by its layout. */
export type Fallback = { path: string; language: string; reason: string }

type Means = { parser: ParserPool; fallBack: (fallback: Fallback) => void }

/** Files that are cut at the same time, so that processes parse while others are read. */
const aheadMax = 4

/** Cuts and packs files, which are sorted by path, into chunks; each is a list of pieces of files, in their order. */
export async function chunkFiles(
  files: Iterable<FileText>,
  settings: ChunkSettings,
  means: Means,
): Promise<readonly (readonly FilePiece[])[]> {
  if (settings.mode === 'fixed') return [...fixedChunks(files, { ...settings, size: settings.limit.size }, wholePiece)]
  const cut: (readonly FilePiece[])[] = []
  const open: Promise<readonly FilePiece[]>[] = []
  for (const file of files) {
    open.push(cutFile(file, settings, means))
    if (open.length >= aheadMax) cut.push(...(await Promise.all(open.splice(0, 1))))
  }
  cut.push(...(await Promise.all(open)))
  return packFiles(cut.filter((pieces) => pieces.length > 0))
}

function wholePiece(file: FileText, start: number, end: number): FilePiece {
  const cut: CutText = { pieces: [{ start, end, share: 0, by: 'ast', scopes: [] }], imports: '' }
  const [piece] = describePieces(file, cut, 0)
  if (piece === undefined) throw new Error('bug: a stretch came to no piece')
  return piece
}

async function cutFile(file: FileText, settings: ChunkSettings, means: Means): Promise<readonly FilePiece[]> {
  if (file.bytes.length === 0) return []
  const whole = limitFor(file.language, settings)
  const share = sharesOf(file.text, whole)(0, file.text.length)
  if (fits(share)) {
    const piece = { start: 0, end: file.text.length, share, by: 'ast' as const, scopes: [] }
    return rounded(describePieces(file, { pieces: [piece], imports: '' }, 0), whole)
  }
  const limit = { ...whole, size: Math.max(whole.size - settings.overlap, 1) }
  const cut = await cutLarge(file, limit, settings.mode, means)
  return rounded(describePieces(file, cut, settings.overlap), whole)
}

/** A chunk adds up whole tokens: a piece fills as much as it says. */
function rounded(pieces: readonly FilePiece[], { unit, size }: Limit): readonly FilePiece[] {
  if (unit === 'characters') return pieces
  return pieces.map((piece) => ({ ...piece, share: Math.max(piece.share, piece.tokens / size) }))
}

async function cutLarge(file: FileText, limit: Limit, mode: ChunkSettings['mode'], means: Means): Promise<CutText> {
  const { path, language, text } = file
  if (mode === 'lines') return cutLines(text, limit)
  if (isParsed(language)) {
    const answer = await means.parser.ask({ want: 'pieces', language, text, limit })
    const cut: CutAnswer = 'lost' in answer ? { failed: answer.lost } : cutAnswerSchema.parse(JSON.parse(answer.answer))
    if (!('failed' in cut)) return cut
    means.fallBack({ path, language, reason: cut.failed })
  }
  return cutText(text, { language, root: undefined, limit })
}
