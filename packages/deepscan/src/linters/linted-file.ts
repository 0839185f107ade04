import type { Finding } from '../finding/finding.ts'
import { headBytes } from '../scan/equal-files.ts'
import { atContext } from '../scan/weigh.ts'
import { decodeSource } from '../text/source-text.ts'
import { contextOf } from '../walk/kind.ts'
import { readSourceFile } from '../walk/source-file.ts'
import type { Complaint } from './complaint.ts'
import { describeComplaints } from './describe-complaints.ts'

/** What linters said of a file, as findings; nothing when it cannot be read any more. */
export function findingsOf(
  file: { absolute: string; path: string; below: string; language: string },
  complaints: readonly Complaint[],
  bytesMax: number,
): readonly Finding[] {
  const read = readSourceFile(file.absolute, bytesMax)
  if (typeof read === 'string') return []
  const { text, hasMark, encoding } = decodeSource(read.bytes)
  const context = contextOf(file.below, read.bytes.toString('latin1', 0, headBytes))
  const { path, language } = file
  const described = describeComplaints({ path, language, text, encoding, bytesBefore: hasMark ? 3 : 0 }, complaints)
  return described.map((finding) => atContext(finding, context))
}
