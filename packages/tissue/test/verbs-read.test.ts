import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { recordsIn, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'
const m5t0 = 'auth-m5t0j6y3e8bp'

describe('tissue show, list and ready', () => {
  it('show an issue by any unique beginning of its last part', () => {
    const root = repoWithIssues()
    for (const name of ['k', 'K3VD', 'auth-k3', k3vd]) expect(json(root, 'show', name).id).toBe(k3vd)
    expect(json(root, 'show', 'm5t0')).toMatchObject({
      v: 1,
      id: m5t0,
      short: 'auth-m5t0',
      status: 'closed',
      priority: 1,
      tags: ['deepscan', 'no-eval'],
      created_at: 1732000120000,
      created_by: 'bob',
      updated_at: 1732001800000,
      closed_at: 1732001800000,
      close_reason: 'Fixed in 3f2a1b.',
      claim: null,
      key: 'deepscan:f1',
      finding: { id: 'f1', fixable: true },
    })
    expect(json(root, 'show', 'k').comments.map((comment: { body: string }) => comment.body)).toEqual([
      'The token is read twice.',
      'Needs a database.',
    ])
    expect(tissue(root, ['show', 'x']).stdout).toBe(
      [
        'Write the notes of 1.2',
        'id        auth-x9qa4c81n0fz (auth-x9qa)',
        'status    open, priority 4',
        'tags      docs',
        'for       bob',
        'due       2024-11-30T20:53:20.000Z, overdue',
        'refs      gh-12',
        'meta      area=docs',
        'created   2024-11-19T07:07:40.000Z by ada',
        'link      is blocked by auth-k3vd (Fix login)',
        'waits for auth-k3vd7rm2w9ht',
        '',
      ].join('\n'),
    )
    expect(tissue(root, ['show', 'zz'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'tissue: expected the id of an issue, got "zz", which names none; see tissue list --all\n',
    })
  })

  it('show several issues, each with what it is linked with and how far its parts are', () => {
    const root = repoWithIssues()
    const made = (...args: string[]) => tissue(root, ['new', ...args, '-q']).stdout.trim()
    const epic = made('Epic', '--type', 'epic', '--accept', 'It works.', '--estimate', '2h', '--defer', '2099-01-01')
    const part = made('Part', '--parent', epic, '--discovered-from', 'm5t0')
    const done = made('Done', '--parent', epic)
    tissue(root, ['close', done])
    tissue(root, ['claim', part, '--as', 'bob'])
    const [first, second] = json(root, 'show', epic, part)
    expect(first).toMatchObject({ id: epic, progress: { done: 1, total: 2, ready: 0 }, acceptance: 'It works.' })
    expect(first.linked).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'parent', text: 'is the parent of', id: part, title: 'Part', holder: 'bob' }),
        expect.objectContaining({ kind: 'parent', id: done, status: 'closed', holder: null }),
      ]),
    )
    expect(second.linked.map(({ text, title }: { text: string; title: string }) => `${text} ${title}`)).toEqual([
      'was discovered from Call of eval in src/a.ts:3',
      'is a child of Epic',
    ])
    const text = tissue(root, ['show', epic, part]).stdout
    for (const line of [
      'status    open, priority 2, epic',
      'parts     1/2 done 50%',
      'estimate  2h',
      'done when:\nIt works.',
    ]) {
      expect(text).toContain(`\n${line}`)
    }
    expect(text).toMatch(/\nnot before 2099-01-01T00:00:00.000Z\n/)
    expect(text).toMatch(/is the parent of auth-.... \(Done, closed\)/)
    expect(text).toMatch(/\n\nPart\nid {8}auth-/)
    expect(tissue(root, ['show', epic, part, '-q']).stdout).toBe(`${epic}\n${part}\n`)
  })

  it('show an issue by the end of its id, as nothing that changes one does', () => {
    const root = repoWithIssues()
    expect(json(root, 'show', '3e8BP').id).toBe(m5t0)
    expect(tissue(root, ['close', 'w9ht']).code).toBe(3)
  })

  it('and whatever changes an issue refuse a name that fits several, and list them', () => {
    const root = tempFolder('ambiguous')
    const ids = ['app-k3vd00000000', 'app-k3va00000000']
    const created = { v: 1, seq: 1, at: 1, by: 'ada', type: 'created', title: 't', body: '', priority: 2, tags: [] }
    const lines = ids.map((issue) => `${JSON.stringify({ ...created, id: issue, issue })}\n`)
    expect(tissue(root, ['import', '-'], lines.join('')).code).toBe(0)
    for (const args of [['show'], ['claim'], ['close'], ['edit', '-p', '1'], ['release'], ['comment', '-m', 'x']]) {
      expect(tissue(root, [...args, 'K3']), args[0]).toEqual({
        code: 4,
        stdout: '',
        stderr: `tissue: expected one issue, "K3" names 2: ${ids[1]}, ${ids[0]}; give more characters\n`,
      })
    }
    expect(recordsIn(root)).toHaveLength(2)
    expect(tissue(root, ['close', 'k3vd', '--quiet']).stdout).toBe(`${ids[0]}\n`)
  })

  it('list what is not over, and the rest when asked', () => {
    const root = repoWithIssues()
    const rows = [
      'auth-k3vd  P1  open  Fix login',
      'auth-x9qa  P4  open  Write the notes of 1.2  [docs]  for bob  blocked by 1',
    ]
    expect(tissue(root, ['list'])).toEqual({ code: 0, stdout: `${rows.join('\n')}\n`, stderr: '' })
    const ids = (...args: string[]) => tissue(root, ['list', '--quiet', ...args]).stdout
    expect(ids('--all')).toBe(`${k3vd}\n${m5t0}\n${x9qa}\n`)
    expect(ids('--status', 'closed', '--status', 'paused')).toBe(`${m5t0}\n`)
    expect(ids('--tag', 'docs')).toBe(`${x9qa}\n`)
    expect(ids('--search', 'TOKEN')).toBe(`${k3vd}\n`)
    expect(ids('--search', 'a-b "c:')).toBe('')
    expect(ids('--mine')).toBe('')
    expect(tissue(root, ['list', '--limit', '1']).stderr).toBe('1 of 2 shown; --limit shows more\n')
    expect(tissue(root, ['list', '--status', 'done']).code).toBe(2)
    expect(tissue(tempFolder(), ['list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  })

  it('ready gives what is unblocked, and says so when there is nothing', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['ready', '--quiet'])).toEqual({ code: 0, stdout: `${k3vd}\n`, stderr: '' })
    tissue(root, ['close', 'k3vd'])
    expect(tissue(root, ['ready', '--quiet'])).toEqual({ code: 0, stdout: `${x9qa}\n`, stderr: '' })
    expect(tissue(tempFolder(), ['ready'])).toEqual({ code: 0, stdout: '', stderr: 'nothing is ready\n' })
  })
})
