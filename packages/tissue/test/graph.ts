import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import type { Dep, DepKind } from '../src/schema/event-schema.ts'

/** The id of an issue of these tests: `app-` and its name, filled up so that it is as long as a real one. */
export function idOf(name: string | number): string {
  return `app-${String(name).padEnd(12, 'z')}`
}

/** A link between issues by their names. */
export function link(from: string | number, kind: DepKind, to: string | number): Dep {
  return { kind, from: idOf(from), to: idOf(to) }
}

type Made = { readonly id: string; readonly title?: string; readonly status?: string } & Record<string, unknown>

/** The lines of a log that makes these issues and then these links, one event each. */
export function logLines(issues: readonly Made[], links: readonly Dep[], from = 1): string {
  let seq = from
  const stamp = () => {
    const id = `E${String(seq).padStart(8, '0')}`
    seq += 1
    return { v: 1, id, seq: seq - 1, at: 1_700_000_000_000 + seq, by: 'ada' }
  }
  const events = issues.flatMap(({ id, status, ...wanted }) => [
    { ...stamp(), type: 'created', issue: id, title: id, body: '', priority: 2, tags: [], ...wanted },
    ...(status === undefined ? [] : [{ ...stamp(), type: 'status', issue: id, status }]),
  ])
  const linked = links.map(({ kind, from: issue, to }) => ({ ...stamp(), type: 'linked', issue, kind, target: to }))
  return [...events, ...linked].map((event) => `${JSON.stringify(event)}\n`).join('')
}

/** A folder with a store of these issues, named as `idOf` names them, and links. */
export function storeWith(issues: readonly (string | Made)[], links: readonly Dep[]): string {
  const root = tempFolder('graph')
  mkdirSync(join(root, '.tissue'))
  const made = issues.map((issue) => (typeof issue === 'string' ? { id: idOf(issue), title: issue } : issue))
  writeFileSync(join(root, '.tissue', 'issues.jsonl'), logLines(made, links))
  return root
}
