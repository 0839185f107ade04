import ignore from 'ignore'
import type { WalkedFile } from './walk-files.ts'

/** Patterns in the syntax of ignore files, from the root that paths count from. */
export type Narrowing = { include: readonly string[]; exclude: readonly string[] }

/** Leaves out files that no pattern of `include` matches, or one of `exclude` does. */
export function* narrowed(files: Iterable<WalkedFile>, { include, exclude }: Narrowing): Generator<WalkedFile> {
  const [wanted, unwanted] = [matcher(include), matcher(exclude)]
  for (const file of files) {
    const isOut = file.skip === null && ((include.length > 0 && !wanted(file.path)) || unwanted(file.path))
    yield isOut ? { ...file, skip: 'excluded' } : file
  }
}

function matcher(patterns: readonly string[]): (path: string) => boolean {
  const rules = ignore({ ignorecase: false }).add(patterns.map((pattern) => pattern.replace(/^\.\//, '/')))
  return (path) => patterns.length > 0 && rules.ignores(path)
}
