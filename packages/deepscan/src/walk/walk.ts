import { findLanguage, type RuledLanguage } from '../syntax/language.ts'
import type { SkipReason } from './skip-reason.ts'
import { type Origin, walkFiles } from './walk-files.ts'

/** A file to scan: where it is, the path that its findings carry, and its
 * path from what was asked for. `isNamed`: it was named itself. */
export type FoundFile = { absolute: string; path: string; below: string; language: RuledLanguage; isNamed?: true }

/**
 * The source files below the given paths that there are rules for, in the order of their paths, each once; see
 * `walkFiles`.
 */
export function findFiles(
  paths: readonly string[],
  from: Origin,
  skip: (reason: SkipReason) => void,
): readonly FoundFile[] {
  const found: FoundFile[] = []
  for (const file of walkFiles(paths, from)) {
    const language = file.skip === null ? findLanguage(file.absolute) : undefined
    if (language !== undefined) {
      const { absolute, path, below, isNamed } = file
      found.push({ absolute, path, below, language, ...(isNamed && { isNamed }) })
    } else skip(file.skip ?? 'no rules for its kind')
  }
  return found
}
