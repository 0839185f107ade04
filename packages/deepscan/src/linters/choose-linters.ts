import { Failure } from '@switchyard/ground/failure'
import { type LinterName, linterLanguages } from './programs.ts'

/** The linters, in the order in which they are asked: of two that say the same, the first is heard. */
export const linterNames = Object.keys(linterLanguages) as LinterName[]

/** The linters that a list names: all without one, none for `none`. Exits 2 for a name that none has. */
export function chooseLinters(list: string | undefined): readonly LinterName[] {
  if (list === undefined || list === '') return linterNames
  if (list === 'none') return []
  const wanted = list.split(',').map((name) => name.trim())
  const unknown = wanted.find((name) => !linterNames.some((linter) => linter === name))
  if (unknown === undefined) return linterNames.filter((linter) => wanted.includes(linter))
  throw new Failure('usage', `expected --linters to name some of ${linterNames.join(', ')}, or none; got ${unknown}`)
}

/** Rules that were asked for by id, ours and those of linters apart. */
export function partitionRules(ids: readonly string[]): { ours: readonly string[]; linted: readonly string[] } {
  const isLinted = (id: string) => linterNames.some((linter) => id.startsWith(`${linter}/`))
  return { ours: ids.filter((id) => !isLinted(id)), linted: ids.filter(isLinted) }
}
