import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { verbs } from '../src/verbs.ts'
import { fixture, logOf, recordsIn, repoWithIssues } from './fixture.ts'
import { originalStore } from './original.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'

describe('tissue init, where, export and doctor --log', () => {
  it('init makes a store with a prefix, or a private one, and changes nothing the second time', () => {
    const root = tempRepo()
    const store = join(root, '.tissue')
    expect(tissue(root, ['init', '--prefix', 'auth'])).toEqual({
      code: 0,
      stdout: `${store}  ids begin with auth-\n`,
      stderr: '',
    })
    expect(tissue(root, ['init', '--json']).stdout).toBe(
      `${JSON.stringify({ v: 1, store, prefix: 'auth', private: false })}\n`,
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
    expect(json(join(root, 'linked'), 'where')).toEqual({
      v: 1,
      store,
      base: root,
      exists: false,
      reason: 'the repository around the current folder',
      log: join(store, 'issues.jsonl'),
      private: false,
      cache: join(store, 'cache'),
      bus: null,
    })
    expect(json(root, 'where', '--store', 'elsewhere')).toMatchObject({
      store: join(root, 'elsewhere'),
      reason: '--store',
    })
    const env = { TISSUE_STORE: 'mine' }
    const named = run('tissue', ['where'], { cwd: root, env })
    expect(named.stdout).toBe(`${join(root, 'mine')}\nTISSUE_STORE; not made yet\n`)
    git(root, 'worktree', 'remove', '--force', 'linked')
  })

  it('export gives the lines of the events as they are, without what was taken back', () => {
    const root = repoWithIssues()
    const lines = readFileSync(fixture, 'utf8').trimEnd().split('\n')
    expect(tissue(root, ['export'])).toEqual({
      code: 0,
      stdout: `${lines.filter((_, index) => index !== lines.length - 3).join('\n')}\n`,
      stderr: '',
    })
    expect(tissue(root, ['export', '--all']).stdout).toBe(readFileSync(fixture, 'utf8'))
    expect(json(root, 'export')).toHaveLength(23)
  })

  it('doctor --log counts a torn line and goes on; a marker, broken line or second content is exit 7', () => {
    const root = repoWithIssues()
    expect(json(root, 'doctor', '--log')).toMatchObject({
      lines: 24,
      events: 24,
      issues: 3,
      void: 2,
      unknown: 0,
      torn: 0,
      corrupt: [],
    })
    writeFileSync(logOf(root), '{"v":1,"id":"cut', { flag: 'a' })
    expect(json(root, 'doctor', '--log')).toMatchObject({ torn: 1, corrupt: [] })
    expect(tissue(root, ['comment', 'k3vd', '-m', 'after the tear']).code).toBe(0)
    expect(tissue(root, ['ready', '--quiet'])).toEqual({ code: 0, stdout: `${k3vd}\n`, stderr: '' })
    expect(tissue(root, ['ready']).stderr).toBe('1 damaged line skipped; see tissue doctor\n')
    writeFileSync(
      logOf(root),
      `<<<<<<< HEAD\n${JSON.stringify({ ...recordsIn(repoWithIssues())[1], title: 'Other' })}\n`,
      { flag: 'a' },
    )
    const { code, stdout, stderr } = tissue(root, ['doctor', '--log', '--json'])
    expect(code).toBe(7)
    expect(JSON.parse(stdout).corrupt).toMatchObject([{ line: 27, file: logOf(root) }, { line: 28 }])
    expect(stderr).toContain(`${logOf(root)}:27: byte `)
    expect(tissue(root, ['doctor']).code).toBe(1)
    expect(tissue(root, ['doctor', '--log', '--fix'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected --fix without --log; it changes no line of the log\n',
    })
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
      ['doctor', '--log'],
      ['export'],
      ['import'],
    ]
    for (const verb of args) {
      const { code, stdout, stderr } = tissue(root, [...verb, '--store', file])
      expect({ code, stdout }, verb.join(' ')).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^tissue: expected a folder for the store at .* is no folder; move that away/)
    }
  })

  it('is exit 1 for every verb when the log is a link that leads nowhere', () => {
    const root = tempFolder('refused')
    const log = join(root, '.tissue/issues.jsonl')
    const nowhere = join(root, 'nowhere')
    mkdirSync(join(root, '.tissue'))
    symlinkSync(nowhere, log)
    for (const verb of [['list'], ['ready'], ['new', 'x'], ['doctor', '--log'], ['doctor'], ['export']]) {
      const stderr = `tissue: expected the log ${log}, it is a link that leads nowhere; mend the link\n`
      expect(tissue(root, verb), verb.join(' ')).toEqual({ code: 1, stdout: '', stderr })
    }
    expect(existsSync(nowhere)).toBe(false)
  })

  it('is exit 1 for every verb that reads when a folder is in the place of the log', () => {
    const root = tempFolder('refused')
    const log = join(root, '.tissue/issues.jsonl')
    mkdirSync(log, { recursive: true })
    for (const verb of [
      ['list'],
      ['ready'],
      ['show', 'x'],
      ['new', 'x'],
      ['claim', '--next'],
      ['doctor', '--log'],
      ['export'],
    ]) {
      const stderr = `tissue: ${log} was to be read, it is no file\n`
      expect(tissue(root, verb), verb.join(' ')).toEqual({ code: 1, stdout: '', stderr })
    }
  })
})

describe('the examples of every verb', () => {
  it('work as they stand', async () => {
    const template = repoWithIssues()
    const finding = { v: 1, type: 'finding', id: 'f9', rule: 'r', title: 't', severity: 'low', path: 'p', line: 1 }
    writeFileSync(join(template, 'findings.jsonl'), `${JSON.stringify(finding)}\n`)
    writeFileSync(join(template, 'acts.jsonl'), '{"verb":"comment","id":"k3vd","message":"Seen too."}\n')
    cpSync(join(originalStore(), '.tissue'), join(template, 'old/.tissue'), { recursive: true })
    for (const [name, load] of Object.entries(verbs)) {
      for (const example of (await load()).examples) {
        const root = tempFolder('example')
        cpSync(template, root, { recursive: true })
        // Whoever renews holds something, and what is waited for has happened.
        if (example === 'tissue claim --renew') tissue(root, ['claim', 'k3vd', '--as', 'ada'])
        if (example === 'tissue wait k3vd') tissue(root, ['close', 'k3vd', '--force'])
        const args = ['-c', `set -o pipefail; ${example}`]
        const { status, stderr } = spawnSync('bash', args, {
          cwd: root,
          env: cleanEnv({ JWZ_AGENT: 'ada' }),
          encoding: 'utf8',
        })
        // The live board is for a terminal, which this is not: `board.test.ts` has one.
        const wanted = example === 'tissue board' ? 2 : 0
        expect({ status, stderr }, `${name}: ${example}`).toMatchObject({ status: wanted })
      }
    }
  })
})
