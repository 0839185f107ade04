import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf } from './fixture.ts'
import { beads, linesOf } from './foreign.ts'
import { json, tissue } from './tissue.ts'

type Issue = Record<string, unknown> & {
  id: string
  title: string
  deps: Record<string, string>[]
  comments: Record<string, unknown>[]
}

const odd = 'Title with #hash, "quotes" (P3) and <!-- a-1 --> \\ =SUM(A1)'

/** A store with what formats stumble over: every status, links, a comma in a tag, a body with tasks in it. */
function storeWithIssues(): string {
  const root = tempFolder('export')
  tissue(root, ['import', '-'], linesOf(beads))
  const [login = ''] = tissue(root, ['list', '--tag', 'auth', '--quiet']).stdout.split('\n')
  const [other = ''] = tissue(root, [
    'new',
    odd,
    '-p',
    '4',
    '-b',
    '- [ ] no task\n\n  "a",b\n# no heading',
    '-t',
    'x',
  ]).stdout.split('\n')
  const [paused = ''] = tissue(root, ['new', 'Paused', '-t', 'x']).stdout.split('\n')
  tissue(root, ['status', paused, 'paused'])
  expect(tissue(root, ['dep', 'add', other, 'parent', paused]).code).toBe(0)
  expect(tissue(root, ['dep', 'add', login, 'relates', paused]).code).toBe(0)
  expect(tissue(root, ['comment', other, '-m', 'A word.\nAnd another.']).code).toBe(0)
  return root
}

/** The issues of a store by title, each without what belongs to the store alone, links by titles. */
function issuesIn(root: string, leftOut: readonly string[]): Record<string, unknown>[] {
  const listed: Issue[] = json(root, 'list', '--all')
  const titles = new Map(listed.map(({ id, title }) => [id, title]))
  const own =
    'id short created_at created_by updated_at rev closed_at claim blocked_by blocks key refs linked progress'.split(
      ' ',
    )
  return listed
    .map(({ id }) => {
      const issue: Issue = json(root, 'show', id)
      const deps = issue.deps.map(({ kind, from = '', to = '' }) => [kind, titles.get(from), titles.get(to)].join(' '))
      const comments = issue.comments.map(({ by, body, at }) => [by, body, at])
      const { source_status: _status, created_at, created_by, closed_at: _closed, ...meta } = Object(issue['meta'])
      const kept = { ...issue, deps: deps.sort(), comments, meta }
      const fields = Object.entries({ ...kept, made: [created_at ?? '', created_by ?? ''] })
      return Object.fromEntries(fields.filter(([name]) => !own.includes(name) && !leftOut.includes(name)))
    })
    .sort((a, b) => (String(a['title']) < String(b['title']) ? -1 : 1))
}

/** The issues after an export and an import into an empty store. */
function brought(root: string, format: string): string {
  const { code, stdout } = tissue(root, ['export', '--format', format])
  expect(code).toBe(0)
  const copy = tempFolder('copy')
  expect(tissue(copy, ['import', '-', '--from', format], stdout)).toMatchObject({ code: 0, stderr: '' })
  return copy
}

const made = 'made'

