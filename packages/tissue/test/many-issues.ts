import { mkdirSync, writeFileSync } from 'node:fs'
import { tempFolder, tempRepo } from '@switchyard/testkit'
import { logOf } from './fixture.ts'

/** A store of so many issues, of which the last are open; the ids of those and of one that is closed. */
export type Many = { readonly root: string; readonly open: readonly string[]; readonly closed: string }

const bodyLength = 600

/** Issues with a history each: made, commented, and most of them claimed and closed. About 1.2 KB an issue. */
export function manyIssues(issues: number, openIssues: number, { inGit = false } = {}): Many {
  const root = inGit ? tempRepo() : tempFolder('many')
  let seq = 0
  const lines: string[] = []
  const write = (event: Record<string, unknown>) => {
    seq += 1
    const id = `01HZZ${String(seq).padStart(21, '0')}`
    lines.push(JSON.stringify({ v: 1, id, seq, at: 1_700_000_000_000 + seq * 1000, by: 'ada', ...event }))
    return id
  }
  write({ type: 'configured', prefix: 'app' })
  const ids = Array.from({ length: issues }, (_, number) => `app-${idEnd(number)}`)
  ids.forEach((issue, number) => {
    const body = `Line ${number}. ${'x'.repeat(bodyLength)}`
    const key = `key-${number}`
    const head = write({ type: 'created', issue, title: `Issue ${number}`, body, priority: 2, tags: ['t'], key })
    write({ type: 'commented', issue, body: `Seen ${number}` })
    if (number >= issues - openIssues) return
    write({ type: 'closed', issue, reason: 'done', replaces: { status: [head] } })
  })
  mkdirSync(`${root}/.tissue`)
  writeFileSync(`${root}/.tissue/.gitattributes`, 'issues.jsonl merge=union\n')
  writeFileSync(logOf(root), lines.map((line) => `${line}\n`).join(''))
  return { root, open: ids.slice(issues - openIssues), closed: ids[0] ?? '' }
}

/** Ends of ids that differ early, in an order of their own. */
function idEnd(number: number): string {
  const mixed = (number * 2_654_435_761) % 2 ** 32
  return mixed.toString(36).padStart(7, '0') + number.toString(36).padStart(5, '0')
}
