import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { verbs } from '../src/verbs.ts'
import { fixture, logOf, recordsIn, repoWithIssues } from './fixture.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'
const m5t0 = 'auth-m5t0j6y3e8bp'

function tissue(cwd: string, args: readonly string[], input?: string) {
  const { code, stdout, stderr } = run('tissue', args, {
    cwd,
    env: { JWZ_AGENT: 'ada' },
    ...(input === undefined ? {} : { input }),
  })
  return { code, stdout, stderr }
}

function json(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = tissue(cwd, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('tissue new', () => {
  it('makes the store, prints the bare id and writes one event', () => {
    const root = tempRepo()
    const { code, stdout, stderr } = tissue(root, [
      'new',
      'Fix login',
      '-p',
      '1',
      '-t',
      'a,b',
      '--tag',
      'ä 🎉',
      '-b',
      '--no-body',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^[a-z0-9-]+-[0-9a-hjkmnp-tv-z]{12}\n$/)
    expect(recordsIn(root)).toMatchObject([
      { v: 1, seq: 1, by: 'ada', type: 'configured' },
      {
        seq: 2,
        type: 'created',
        issue: stdout.trim(),
        title: 'Fix login',
        body: '--no-body',
        priority: 1,
        tags: ['a,b', 'ä 🎉'],
      },
    ])
    expect(readFileSync(join(root, '.tissue/.gitignore'), 'utf8')).toBe('*.lock*\n')
    expect(readFileSync(join(root, '.tissue/.gitattributes'), 'utf8')).toBe('issues.jsonl merge=union\n')
    expect(git(root, 'status', '--porcelain')).toBe('?? .tissue/')
  })

  it('keeps a body byte for byte from stdin, a file and a flag', () => {
    const root = tempRepo()
    const body = '\ufeff  line\\n\r\n\u2028\u0000🎉 -- \n\n'
    writeFileSync(join(root, 'body.md'), body)
    const ids = [
      tissue(root, ['new', 'stdin', '-'], body),
      tissue(root, ['new', 'file', '-F', 'body.md']),
      tissue(root, ['new', '--body=-', '--', '-title']),
    ].map(({ stdout }) => stdout.trim())
    expect(ids.map((id) => json(root, 'show', id).body)).toEqual([body, body, '-'])
    expect(json(root, 'show', ids[2] ?? '').title).toBe('-title')
  })

  it('makes one issue for one key', () => {
    const root = tempRepo()
    const first = tissue(root, ['new', 'Once', '--key', 'k']).stdout
    expect(tissue(root, ['new', 'Once more', '--key', 'k'])).toEqual({
      code: 0,
      stdout: first,
      stderr: 'the key k has its issue already\n',
    })
    expect(recordsIn(root)).toHaveLength(2)
  })

  it('refuses what cannot be a title, body or blocker, and writes nothing', () => {
    const root = tempRepo()
    expect(tissue(root, ['new', 'two\nlines']).code).toBe(2)
    expect(tissue(root, ['new', ' ']).code).toBe(2)
    expect(tissue(root, ['new', 'x', '-t', '']).code).toBe(2)
    expect(tissue(root, ['new', 'x', '-b', 'a', '-F', 'b']).code).toBe(2)
    expect(tissue(root, ['new', 'x', 'body']).code).toBe(2)
    expect(tissue(root, ['new', 'x', '-F', 'none']).code).toBe(3)
    expect(tissue(root, ['new', 'x', '--blocked-by', 'none']).code).toBe(3)
    expect(run('tissue', ['new', 'x', '-'], { cwd: root, input: new Uint8Array([0xff, 0xfe]) }).code).toBe(2)
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })
})

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
        'link      auth-k3vd7rm2w9ht blocks auth-x9qa4c81n0fz',
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

  it('list what is not over, and the rest when asked', () => {
    const root = repoWithIssues()
    const rows = ['auth-k3vd  P1  open  Fix login', 'auth-x9qa  P4  open  Write the notes of 1.2  [docs]  blocked by 1']
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

describe('tissue edit, status, comment and dep', () => {
  it('edit changes only what differs', () => {
    const root = repoWithIssues()
    const args = [
      'edit',
      'k3vd',
      '--title',
      'Fix the login',
      '--priority',
      '1',
      '--add-tag',
      'sso',
      '--rm-tag',
      'none',
      '-b',
      '- x',
    ]
    expect(tissue(root, args)).toEqual({ code: 0, stdout: `${k3vd}\n`, stderr: '' })
    expect(tissue(root, args).stdout).toBe(`${k3vd}\n`)
    expect(recordsIn(root).slice(17)).toMatchObject([
      { type: 'edited', seq: 17, title: 'Fix the login', body: '- x' },
      { type: 'tagged', seq: 18, tag: 'sso' },
    ])
    expect(json(root, 'edit', 'k3vd', '--rm-tag', 'sso').tags).toEqual([])
  })

  it('status moves an issue and refuses a word that is none', () => {
    const root = repoWithIssues()
    expect(json(root, 'status', 'k3vd', 'deferred')).toMatchObject({ id: k3vd, status: 'deferred' })
    expect(json(root, 'status', 'm5t0', 'open')).not.toHaveProperty('closed_at')
    expect(tissue(root, ['status', 'k3vd', 'done'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected a status, got "done"; one of open, in_progress, paused, deferred, closed, duplicate\n',
    })
    expect(tissue(root, ['status', 'x9qa', 'closed']).code).toBe(5)
  })

  it('comment adds one, from a flag or stdin', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['comment', 'k3vd', '-m', '-1']).code).toBe(0)
    expect(tissue(root, ['comment', 'k3vd', '-'], 'a\nb\n').code).toBe(0)
    expect(tissue(root, ['comment', 'k3vd']).code).toBe(2)
    expect(json(root, 'show', 'k3vd').comments.slice(2)).toMatchObject([
      { by: 'ada', body: '-1' },
      { by: 'ada', body: 'a\nb\n' },
    ])
  })

  it('dep add and dep rm say what they did, and a circle is refused with its way', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `tissue: expected no circle, this would make one: ${x9qa} blocks ${k3vd} blocks ${x9qa}; remove one link with tissue dep rm\n`,
    })
    expect(tissue(root, ['dep', 'rm', 'k3vd', 'blocks', 'x9qa']).stdout).toBe(`no longer: ${k3vd} blocks ${x9qa}\n`)
    expect(tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd']).stdout).toBe(`${x9qa} blocks ${k3vd}\n`)
    expect(json(root, 'dep', 'add', 'x9qa', 'parent', 'm5t0')).toEqual({ kind: 'parent', from: x9qa, to: m5t0 })
    expect(tissue(root, ['dep', 'add', 'x9qa', 'eats', 'm5t0']).code).toBe(2)
    expect(json(root, 'show', 'k3vd').blocked_by).toEqual([x9qa])
  })
})

describe('tissue claim, release and close', () => {
  it('claim holds an issue against others and names the holder to them', () => {
    const root = repoWithIssues()
    const claimed = json(root, 'claim', 'k3vd', '--lease', '2h')
    expect(claimed).toMatchObject({ status: 'in_progress', claim: { by: 'ada' } })
    expect(claimed.claim.until - claimed.claim.since).toBe(7_200_000)
    const before = readFileSync(logOf(root))
    const other = tissue(root, ['claim', 'k3vd', '--as', 'bob'])
    expect(other).toMatchObject({ code: 5, stdout: '' })
    expect(other.stderr).toContain(
      `expected ${k3vd} to be free, ada holds it until ${new Date(claimed.claim.until).toISOString()}`,
    )
    expect(readFileSync(logOf(root))).toEqual(before)
    expect(json(root, 'claim', 'k3vd').claim.id).toBe(claimed.claim.id)
    expect(tissue(root, ['list', '--mine', '--quiet']).stdout).toBe(`${k3vd}\n`)
    expect(tissue(root, ['claim', '--next']).code).toBe(3)
    expect(tissue(root, ['claim', 'm5t0']).code).toBe(5)
    expect(tissue(root, ['claim']).code).toBe(2)
    expect(tissue(root, ['claim', 'k3vd', '--next']).code).toBe(2)
  })

  it('release gives it back, with a fence only while that is current', () => {
    const root = repoWithIssues()
    const { claim } = json(root, 'claim', '--next')
    expect(tissue(root, ['release', 'k3vd', '--as', 'bob']).code).toBe(5)
    expect(tissue(root, ['release', 'k3vd', '--fence', 'other']).code).toBe(5)
    expect(json(root, 'release', 'k3vd', '--fence', claim.id, '--note', 'later')).toMatchObject({
      status: 'open',
      claim: null,
    })
    expect(tissue(root, ['release', 'k3vd'])).toEqual({
      code: 0,
      stdout: `${k3vd}\n`,
      stderr: 'auth-k3vd was not claimed\n',
    })
    expect(tissue(root, ['release', 'k3vd', '--fence', claim.id]).code).toBe(5)
  })

  it('close ends issues, again without an event, and refuses the blocked and the held', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['close', 'x9qa']).stderr).toBe(
      `tissue: expected ${x9qa} to wait for nothing, it is blocked by ${k3vd}; close those first, or override with --force\n`,
    )
    tissue(root, ['claim', 'k3vd', '--as', 'bob'])
    expect(tissue(root, ['close', 'k3vd']).code).toBe(5)
    expect(tissue(root, ['close', 'k3vd', '--fence', 'other', '--as', 'bob']).code).toBe(5)
    expect(tissue(root, ['close', 'k3vd', 'x9qa', '--reason', 'done', '--as', 'bob'])).toEqual({
      code: 0,
      stdout: `${k3vd}\n${x9qa}\n`,
      stderr: '',
    })
    const before = readFileSync(logOf(root))
    expect(json(root, 'close', 'k3vd')).toMatchObject({ status: 'closed', close_reason: 'done', claim: null })
    expect(readFileSync(logOf(root))).toEqual(before)
    expect(tissue(root, ['close']).code).toBe(2)
  })

  it('hands over an issue whose lease is over; its former holder cannot close it', () => {
    const root = repoWithIssues()
    const { claim } = json(root, 'claim', 'k3vd', '--lease', '1ms')
    expect(tissue(root, ['ready', '--quiet']).stdout).toBe(`${k3vd}\n`)
    expect(tissue(root, ['claim', '--next', '--as', 'bob']).code).toBe(0)
    expect(tissue(root, ['close', 'k3vd', '--fence', claim.id]).code).toBe(5)
    expect(json(root, 'show', 'k3vd')).toMatchObject({ status: 'in_progress', claim: { by: 'bob' } })
  })
})

