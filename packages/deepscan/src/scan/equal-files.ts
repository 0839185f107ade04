import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'
import { contextOf } from '../walk/kind.ts'
import { readSourceFile } from '../walk/source-file.ts'
import type { FoundFile } from '../walk/walk.ts'
import { isUnwritten } from './weigh.ts'

/** How a file begins is enough to tell its kind. */
export const headBytes = 8_192

/** Smaller files are equal by chance, and say nothing. */
const bytesMin = 64

/** The files that are copies of an earlier one, and the copies of each that has some, by their paths. */
export type EqualFiles = { firstOf: ReadonlyMap<string, string>; copiesOf: ReadonlyMap<string, readonly string[]> }

/** Finds files of equal content, language and kind. Only files that share their size are read. */
export function findEqualFiles(files: readonly FoundFile[], bytesMax: number): EqualFiles {
  const firsts = new Map<string, string>()
  const firstOf = new Map<string, string>()
  const copiesOf = new Map<string, string[]>()
  for (const group of groupBySize(files, bytesMax)) {
    for (const file of group) {
      const read = readSourceFile(file.absolute, bytesMax)
      if (typeof read === 'string') continue
      const context = contextOf(file.below, read.bytes.toString('latin1', 0, headBytes))
      // One that is named is looked through where its copies are not.
      const key = `${file.language} ${context} ${isUnwritten(context) && file.isNamed === true} ${createHash('sha256').update(read.bytes).digest('hex')}`
      const first = firsts.get(key)
      if (first === undefined) {
        firsts.set(key, file.path)
        continue
      }
      firstOf.set(file.path, first)
      copiesOf.set(first, [...(copiesOf.get(first) ?? []), file.path])
    }
  }
  return { firstOf, copiesOf }
}

function groupBySize(files: readonly FoundFile[], bytesMax: number): readonly FoundFile[][] {
  const groups = new Map<number, FoundFile[]>()
  for (const file of files) {
    const size = sizeOf(file.absolute)
    if (size < bytesMin || size > bytesMax) continue
    const group = groups.get(size)
    if (group === undefined) groups.set(size, [file])
    else group.push(file)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return 0
  }
}
