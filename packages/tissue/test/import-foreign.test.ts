import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf } from './fixture.ts'
import { beads, csv, github, linesOf, markdown } from './foreign.ts'
import { json, tissue } from './tissue.ts'

/** Every issue of a store, by its title. */
function issuesIn(root: string) {
  const ids: string[] = json(root, 'list', '--all').map((issue: { id: string }) => issue.id)
  const issues = ids.map((id) => json(root, 'show', id))
  return new Map<string, Record<string, unknown>>(issues.map((issue) => [issue.title, issue]))
}

function importedInto(root: string, text: string, ...args: string[]) {
  return tissue(root, ['import', '-', ...args], text)
}

const lost = 'links to no other issue were left out: beads:bd-a1 relates to beads:bd-lost\n'

describe('tissue import of beads', () => {
  it('keeps what an issue has, with its foreign id as a ref, and links by foreign ids', () => {
    const root = tempFolder('beads')
    const { code, stdout, stderr } = importedInto(root, linesOf(beads))
    expect({ code, lines: stdout.match(/\n/g)?.length, stderr }).toEqual({ code: 0, lines: 3, stderr: lost })
    const issues = issuesIn(root)
    const [provider, epic] = [issues.get('Find a provider'), issues.get('Auth')]
    expect([...issues.keys()].sort()).toEqual(['Auth', 'Find a provider', 'Fix login'])
    const id = issues.get('Fix login')?.['id']
    expect(issues.get('Fix login')).toMatchObject({
      body: 'Only with SSO.\n\n## Design\n\nUse OIDC.\n\n## Notes\n\nAsk Eve.',
      acceptance: 'No old key works.',
      status: 'open',
      priority: 1,
      tags: ['a,b', 'auth'],
      issue_type: 'bug',
      assignee: 'bob',
      estimate_ms: 5_400_000,
      due_at: Date.parse('2026-01-01'),
      refs: ['bd-a1', 'gh-9'],
      meta: {
        area: 'auth',
        size: '3',
        created_at: '2025-11-01T18:00:00.123Z',
        created_by: 'eve',
        source_status: 'open',
      },
      key: 'beads:bd-a1',
      blocked_by: [],
      deps: [
        { kind: 'blocks', from: provider?.['id'], to: id },
        { kind: 'parent', from: epic?.['id'], to: id },
      ],
      comments: [{ by: 'bob', at: Date.parse('2025-11-01T11:00:00Z'), body: 'Seen.', origin: 'beads:bd-a1/1' }],
    })
    expect(issues.get('Fix login')).not.toHaveProperty('conflicts')
    expect(provider).toMatchObject({ status: 'closed', close_reason: 'found one', priority: 3 })
    expect(provider).not.toHaveProperty('conflicts')
    expect(epic).toMatchObject({ status: 'in_progress', claim: null, issue_type: 'epic' })
  })

  it('changes nothing when it comes again, nor what was changed here', () => {
    const root = tempFolder('beads')
    importedInto(root, linesOf(beads))
    const [first = ''] = tissue(root, ['list', '--tag', 'auth', '--quiet']).stdout.split('\n')
    tissue(root, ['edit', first, '--title', 'Fix the login', '--rm-tag', 'auth', '--quiet'])
    const [epic = ''] = tissue(root, ['list', '--quiet', '--all'])
      .stdout.split('\n')
      .filter((id) => id !== first)
    expect(epic).not.toBe('')
    for (const dep of json(root, 'show', first).deps) {
      expect(tissue(root, ['dep', 'rm', dep.from, dep.kind, dep.to]).code).toBe(0)
    }
    const before = readFileSync(logOf(root), 'utf8')
    expect(importedInto(root, linesOf(beads))).toEqual({
      code: 0,
      stdout: '',
      stderr: `${lost}3 already there, 1 of them closed and not reopened\n`,
    })
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
  })

  it('lets comments, links, closings and reopenings follow, and a deletion close', () => {
    const root = tempFolder('beads')
    importedInto(root, linesOf(beads))
    const [one, two, epic] = beads
    const later = { updated_at: '2025-12-01T00:00:00Z' }
    const comments = [...[one?.['comments']].flat(), { id: 2, author: 'eve', text: 'Fixed.', created_at: null }]
    const changed = [
      { ...one, ...later, title: 'Other', status: 'closed', close_reason: 'done', comments },
      { ...two, ...later, status: 'open', dependencies: [{ depends_on_id: 'bd-e1', type: 'related' }] },
      { ...epic, ...later, status: 'tombstone', delete_reason: 'never mind' },
    ]
    const { stdout, stderr } = importedInto(root, linesOf(changed), '--json')
    expect(stderr).toBe(
      `${lost}3 already there, 2 closed now, 1 opened again or moved on, 2 with new comments or links\n`,
    )
    expect(JSON.parse(stdout)).toMatchObject([
      { title: 'Fix login', created: false, closed: true, changed: ['comments', 'status'] },
      { title: 'Find a provider', created: false, closed: false, changed: ['status', 'links'] },
      { title: 'Auth', created: false, closed: true, changed: ['status'] },
    ])
    const issues = issuesIn(root)
    expect(issues.get('Fix login')).toMatchObject({
      close_reason: 'done',
      comments: [{ body: 'Seen.' }, { by: 'eve' }],
    })
    expect(issues.get('Auth')).toMatchObject({ close_reason: 'deleted: never mind' })
    // Reopened here, it stays open until the source says something new.
    tissue(root, ['status', String(issues.get('Fix login')?.['id']), 'open', '--quiet'])
    importedInto(root, linesOf(changed))
    expect(issuesIn(root).get('Fix login')).toMatchObject({ status: 'open' })
  })

  it('takes the newest of several states of an issue, and names a circle without refusing it', () => {
    const root = tempFolder('beads')
    const state = (id: string, on: string, updated_at: string, title: string) => ({
      id,
      title,
      updated_at,
      status: 'open',
      dependencies: [{ depends_on_id: on, type: 'blocks' }],
    })
    const states = [
      state('x-1', 'x-2', '2025-11-02T00:00:00Z', 'New'),
      state('x-1', 'x-2', '2025-11-01T00:00:00Z', 'Old'),
      state('x-2', 'x-1', '2025-11-01T00:00:00Z', 'Two'),
      state('x-3', 'x-3', '2025-11-01T00:00:00Z', 'Three'),
    ]
    const { code, stderr } = importedInto(root, linesOf(states))
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^links to no other issue were left out: beads:x-3 blocks beads:x-3\nlinks go in a circle: \S+ blocks \S+ blocks \S+; remove one with tissue dep rm\n$/,
    )
    expect([...issuesIn(root).keys()].sort()).toEqual(['New', 'Three', 'Two'])
  })

  it('refuses a conflict with its line, and names what is wrong in several lines at once', () => {
    const root = tempFolder('beads')
    const [one] = beads
    const torn = `${linesOf(beads)}<<<<<<< HEAD\n${JSON.stringify(one)}\n=======\n`
    expect(importedInto(root, torn)).toEqual({
      code: 7,
      stdout: '',
      stderr:
        'tissue: line 5 is a conflict marker of version control; nothing was imported; settle the conflict first\n',
    })
    const bad = linesOf([
      { ...one, title: ' ' },
      { ...one, priority: 7 },
      { ...one, created_at: 'soon' },
    ])
    expect(importedInto(root, `${bad}{"id":\n`)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'tissue: expected issues in the format beads: line 1 has a wrong or missing title (expected a title); ' +
        'line 2 has a wrong or missing priority (Too big: expected number to be <=4); ' +
        'line 3 has a wrong or missing created_at (expected a time, got "soon"); ' +
        'line 4 has a wrong or missing it (expected object, received undefined); nothing was written\n',
    })
    expect(existsSync(logOf(root))).toBe(false)
  })
})

