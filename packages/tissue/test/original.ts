// A store as the original tissue leaves it: each change a whole record, the newest revision counts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'

const start = Date.parse('2025-01-01T00:00:00Z')
/** A revision: the later the larger. */
const rev = (count: number) => `01JGEXAMPLE${String(count).padStart(15, '0')}`

const issue = (id: string, revision: number, changes: object) => ({
  type: 'issue',
  id,
  rev: rev(revision),
  title: 'Fix login',
  body: '',
  status: 'open',
  priority: 2,
  tags: [],
  created_at: start,
  updated_at: start + revision,
  ...changes,
})
const comment = (id: string, issue_id: string, body: string) => ({
  type: 'comment',
  id,
  issue_id,
  body,
  created_at: start,
})
const dep = (kind: string, src_id: string, dst_id: string, state: string, revision: number) => ({
  type: 'dep',
  src_id,
  dst_id,
  kind,
  state,
  created_at: start,
  rev: rev(revision),
})

/** Ids of the issues: `login` has four revisions out of order, `Odd.1` an id that is none of ours. */
export const login = 'auth-0k3vd7rm'
export const provider = 'auth-1x9qa2bb'
export const odd = 'Odd.1'
export const longBody = 'ä '.repeat(50_000)

/** The records of a sound log. */
export const original: readonly Record<string, unknown>[] = [
  issue(login, 1, { title: 'Fix logn' }),
  issue(provider, 2, { title: 'Find a\nprovider', body: longBody, tags: ['a,b', 'auth'], priority: 1 }),
  issue(login, 4, { title: 'Fix login', status: 'closed', priority: 1, tags: ['sso'] }),
  issue(login, 3, { title: 'Fix login', status: 'in_progress' }),
  issue(odd, 5, { title: 'Odd', status: 'duplicate', body: [104, 105, 255], created_at: start + 1 }),
  comment('01JGC1', login, 'First.'),
  comment('01JGC1', login, 'The same again.'),
  comment('01JGC2', 'auth-nobody00', 'Of an issue that is not there.'),
  dep('blocks', provider, login, 'active', 6),
  dep('parent', provider, odd, 'active', 7),
  dep('blocks', odd, provider, 'removed', 9),
  dep('blocks', odd, provider, 'active', 8),
  dep('blocks', login, login, 'active', 10),
  dep('relates', odd, login, 'active', 11),
]

/** A folder with a store that holds these lines. */
export function originalStore(text = original.map((record) => `${JSON.stringify(record)}\n`).join('')): string {
  const root = tempFolder('original')
  mkdirSync(join(root, '.tissue'))
  writeFileSync(join(root, '.tissue/issues.jsonl'), text)
  return root
}
