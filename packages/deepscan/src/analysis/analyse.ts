import type { Finding } from '../finding/finding.ts'
import { decodeSource } from '../text/source-text.ts'
import { contextOf } from '../walk/kind.ts'
import { readSourceFile } from '../walk/source-file.ts'
import type { FoundFile } from '../walk/walk.ts'
import { findDuplicateBlocks } from './duplicate-blocks.ts'
import { findImportCycles } from './import-cycles.ts'
import type { Source } from './place.ts'

const contexts = ['source', 'test']

/**
 * Findings about the shape of a program: circles of imports, and blocks that stand twice. They are remarks and no
 * defects, so nobody gets them who does not ask. Only source and tests are looked at; all of their text is held.
 */
export function analyse(files: readonly FoundFile[], fileBytesMax: number): readonly Finding[] {
  const sources = files.flatMap((file): Source[] => {
    const read = readSourceFile(file.absolute, fileBytesMax)
    if (typeof read === 'string') return []
    const { text } = decodeSource(read.bytes)
    const isWritten = contexts.includes(contextOf(file.below, text.slice(0, 8_192)))
    return isWritten ? [{ path: file.path, language: file.language, text }] : []
  })
  return [...findImportCycles(sources), ...findDuplicateBlocks(sources)]
}