describe('what tissue export gives to tissue import', () => {
  it('is the same issues as beads, but for statuses that it has not', () => {
    const root = storeWithIssues()
    const asBeads = (issue: Record<string, unknown>) =>
      issue['status'] === 'paused' ? { ...issue, status: 'deferred' } : issue
    expect(issuesIn(brought(root, 'beads'), [made])).toEqual(issuesIn(root, [made]).map(asBeads))
    const records = tissue(root, ['export', '--format', 'beads'])
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records[0]).toMatchObject({ id: 'bd-a1', external_ref: 'gh-9', created_at: '2025-11-01T18:00:00.123Z' })
    expect(json(root, 'export', '--format', 'beads')).toEqual(records)
  })

  it('is the same issues as CSV, without comments and with links of two kinds', () => {
    const root = storeWithIssues()
    const asCsv = (issue: Record<string, unknown>) => {
      const deps = [issue['deps']].flat().filter((dep) => !String(dep).startsWith('relates'))
      return { ...issue, deps }
    }
    const leftOut = [made, 'comments']
    expect(issuesIn(brought(root, 'csv'), leftOut)).toEqual(issuesIn(root, leftOut).map(asCsv))
  })

  it('has no cell in CSV that a spreadsheet takes for a formula, and comes back as it was', () => {
    const root = tempFolder('formulas')
    const titles = ['=HYPERLINK("http://x")', '+1', '-2', '@SUM(A1)', "'=1", "''-1", "'quoted'", 'a=b']
    for (const title of titles) tissue(root, ['new', '--assignee', '@eve', '-t', '=x', '-b', '\t=1', '--', title])
    const { stdout } = tissue(root, ['export', '--format', 'csv'])
    expect(stdout).not.toMatch(/(^|,)"?[=+\-@\t]/m)
    for (const cell of [`"'=HYPERLINK(""http://x"")"`, "'+1", "'-2", "'@SUM(A1)", "''=1", "'''-1", "'quoted'", 'a=b'])
      expect(stdout).toContain(`,${cell},`)
    expect(issuesIn(brought(root, 'csv'), [made])).toEqual(issuesIn(root, [made]))
  })

  it('is the same titles, bodies, priorities, parents and ends as Markdown', () => {
    const root = storeWithIssues()
    const leftOut = [
      made,
      'comments',
      'meta',
      'issue_type',
      'assignee',
      'acceptance',
      'estimate_ms',
      'due_at',
      'close_reason',
    ]
    const asMarkdown = (issue: Record<string, unknown>) => ({
      ...issue,
      status: issue['status'] === 'closed' ? 'closed' : 'open',
      tags: [issue['tags']].flat().filter((tag) => tag !== 'a,b'),
      deps: [issue['deps']].flat().filter((dep) => String(dep).startsWith('parent')),
    })
    expect(issuesIn(brought(root, 'markdown'), leftOut)).toEqual(issuesIn(root, leftOut).map(asMarkdown))
  })

  it('is the same titles, bodies, tags, comments and ends as GitHub issues', () => {
    const root = storeWithIssues()
    const leftOut = [
      made,
      'meta',
      'issue_type',
      'acceptance',
      'estimate_ms',
      'due_at',
      'close_reason',
      'priority',
      'deps',
    ]
    const asGithub = (issue: Record<string, unknown>) => ({
      ...issue,
      status: issue['status'] === 'closed' ? 'closed' : 'open',
    })
    expect(issuesIn(brought(root, 'github'), leftOut).map((issue) => ({ ...issue, comments: '' }))).toEqual(
      issuesIn(root, leftOut)
        .map(asGithub)
        .map((issue) => ({ ...issue, comments: '' })),
    )
    const numbers = json(root, 'export', '--format', 'github').map(({ number }: { number: number }) => number)
    expect(numbers).toEqual([1, 2, 3, 4, 5])
  })

  it('changes nothing in the store that it came from', () => {
    const root = storeWithIssues()
    const before = readFileSync(logOf(root), 'utf8')
    for (const format of ['beads', 'csv', 'markdown', 'jsonl']) {
      const { stdout } = tissue(root, ['export', '--format', format])
      expect(tissue(root, ['import', '-'], stdout), format).toMatchObject({ code: 0, stdout: '' })
    }
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
  })

  it('is the findings that issues were made of', () => {
    const root = tempFolder('export')
    const finding = {
      v: 1,
      type: 'finding',
      id: 'f',
      rule: 'r',
      title: 't',
      severity: 'low',
      path: 'p',
      line: 1,
      more: 2,
    }
    tissue(root, ['new', 'By hand'])
    tissue(root, ['import', '-'], linesOf([finding]))
    expect(tissue(root, ['export', '--format', 'findings']).stdout).toBe(linesOf([finding]))
  })
})

describe('tissue export', () => {
  it('takes a query, writes a file that is whole, and prints ids when quiet', () => {
    const root = storeWithIssues()
    const args = ['export', '--format', 'csv', '--query', 'tag:x', '-o', 'out/x.csv']
    const path = join(root, 'out/x.csv')
    expect(tissue(root, args)).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' })
    expect(JSON.parse(tissue(root, [...args, '--json']).stdout)).toEqual({ path, lines: 6 })
    expect(readFileSync(path, 'utf8')).toContain(`"${odd.replaceAll('"', '""')}"`)
    expect(tissue(root, ['export', '--format', 'csv', '--query', 'tag:x', '--quiet']).stdout.match(/\n/g)).toHaveLength(
      2,
    )
    expect(tissue(root, ['export', '-o', 'log.jsonl']).code).toBe(0)
    expect(readFileSync(join(root, 'log.jsonl'), 'utf8')).toBe(readFileSync(logOf(root), 'utf8'))
  })

  it('refuses what a format cannot do, and a place within the store', () => {
    const root = storeWithIssues()
    mkdirSync(join(root, 'folder'))
    writeFileSync(join(root, 'file'), 'kept')
    const refused: [string[], string][] = [
      [['--query', 'tag:x'], 'expected --query with another format than jsonl'],
      [['--format', 'csv', '--all'], 'expected --all with jsonl only'],
      [['--format', 'csv', '--json'], 'expected --out beside --json'],
      [['--format', 'csv', '--query', 'status:'], 'expected'],
      [['-o', '.tissue/x'], '--out names a place outside the store'],
      [['-o', 'folder'], '--out names a file'],
    ]
    for (const [args, message] of refused) {
      const { code, stdout, stderr } = tissue(root, ['export', ...args])
      expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`tissue: ${message}`)
    }
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('kept')
  })

  it('shows children below their parents and sections as headings', () => {
    const root = tempFolder('export')
    const list = '- [ ] Alone\n\n# Now\n\n- [ ] One (P1) #a\n  Body.\n  - [x] Child\n\n## Then\n\n- [ ] Two\n'
    tissue(root, ['import', '-'], list)
    const { stdout } = tissue(root, ['export', '--format', 'markdown'])
    expect(stdout.replace(/ <!-- \S+ -->/g, '')).toBe(list)
  })
})