describe('tissue import of GitHub issues', () => {
  it('takes in what gh prints, a comment once, and a closing later', () => {
    const root = tempFolder('github')
    writeFileSync(join(root, 'issues.json'), JSON.stringify(github))
    expect(tissue(root, ['import', 'issues.json']).stdout.match(/\n/g)).toHaveLength(2)
    const issues = issuesIn(root)
    expect(issues.get('Checkout hangs')).toMatchObject({
      body: 'Twice a day.\r\n',
      tags: ['bug'],
      issue_type: 'bug',
      assignee: 'bob',
      refs: ['https://github.com/acme/shop/issues/12'],
      key: 'github:acme/shop#12',
      meta: { assignees: 'eve', created_at: '2025-11-01T10:00:00.000Z', created_by: 'eve', milestone: 'v2' },
      comments: [{ by: 'bob', body: 'Seen.', origin: 'github:IC_1' }],
    })
    expect(issues.get('Pay by fax')).toMatchObject({
      status: 'closed',
      close_reason: 'not planned',
      issue_type: 'feature',
    })
    const closed = { ...github[0], state: 'CLOSED', stateReason: 'COMPLETED' }
    expect(importedInto(root, JSON.stringify([closed])).stderr).toBe('1 already there, 1 closed now\n')
    expect(issuesIn(root).get('Checkout hangs')).toMatchObject({ status: 'closed', close_reason: 'completed' })
    expect(importedInto(root, JSON.stringify(closed)).code).toBe(0)
  })

  it('names a bad element by its place', () => {
    const root = tempFolder('github')
    expect(importedInto(root, JSON.stringify([github[0], { number: 0, title: 'x' }]))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'tissue: expected issues in the format github: issue 2 has a wrong or missing number (Too small: expected number to be >=1); nothing was written\n',
    })
    expect(importedInto(root, '[{"number":1,').stderr).toMatch(
      /^tissue: expected issues as JSON, got none: .*; nothing was written\n$/,
    )
    expect(existsSync(logOf(root))).toBe(false)
  })
})