describe('tissue init, where, export and check', () => {
  it('init makes a store with a prefix, or a private one, and changes nothing the second time', () => {
    const root = tempRepo()
    const store = join(root, '.tissue')
    expect(tissue(root, ['init', '--prefix', 'auth'])).toEqual({
      code: 0,
      stdout: `${store}  ids begin with auth-\n`,
      stderr: '',
    })
    expect(tissue(root, ['init', '--json']).stdout).toBe(
      `${JSON.stringify({ path: store, prefix: 'auth', private: false })}\n`,
    )
    expect(recordsIn(root)).toHaveLength(1)
    expect(tissue(root, ['new', 'x']).stdout).toMatch(/^auth-/)
    expect(tissue(root, ['init', '--prefix', 'Auth!']).code).toBe(2)
    expect(json(root, 'init', '--private').private).toBe(true)
    expect(git(root, 'status', '--porcelain')).toBe('')
    tissue(root, ['init'])
    expect(readFileSync(join(store, '.gitignore'), 'utf8')).toBe('*\n')
  })

  it('where names the store and why, also from a linked worktree', () => {
    const root = tempRepo()
    git(root, 'worktree', 'add', '--quiet', 'linked', '-b', 'other')
    const store = join(root, '.tissue')
    expect(json(join(root, 'linked'), 'where')).toMatchObject({ path: store, base: root, exists: false })
    expect(json(root, 'where', '--store', 'elsewhere')).toMatchObject({
      path: join(root, 'elsewhere'),
      reason: '--store',
    })
    git(root, 'worktree', 'remove', '--force', 'linked')
  })

  it('export gives the lines of the events as they are, without the claim that lost', () => {
    const root = repoWithIssues()
    const lines = readFileSync(fixture, 'utf8').trimEnd().split('\n')
    expect(tissue(root, ['export'])).toEqual({
      code: 0,
      stdout: `${lines.filter((_, index) => index !== 5).join('\n')}\n`,
      stderr: '',
    })
    expect(tissue(root, ['export', '--all']).stdout).toBe(readFileSync(fixture, 'utf8'))
    expect(json(root, 'export')).toHaveLength(16)
  })

  it('check counts a torn line and goes on; a marker, broken line or second content is exit 7', () => {
    const root = repoWithIssues()
    expect(json(root, 'check')).toMatchObject({
      lines: 17,
      events: 17,
      issues: 3,
      void: 1,
      unknown: 1,
      torn: 0,
      corrupt: [],
    })
    writeFileSync(logOf(root), '{"v":1,"id":"cut', { flag: 'a' })
    expect(json(root, 'check')).toMatchObject({ torn: 1, corrupt: [] })
    expect(tissue(root, ['comment', 'k3vd', '-m', 'after the tear']).code).toBe(0)
    expect(tissue(root, ['ready', '--quiet'])).toEqual({ code: 0, stdout: `${k3vd}\n`, stderr: '' })
    expect(tissue(root, ['ready']).stderr).toBe('1 damaged line skipped; tissue check says where\n')
    writeFileSync(
      logOf(root),
      `<<<<<<< HEAD\n${JSON.stringify({ ...recordsIn(repoWithIssues())[1], title: 'Other' })}\n`,
      { flag: 'a' },
    )
    const { code, stdout, stderr } = tissue(root, ['check', '--json'])
    expect(code).toBe(7)
    expect(JSON.parse(stdout).corrupt).toMatchObject([{ line: 20, file: logOf(root) }, { line: 21 }])
    expect(stderr).toContain(`${logOf(root)}:20: byte `)
  })
})

