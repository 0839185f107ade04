import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { start, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { issue as issueSchema, made } from '../src/schema/schemas.ts'
import { recordsIn, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'
const m5t0 = 'auth-m5t0j6y3e8bp'

describe('tissue new with everything', () => {
  it('is one event that says it all', () => {
    const root = repoWithIssues()
    const before = recordsIn(root).length
    const issue = json(
      root,
      ...['new', 'Rotate the keys', '-b', '- all', '-p', '1', '--type', 'chore', '-t', 'a,b', '--assignee', 'bob'],
      ...['--parent', 'k3vd', '--blocked-by', 'm5t0', '--blocks', 'x9qa', '--discovered-from', 'k3vd'],
      ...['--accept', 'No old key works.', '--ref', 'gh-12', '--ref', '-x', '--meta', 'area=auth', '--meta', 'gone='],
      ...['--defer', '2026-12-01', '--due', '2026-12-24T08:00', '--estimate', '2h', '--key', 'rotate'],
    )
    issueSchema.parse(issue)
    const { id } = issue
    expect(recordsIn(root).slice(before)).toMatchObject([
      {
        type: 'created',
        issue: id,
        title: 'Rotate the keys',
        body: '- all',
        priority: 1,
        tags: ['a,b'],
        issue_type: 'chore',
        assignee: 'bob',
        acceptance: 'No old key works.',
        refs: ['gh-12', '-x'],
        meta: { area: 'auth' },
        defer_until: Date.parse('2026-12-01T00:00:00Z'),
        due_at: Date.parse('2026-12-24T08:00:00Z'),
        estimate_ms: 7_200_000,
        blocked_by: [m5t0],
        links: [
          { kind: 'blocks', from: id, to: x9qa },
          { kind: 'parent', from: k3vd, to: id },
          { kind: 'discovered-from', from: id, to: k3vd },
        ],
        key: 'rotate',
      },
    ])
    expect(issue.deps).toHaveLength(4)
    expect(json(root, 'show', 'x9qa').blocked_by).toContain(id)
  })

  it('leaves out what was not said, or is none', () => {
    const root = tempRepo()
    const { id } = json(root, 'new', 'Bare', '--assignee', 'none', '--due', 'none', '--estimate', 'none')
    const created = recordsIn(root).at(-1)
    expect(Object.keys(created ?? {}).sort()).toEqual(
      ['v', 'id', 'seq', 'at', 'by', 'type', 'issue', 'title', 'body', 'priority', 'tags'].sort(),
    )
    expect(created).toMatchObject({ issue: id, priority: 2, tags: [] })
  })

  it('takes the priority and type that the store was told, unless it is told otherwise', () => {
    const root = tempRepo()
    tissue(root, ['config', 'priority', '4'])
    tissue(root, ['config', 'type', 'bug'])
    expect(json(root, 'new', 'a')).toMatchObject({ priority: 4, issue_type: 'bug' })
    expect(json(root, 'new', 'b', '-p', '1', '--type', 'task')).toMatchObject({ priority: 1, issue_type: 'task' })
  })

  it('refuses a circle that it would close itself, and what is no value', () => {
    const root = repoWithIssues()
    const before = recordsIn(root).length
    const circle = tissue(root, ['new', 'x', '--blocked-by', 'x9qa', '--blocks', 'k3vd'])
    expect(circle).toMatchObject({ code: 5, stdout: '' })
    expect(circle.stderr).toMatch(/^tissue: expected no circle, .*auth-k3vd7rm2w9ht .*auth-x9qa4c81n0fz/)
    expect(tissue(root, ['new', 'x', '--blocked-by', 'k3vd', '--blocks', 'k3vd']).code).toBe(5)
    for (const args of [
      ['--type', 'Big Bug'],
      ['--meta', 'x'],
      ['--due', 'soon'],
      ['--defer', '-1d'],
      ['--estimate', '1w'],
      ['--ref', ''],
      ['--assignee', ''],
      ['--key', ''],
    ])
      expect(tissue(root, ['new', 'x', ...args]).code, args.join(' ')).toBe(2)
    for (const flag of ['--parent', '--blocks', '--blocked-by', '--discovered-from'])
      expect(tissue(root, ['new', 'x', flag, 'nobody']).code, flag).toBe(3)
    expect(tissue(root, ['new'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected <title>, got nothing; see tissue new --help\n',
    })
    expect(recordsIn(root)).toHaveLength(before)
  })

  it('a key finds its issue when it is closed, too', () => {
    const root = tempRepo()
    const { id } = json(root, 'new', 'Once', '--key', 'k')
    tissue(root, ['close', id])
    expect(tissue(root, ['new', 'Once', '--key', 'k']).stdout).toBe(`${id}\n`)
  })
})

describe('hostile text', () => {
  it('comes out as it went in', () => {
    const root = tempRepo()
    const title = '-- $(rm) `x` \u0007 ä🎉 %s \\n'
    const body = `\ufeff\r\n\u0000${'🎉'.repeat(2_500_000)}\r`
    const shown = JSON.parse(tissue(root, ['new', '--json', '--', title, '-'], body).stdout)
    expect(shown).toMatchObject({ title, body })
    const args = [
      '--accept',
      '-- ',
      '--meta',
      'k=\r\n=\u2028',
      '--ref',
      '--',
      '--tag',
      '-t,',
      '--assignee',
      '-',
      '-b',
      '--',
    ]
    expect(json(root, 'new', 'x', ...args)).toMatchObject({
      acceptance: '-- ',
      meta: { k: '\r\n=\u2028' },
      refs: ['--'],
      tags: ['-t,'],
      assignee: '-',
      body: '--',
    })
    expect(tissue(root, ['comment', shown.id, '-'], body).code).toBe(0)
    expect(json(root, 'show', shown.id).comments[0].body).toBe(body)
    expect(json(root, 'doctor', '--log')).toMatchObject({ corrupt: [], foreign: 0 })
  })
})

describe('tissue new --dry-run', () => {
  it('checks everything and writes nothing', () => {
    const root = tempRepo()
    expect(tissue(root, ['new', 'Try', '--dry-run'])).toEqual({
      code: 0,
      stdout: '(new)\n',
      stderr: 'would make "Try"\n',
    })
    expect(tissue(root, ['new', 'Try', '--dry-run', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' })
    const { stdout } = tissue(root, ['new', 'Try', '--dry-run', '--json', '--key', 'k'])
    expect(made.parse(JSON.parse(stdout))).toEqual({ v: 1, title: 'Try', key: 'k', created: true })
    expect(tissue(root, ['new', 'Try', '--dry-run', '--parent', 'nobody']).code).toBe(3)
    expect(existsSync(join(root, '.tissue'))).toBe(false)
    const id = tissue(root, ['new', 'Try', '--key', 'k']).stdout
    expect(tissue(root, ['new', 'Try', '--key', 'k', '--dry-run']).stdout).toBe(id)
  })
})

describe('tissue new --check-similar', () => {
  const titles = ['Fix the login on Safari', 'Rotate all keys', 'ログインを直す']

  function repoWithTitles(): { root: string; ids: string[] } {
    const root = tempRepo()
    return { root, ids: titles.map((title) => tissue(root, ['new', title]).stdout.trim()) }
  }

  it('makes no second issue of nearly the same words, and names the first', () => {
    const { root, ids } = repoWithTitles()
    const { code, stdout, stderr } = tissue(root, ['new', 'Safari: fix login!', '--check-similar'])
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toBe(
      `tissue: expected "Safari: fix login!" to be new, there is ${ids[0]} "Fix the login on Safari"; add to it with tissue comment ${ids[0]}, or leave --check-similar out\n`,
    )
    for (const title of ['rotate the key', 'Rotate all of the keys', 'ログインを直す'])
      expect(tissue(root, ['new', title, '--check-similar']).code, title).toBe(5)
    expect(tissue(root, ['new', 'Fix the login on Safari']).code).toBe(0)
    const { stderr: told } = tissue(root, ['new', 'rotate the key', '--check-similar', '--json'])
    expect(JSON.parse(told.split('\n').at(-2) ?? '').error).toMatchObject({ code: 'conflict', retryable: false })
  })

  it('makes what is new, or like nothing that is open', () => {
    const { root, ids } = repoWithTitles()
    for (const title of ['Fix the login on Firefox', 'Rotate the logs', '!!!', 'Rotate'])
      expect(tissue(root, ['new', title, '--check-similar']).code, title).toBe(0)
    tissue(root, ['close', ids[0] ?? ''])
    expect(tissue(root, ['new', 'Fix the login on Safari', '--check-similar']).code).toBe(0)
  })

  it('of many that find the same at once, one makes it', async () => {
    const root = tempRepo()
    const racers = Array.from({ length: 8 }, () =>
      start('tissue', ['new', 'Handle the empty file', '--check-similar'], { cwd: root, input: '' }),
    )
    const ends = await Promise.all(racers.map(({ done }) => done))
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 5, 5, 5, 5, 5, 5, 5])
  })
})