describe('tissue import of a task list', () => {
  it('makes an issue of each task, a child of the one it is under, and passes over the rest', () => {
    const root = tempFolder('markdown')
    expect(importedInto(root, markdown)).toMatchObject({ code: 0, stderr: '' })
    const issues = issuesIn(root)
    const login = issues.get('Fix login')
    expect([...issues.keys()].sort()).toEqual(['Colours', 'Dark mode', 'Find the cause', 'Fix login'])
    expect(login).toMatchObject({
      body: 'Only with SSO, see #12.\n\n```\n- [ ] no task\n```\n- a note of the first task',
      priority: 1,
      tags: ['area/auth', 'sso'],
      meta: { section: 'Backlog', source_status: 'open' },
    })
    expect(issues.get('Find the cause')).toMatchObject({
      status: 'closed',
      deps: [{ kind: 'parent', from: login?.['id'] }],
    })
    expect(issues.get('Dark mode')).toMatchObject({ status: 'closed', meta: { section: 'Backlog / Later' } })
    expect(issues.get('Colours')).toMatchObject({ deps: [{ from: issues.get('Dark mode')?.['id'] }] })
    expect(importedInto(root, markdown).stdout).toBe('')
    expect(importedInto(root, markdown.replace('[ ] Fix', '[x] Fix')).stderr).toContain('1 closed now')
    expect(importedInto(root, '- [ ]  \n').stderr).toContain('line 1 is a task without a title; nothing was written')
  })
})

describe('tissue import of a table', () => {
  it('finds columns by their names, keeps the others as meta, and links by id', () => {
    const root = tempFolder('csv')
    expect(importedInto(root, csv)).toMatchObject({ code: 0, stderr: '' })
    const issues = issuesIn(root)
    expect(issues.get('Pay; later')).toMatchObject({
      tags: ['x', 'y,z'],
      meta: { Owner: 'eve' },
      refs: ['1'],
      deps: [{ kind: 'blocks', from: issues.get('Two lines')?.['id'] }],
    })
    expect(issues.get('Two lines')).toMatchObject({ status: 'closed' })
    expect(importedInto(root, csv).stdout).toBe('')
  })

  it('names every wrong cell with its line', () => {
    const root = tempFolder('csv')
    const bad = 'title,status,priority,due\n"A\nB",maybe,9,soon\n,open,1,,x\n"open'
    expect(importedInto(root, bad).stderr).toBe(
      'tissue: expected issues in the format csv: line 5 has a quote that is not closed; ' +
        'line 2 has a wrong status (expected open, in_progress, paused, deferred, closed, duplicate, got "maybe"); ' +
        'line 2 has a wrong priority (expected 1 to 5, got "9"); line 2 has a wrong due_at (expected a date, got "soon"); ' +
        'line 4 has 5 cells, there are 4 columns; line 4 has no title; nothing was written\n',
    )
    const worse = `title,status\n${'A,maybe\n'.repeat(12)}`
    expect(importedInto(root, worse).stderr).toMatch(/line 11 has a wrong status [^;]*; 2 more; nothing was written\n$/)
    expect(existsSync(logOf(root))).toBe(false)
  })
})

describe('the format of an import', () => {
  it('is asked for when it is not clear, and an original log is sent to migrate', () => {
    const root = tempFolder('format')
    const { code, stderr } = importedInto(root, 'Some words.\n')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'tissue: expected issues in a format that is clear, got something else; say which with --from: jsonl, findings, beads, github, markdown, csv\n',
    })
    expect(importedInto(root, '{"type":"issue","id":"a-1","rev":"1","title":"x"}\n').stderr).toContain('tissue migrate')
    expect(importedInto(root, 'title\nOne\nTwo\n', '--from', 'csv').stdout.match(/\n/g)).toHaveLength(2)
    expect(importedInto(root, '', '--from', 'beads')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(importedInto(root, linesOf(beads), '--within', 'src').stderr).toContain('beside --close-missing only')
  })

  it('is the same for a dry run, which writes nothing', () => {
    const root = tempFolder('format')
    expect(importedInto(root, csv, '--dry-run')).toEqual({
      code: 0,
      stdout: 'P2  Pay; later\nP2  Two lines\n',
      stderr: 'would make 2 issues\n',
    })
    expect(JSON.parse(importedInto(root, csv, '--dry-run', '--json').stdout)).toEqual([
      { title: 'Pay; later', key: 'csv:1', priority: 2 },
      { title: 'Two lines', key: 'csv:2', priority: 2 },
    ])
    expect(importedInto(root, csv, '--dry-run', '--quiet').stdout).toBe('')
    expect(existsSync(logOf(root))).toBe(false)
  })
})
