// Looks through the files of a tree: in threads, each with what it gave, in the order of their paths.
import type { Failure } from '@switchyard/ground/failure'
import { isFailure } from '@switchyard/ground/failure'
import type { Context } from '../finding/context.ts'
import type { RuledLanguage } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import { contextOf } from '../walk/kind.ts'
import type { SkipReason } from '../walk/skip-reason.ts'
import { readSourceFile } from '../walk/source-file.ts'
import type { FoundFile } from '../walk/walk.ts'
import { hasEndlessRun } from './endless-run.ts'
import { type EqualFiles, findEqualFiles, headBytes } from './equal-files.ts'
import type { FileScan, ScanSettings, Work } from './file-scan.ts'
import { openPool, type Pool } from './pool.ts'
import type { ResultCache } from './result-cache.ts'
import { isUnwritten } from './weigh.ts'

/** A file and what the rules gave for it, why they were not asked, or the file that it is equal to. */
export type Scanned = { file: FoundFile; result: FileScan | SkipReason | { equalTo: string } }

export type TreeSettings = ScanSettings & {
  fileBytesMax: number
  /** Whether files are looked through that nobody writes by hand, too. */
  isAll: boolean
  cache: ResultCache | undefined
}

/** A batch is full at this many files or bytes, whichever comes first. */
const batchFilesMax = 16
const batchBytesMax = 200_000

type Item = { file: FoundFile; key?: string; context?: Context; bytes?: Uint8Array; result?: Scanned['result'] }

/** Looks through the files; memory does not grow with the tree. Throws a Failure where a grammar is missing. */
export async function* scanTree(files: readonly FoundFile[], settings: TreeSettings): AsyncGenerator<Scanned> {
  const missing = await loadGrammars(files)
  const equals = findEqualFiles(files, settings.fileBytesMax)
  const { ruleIds, userRules, isForeignHeard } = settings
  const pool = await openPool({ ruleIds, userRules, isForeignHeard }, files.length)
  const waiting: Promise<readonly Scanned[]>[] = []
  try {
    for (const batch of batches(files, { ...settings, equals }, missing)) {
      if (!isFailure(batch)) waiting.push(scanItems(batch, pool, settings.cache))
      while (waiting.length > (isFailure(batch) ? 0 : pool.size * 2)) yield* withCopies(await waiting.shift(), equals)
      if (isFailure(batch)) throw batch
    }
    for (const batch of waiting) yield* withCopies(await batch, equals)
  } finally {
    await pool.close()
  }
}

/**
 * Loads every grammar that is asked for before there are threads: all threads share what is registered, and it is
 * registered once.
 */
async function loadGrammars(files: readonly FoundFile[]): Promise<ReadonlyMap<RuledLanguage, Failure>> {
  const missing = new Map<RuledLanguage, Failure>()
  for (const language of new Set(files.map((file) => file.language))) {
    try {
      await loadParser(language)
    } catch (error) {
      if (!isFailure(error)) throw error
      missing.set(language, error)
    }
  }
  return missing
}

function* batches(
  files: readonly FoundFile[],
  settings: Reading,
  missing: ReadonlyMap<RuledLanguage, Failure>,
): Generator<readonly Item[] | Failure> {
  let [batch, bytes]: [Item[], number] = [[], 0]
  for (const file of files) {
    const failure = missing.get(file.language)
    if (failure !== undefined) {
      yield batch
      return yield failure
    }
    const item = readItem(file, settings)
    batch.push(item)
    bytes += item.bytes?.length ?? 0
    if (batch.length < batchFilesMax && bytes < batchBytesMax) continue
    yield batch
    ;[batch, bytes] = [[], 0]
  }
  yield batch
}

type Reading = TreeSettings & { equals: EqualFiles }

/** Reads a file, unless it is not to be looked through, or it was before and has not changed. */
function readItem(file: FoundFile, { fileBytesMax, isAll, cache, equals }: Reading): Item {
  const read = readSourceFile(file.absolute, fileBytesMax)
  if (typeof read === 'string') return { file, result: read }
  const { bytes } = read
  const isMachineMade = hasEndlessRun(file.language, bytes)
  const context = isMachineMade ? 'generated' : contextOf(file.below, bytes.toString('latin1', 0, headBytes))
  if (isUnwritten(context) && !isAll && !file.isNamed) return { file, result: context }
  const first = equals.firstOf.get(file.path)
  if (first !== undefined) return { file, result: { equalTo: first } }
  const known = cache?.find(file.path, context, bytes)
  return known?.scan ? { file, result: known.scan } : { file, context, bytes, ...(known ? { key: known.key } : {}) }
}

async function scanItems(
  batch: readonly Item[],
  pool: Pool,
  cache: ResultCache | undefined,
): Promise<readonly Scanned[]> {
  const open = batch.flatMap((item): (Item & Work)[] => {
    const { file, bytes, context } = item
    return bytes !== undefined && context !== undefined ? [{ ...item, file, bytes, context }] : []
  })
  const results =
    open.length > 0 ? await pool.scan(open.map(({ file, bytes, context }) => ({ file, bytes, context }))) : []
  const byPath = new Map(open.map(({ file, key }, index) => [file.path, { key, result: results[index] }]))
  return batch.map(({ file, result }) => {
    const fresh = byPath.get(file.path)
    const given = result ?? fresh?.result
    if (given === undefined) throw new Error(`bug: no result for ${file.path}`)
    if (fresh?.key !== undefined && typeof given !== 'string' && 'findings' in given)
      cache?.keep(fresh.key, file.path, given)
    return { file, result: given }
  })
}

/** Tells of each finding where else it stands, in files that are equal to its own. */
function withCopies(batch: readonly Scanned[] = [], { copiesOf }: EqualFiles): readonly Scanned[] {
  return batch.map(({ file, result }) => {
    const copies = copiesOf.get(file.path)
    if (copies === undefined || typeof result === 'string' || !('findings' in result)) return { file, result }
    const findings = result.findings.map((finding) => {
      const { line, column } = finding
      return { ...finding, occurrences: [file.path, ...copies].map((path) => ({ path, line, column })) }
    })
    return { file, result: { ...result, findings } }
  })
}
