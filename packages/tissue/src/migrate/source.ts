// The log of an original store: what its lines say, and which of them cannot be read. It is only ever read.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'
import { faultOf, isTooDeep, parseRecord } from '@switchyard/jsonl'
import { schemaFault } from '../import/foreign-schema.ts'
import { isEvent } from '../schema/event.check.ts'
import { type OriginalRecord, originalRecord } from './record-schema.ts'

/** Places in a damaged line that are tried as the beginning of a record glued to it. */
const gluedMax = 1000

/** A line that could not be taken over, or not all of it. `line` counts from 1. */
export type Damage = { readonly line: number; readonly reason: string }

/** The log that a path means: itself, or the one in the folder or in its `.tissue`. Fails as not found. */
export function findSource(path: string): string {
  const isFolder = statAt(path)?.isDirectory() ?? false
  const candidates = isFolder ? ['issues.jsonl', '.tissue/issues.jsonl'].map((name) => join(path, name)) : [path]
  const found = candidates.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new Failure('notFound', `expected the store of an original tissue, there is no issues.jsonl in ${path}`)
}

/** Reads the log, given as lines of bytes in UTF-8 or not. Fails as bad input on a log of this tissue. */
export function readSource(lines: Iterable<Buffer>): { records: OriginalRecord[]; damaged: Damage[] } {
  const records: OriginalRecord[] = []
  const damaged: Damage[] = []
  let number = 0
  for (const bytes of lines) {
    number += 1
    const { record, reason } = readLine(bytes)
    if (record) records.push(record)
    if (reason !== undefined) damaged.push({ line: number, reason })
  }
  return { records, damaged }
}

type ReadLine = { record?: OriginalRecord; reason?: string }

function readLine(bytes: Buffer): ReadLine {
  const text = bytes.toString()
  if (text.trim() === '') return {}
  if (!Buffer.from(text).equals(bytes)) return { reason: 'not UTF-8' }
  const value = isTooDeep(text) ? undefined : parseRecord({ text })
  if (value !== undefined) return checked(value)
  const glued = findGlued(text)
  if (glued) return { record: glued, reason: 'cut off; the record glued to it was taken over' }
  return { reason: faultOf(text) ?? 'cut off' }
}

function checked(value: Readonly<Record<string, unknown>>): ReadLine {
  if (isEvent(value)) {
    throw new Failure('usage', 'expected the store of an original tissue, got one of this tissue', {
      hint: 'take it in with tissue export --store ... | tissue import -',
    })
  }
  const parsed = originalRecord.safeParse(value)
  return parsed.success ? { record: parsed.data } : { reason: schemaFault(parsed.error) }
}

/** A whole record at the end of a line that begins with a torn one, as a writer leaves it who did not look. */
function findGlued(text: string): OriginalRecord | undefined {
  let at = text.indexOf('{"', 1)
  for (let tries = 0; at !== -1 && tries < gluedMax; tries += 1, at = text.indexOf('{"', at + 1)) {
    const value = parseRecord({ text: text.slice(at) })
    if (value === undefined) continue
    const parsed = originalRecord.safeParse(value)
    return parsed.success ? parsed.data : undefined
  }
  return undefined
}