describe('a store that the disk refuses', () => {
  it('is exit 1 for every verb, and no bug', () => {
    const root = tempFolder('refused')
    const file = join(root, 'file')
    writeFileSync(file, '')
    const args = [
      ['list'],
      ['show', 'x'],
      ['new', 'x'],
      ['claim', '--next'],
      ['init'],
      ['where'],
      ['check'],
      ['export'],
      ['import'],
    ]
    for (const verb of args) {
      const { code, stdout, stderr } = tissue(root, [...verb, '--store', file])
      expect({ code, stdout }, verb.join(' ')).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^tissue: expected to use .*, the disk answered (ENOTDIR|EEXIST); tissue where/)
    }
  })
})

describe('the examples of every verb', () => {
  it('work as they stand', async () => {
    for (const [name, load] of Object.entries(verbs)) {
      for (const example of (await load()).examples) {
        const root = repoWithIssues()
        const finding = { v: 1, type: 'finding', id: 'f9', rule: 'r', title: 't', severity: 'low', path: 'p', line: 1 }
        writeFileSync(join(root, 'findings.jsonl'), `${JSON.stringify(finding)}\n`)
        const args = ['-c', `set -o pipefail; ${example}`]
        const { status, stderr } = spawnSync('bash', args, {
          cwd: root,
          env: cleanEnv({ JWZ_AGENT: 'ada' }),
          encoding: 'utf8',
        })
        expect({ status, stderr }, `${name}: ${example}`).toMatchObject({ status: 0 })
      }
    }
  })
})
