import { languageOf } from '../syntax/language.ts'
import { decodeSource, isBinary } from '../text/source-text.ts'
import { contextOf } from '../walk/kind.ts'
import { readFileBytes } from '../walk/source-file.ts'
import { type Origin, type WalkedFile, walkFiles } from '../walk/walk-files.ts'
import { isMapped, type Source } from './gather-symbols.ts'

const bytesMax = 1_000_000
const headUnits = 8_000
const unwritten = ['generated', 'minified', 'vendored']

/**
 * The sources below the paths that somebody wrote: not what is over a megabyte, nor what is generated, minified or
 * vendored, unless it was named itself.
 */
export function* sourceFiles(paths: readonly string[], origin: Origin): Generator<Source> {
  yield* sourcesOf(walkFiles(paths, origin))
}

/** The sources among files of a walk. */
export function* sourcesOf(files: Iterable<WalkedFile>): Generator<Source> {
  for (const { absolute, path, below, skip, isNamed } of files) {
    if (skip !== null) continue
    const file = readFileBytes(absolute, bytesMax)
    if (typeof file === 'string' || isBinary(file.bytes)) continue
    const { text } = decodeSource(file.bytes)
    const head = text.slice(0, headUnits)
    const language = languageOf(path, head)
    if (!isMapped(language) || (!isNamed && unwritten.includes(contextOf(below, head)))) continue
    yield { path, language, text }
  }
}
