import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { entriesIn, makeFolder, readStored } from '@switchyard/ground/disk'
import { systemCode } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { writeWhole } from '@switchyard/ground/whole-file'
import * as z from 'zod'
import { findingSchema } from '../finding/finding.ts'
import { resultSchema } from '../store/result-schema.ts'

/** An answer that is kept for chunks with the same code, question and agent, in whichever scan. */
const keptSchema = z.object({ v: z.literal(1), result: resultSchema, findings: z.array(findingSchema) })
export type Kept = z.infer<typeof keptSchema>

const keyDigits = 40

/** Names what an answer depends on: the prompt without its random word, and who is asked. */
export function keyOf(prompt: string, agent: string, model: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([prompt, agent, model]))
    .digest('hex')
    .slice(0, keyDigits)
}

/** The answer of a key; undefined when there is none, or what lies there is none. */
export function findKept(home: string, key: string): Kept | undefined {
  const text = readStored(pathOf(home, key))
  return text === undefined ? undefined : keptSchema.safeParse(parseJson(text)).data
}

/** Keeps an answer. It is a copy of what the scan has, so a disk that refuses it is no failure. */
export function keep(home: string, key: string, kept: Kept, pid: number): void {
  const path = pathOf(home, key)
  try {
    makeFolder(join(path, '..'))
    writeWhole(path, `${path}.${pid}.draft`, `${JSON.stringify(kept)}\n`)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}

/** Whether any answer is kept at all. */
export const hasKept = (home: string) => entriesIn(join(home, 'cache', 'answers')).length > 0

const pathOf = (home: string, key: string) => join(home, 'cache', 'answers', key.slice(0, 2), `${key}.json`)
