import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, repoWithIssues } from './fixture.ts'
import { login, longBody, odd, original, originalStore, provider } from './original.ts'
import { json, tissue } from './tissue.ts'

const counts = { issues: 3, present: 0, changed: 0, comments: 1, links: 3 }
const leftOut = { comments: 1, links: [`${login} blocks ${login}`] }

describe('tissue migrate', () => {
  it('takes over the newest revision of every issue under its id, comments once, and links that are not removed', () => {
    const [root, source] = [tempFolder('migrate'), originalStore()]
    const before = readFileSync(logOf(source), 'utf8')
    const report = json(root, 'migrate', join(source, '.tissue'))
    expect(report).toMatchObject({ v: 1, dry_run: false, ...counts, left_out: leftOut, damaged: [] })
    const [first, second, third = ''] = report.created
    expect([first, second]).toEqual([login, provider])
    expect(third).toMatch(/^auth-[0-9a-z]{12}$/)
    expect(json(root, 'show', login)).toMatchObject({
      title: 'Fix login',
      status: 'closed',
      priority: 1,
      tags: ['sso'],
      meta: { created_at: '2025-01-01T00:00:00.000Z', source_status: 'closed' },
      comments: [{ body: 'First.', at: Date.parse('2025-01-01T00:00:00Z') }],
    })
    expect(json(root, 'show', provider)).toMatchObject({
      title: 'Find a provider',
      body: longBody,
      tags: ['a,b', 'auth'],
      deps: [
        { kind: 'blocks', from: provider, to: login },
        { kind: 'parent', from: provider, to: third },
      ],
    })
    expect(json(root, 'show', third)).toMatchObject({ status: 'duplicate', refs: [odd], body: 'hi�' })
    expect(json(root, 'where').path ?? '').not.toBe(source)
    expect(readFileSync(logOf(source), 'utf8')).toBe(before)
    const after = readFileSync(logOf(root), 'utf8')
    expect(json(root, 'migrate', source)).toMatchObject({ created: [], issues: 0, present: 3, changed: 0, links: 0 })
    expect(readFileSync(logOf(root), 'utf8')).toBe(after)
  })

  it('lets what is newer in the source follow as an import does', () => {
    const root = tempFolder('migrate')
    tissue(root, ['migrate', originalStore()])
    tissue(root, ['edit', provider, '--title', 'Mine', '--quiet'])
    const more = [
      { ...original[1], rev: '01JGZ', status: 'closed', title: 'Theirs' },
      { type: 'comment', id: '01JGC9', issue_id: provider, body: 'Done.', created_at: 1 },
    ]
    const source = originalStore([...original, ...more].map((record) => `${JSON.stringify(record)}\n`).join(''))
    expect(json(root, 'migrate', source)).toMatchObject({ created: [], present: 3, changed: 1, comments: 1 })
    expect(json(root, 'show', provider)).toMatchObject({
      title: 'Mine',
      status: 'closed',
      comments: [{ body: 'Done.' }],
    })
  })

  it('reports torn lines, conflict markers and what is no record, and takes over the rest: exit 7', () => {
    const root = tempFolder('migrate')
    const lines = original.map((record) => JSON.stringify(record))
    const text = [
      '<<<<<<< HEAD',
      lines[0],
      '=======',
      lines[2],
      '>>>>>>> other',
      `{"type":"issue","id":"auth-torn${lines[1]}`,
      '{"type":"issue","id":"auth-2"}',
      '{"type":"topic"}',
      '{"type":"issue","id":"au',
    ].join('\n')
    const source = originalStore(text)
    const { code, stdout, stderr } = tissue(root, ['migrate', source])
    expect({ code, stderr }).toEqual({ code: 7, stderr: '' })
    const log = logOf(source)
    expect(stdout.split('\n')).toEqual([
      `${log}:1: a conflict marker of version control`,
      `${log}:3: a conflict marker of version control`,
      `${log}:5: a conflict marker of version control`,
      `${log}:6: cut off; the record glued to it was taken over`,
      expect.stringContaining(`${log}:7: has a wrong or missing rev`),
      expect.stringContaining(`${log}:8: has a wrong or missing type`),
      `${log}:9: cut off`,
      login,
      provider,
      '2 issues made, 0 there before; 0 comments, 0 links',
      '',
    ])
    expect(json(root, 'show', login).status).toBe('closed')
  })

  it('says with --dry-run what would come, and writes nothing', () => {
    const [root, source] = [tempFolder('migrate'), originalStore()]
    expect(json(root, 'migrate', source, '--dry-run')).toMatchObject({ dry_run: true, created: [], ...counts })
    expect(tissue(root, ['migrate', source, '--dry-run'])).toEqual({
      code: 0,
      stdout: `left out: 1 comment of issues that are not there\nleft out: ${login} blocks ${login}\n3 issues to make, 0 there before; 1 comment, 3 links\n`,
      stderr: '',
    })
    expect(existsSync(join(root, '.tissue'))).toBe(false)
    expect(tissue(root, ['migrate', source, '--quiet']).stdout).toMatch(/^auth-0k3vd7rm\nauth-1x9qa2bb\nauth-\w{12}\n$/)
  })

  it('refuses a source that is none, one of this tissue, and the store itself', () => {
    const root = tempFolder('migrate')
    expect(tissue(root, ['migrate', 'nowhere']).code).toBe(3)
    expect(tissue(root, ['migrate', repoWithIssues()]).stderr).toContain('tissue export --store ... | tissue import -')
    mkdirSync(join(root, '.tissue'))
    writeFileSync(logOf(root), original.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const { code, stderr } = tissue(root, ['migrate', '.tissue'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `tissue: expected a store to migrate from, got the one to migrate to, ${root}/.tissue; move it away first: mv ${root}/.tissue ${root}/.tissue-old, then tissue migrate ${root}/.tissue-old\n`,
    })
  })
})
