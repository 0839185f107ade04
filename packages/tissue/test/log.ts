// Logs made by hand, for what takes days or clones in life.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'

/** Events at `now` by ada, with the next ids and sequence numbers. */
export function eventMaker(now: number): (fields: object) => string {
  let seq = 0
  return (fields) => {
    seq += 1
    return JSON.stringify({ v: 1, id: `E${String(seq).padStart(6, '0')}`, seq, at: now, by: 'ada', ...fields })
  }
}

/** A folder whose store holds these events. */
export function folderWith(...lines: readonly string[]): string {
  const root = tempFolder('log')
  mkdirSync(join(root, '.tissue'))
  appendFileSync(join(root, '.tissue', 'issues.jsonl'), lines.map((line) => `${line}\n`).join(''))
  return root
}
