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
        'created   2024-11-19T07:07:40.000Z by ada',
        'link      auth-x9qa4c81n0fz is blocked by auth-k3vd7rm2w9ht',
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
