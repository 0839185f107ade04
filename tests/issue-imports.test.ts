// Two clones that brought in the same things before they saw each other, and real git between them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type Clone, cloneOf, commitIssues, eventsIn, expectSound, integrated, seen, tissue } from './issue-clone.ts'

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

const finding = { v: 1, type: 'finding', rule: 'no-eval', title: 'Call of eval', severity: 'high', line: 3 }
const beads = [
  { id: 'bd-1', title: 'One', status: 'open', comments: [{ id: 1, author: 'eve', text: 'Seen.' }] },
  { id: 'bd-2', title: 'Two', status: 'closed', dependencies: [{ depends_on_id: 'bd-1', type: 'blocks' }] },
]
const url = 'https://github.com/acme/shop/issues/12'
const comment = { id: 'IC_1', author: { login: 'bob' }, body: 'Seen.', createdAt: '2025-11-01T11:00:00Z' }
const issue = { number: 12, url, title: 'Checkout hangs', body: '', state: 'OPEN', labels: [{ name: 'bug' }] }
const plan = {
  issues: [
    { name: 'epic', title: 'Epic' },
    { name: 'part', title: 'Part', parent: 'epic' },
  ],
}

const files: Readonly<Record<string, string>> = {
  'findings.jsonl': lines(['f1', 'f2'].map((id) => ({ ...finding, id, path: `${id}.ts` }))),
  'beads.jsonl': lines(beads),
  'github.json': JSON.stringify([{ ...issue, comments: [comment] }]),
  'todo.md': '- [ ] Write the notes #docs\n  - [x] Collect what changed\n',
  'table.csv': 'title,status,priority\nPay later,open,1\n',
  'plan.json': JSON.stringify(plan),
}
const issueCount = 11

/** Brings in everything, in an order of its own: the clones know nothing of each other. */
function bringIn(clone: Clone, names: readonly string[]): void {
  for (const name of names) {
    writeFileSync(join(clone.root, name), files[name] ?? '')
    const args = name === 'plan.json' ? ['new', '--plan', name, '--key', 'sprint'] : ['import', name]
    const { code, stderr } = tissue(clone, args)
    expect([name, code, stderr]).toEqual([name, 0, expect.any(String)])
  }
  expect(tissue(clone, ['new', `Rotate the keys, says ${clone.name}`, '--key', 'rotate']).code).toBe(0)
}

function twoClones() {
  const origin = tempRepo()
  const maker = { root: origin, name: 'origin', skewMs: 0 }
  expect(tissue(maker, ['init', '--prefix', 'shop']).code).toBe(0)
  expect(tissue(maker, ['config', 'prefix', 'shop']).code).toBe(0)
  commitIssues(origin)
  const [ada, bob] = [cloneOf(origin, 'ada'), cloneOf(origin, 'bob')]
  bringIn(ada, Object.keys(files))
  bringIn(bob, Object.keys(files).reverse())
  return { ada, bob }
}

type Seen = { id: string; key: string; title: string; status: string; tags: string[]; comments?: unknown[] }

function issuesOf(root: string): Seen[] {
  return JSON.parse(seen(root).issues)
}

function keysOf(root: string): string[] {
  return issuesOf(root)
    .map(({ key }) => key)
    .sort()
}

describe('two clones that bring in the same things', () => {
  it('have each issue once after a merge or rebase, its comments too, and disagree on nothing', () => {
    const { ada, bob } = twoClones()
    const before = keysOf(ada.root)
    expect([before.length, new Set(before).size]).toEqual([issueCount, issueCount])
    commitIssues(ada.root)
    commitIssues(bob.root)
    const events = new Set([...eventsIn(ada.root), ...eventsIn(bob.root)])
    const roots = [integrated(ada, bob, 'merge'), integrated(bob, ada, 'merge'), integrated(bob, ada, 'rebase')]
    for (const root of roots) {
      expectSound(root, events)
      expect(keysOf(root)).toEqual(before)
      expect(seen(root)).toEqual(seen(roots[0] ?? ''))
      expect(seen(root).conflicts).toEqual([])
      const clone = { root, name: 'reader', skewMs: 0 }
      const ids = issuesOf(root).map(({ id }) => id)
      const whole: Seen[] = JSON.parse(tissue(clone, ['show', ...ids, '--json']).stdout)
      expect(whole.flatMap(({ comments = [] }) => comments)).toHaveLength(2)
      // What was brought in is known: nothing is made a second time.
      const size = eventsIn(root).length
      bringIn(clone, Object.keys(files))
      expect(eventsIn(root)).toHaveLength(size)
    }
  })

  it('keep what one has done to its issue since, whatever the other brought in later', () => {
    const { ada, bob } = twoClones()
    const named = (key: string) => issuesOf(ada.root).find((one) => one.key === key)?.id ?? ''
    const [one, two, hangs] = [named('beads:bd-1'), named('beads:bd-2'), named('github:acme/shop#12')]
    expect(tissue(ada, ['edit', one, '--title', 'Mine', '--add-tag', 'mine']).code).toBe(0)
    expect(tissue(ada, ['close', one]).code).toBe(0)
    expect(tissue(ada, ['dep', 'rm', one, 'blocks', two]).code).toBe(0)
    expect(tissue(ada, ['tag', 'rm', hangs, 'bug']).code).toBe(0)
    // A clone that writes more has larger numbers: its creations are the later ones.
    const acts = Array.from({ length: 30 }, (_, index) => ({ verb: 'new', title: `Of bob ${index}` }))
    writeFileSync(join(bob.root, 'acts.jsonl'), lines(acts))
    expect(tissue(bob, ['batch', 'acts.jsonl']).code).toBe(0)
    commitIssues(ada.root)
    commitIssues(bob.root)
    for (const root of [integrated(ada, bob, 'merge'), integrated(bob, ada, 'rebase')]) {
      const issues = issuesOf(root)
      const of = (id: string) => issues.find((found) => found.id === id)
      expect(of(one)).toMatchObject({ title: 'Mine', status: 'closed', tags: ['mine'], deps: [] })
      expect(of(hangs)?.tags).toEqual([])
      expect(seen(root).conflicts).toEqual([])
    }
  })
})
