import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { bin, cleanEnv, itWith } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'

function append(root: string, event: Record<string, unknown>): void {
  appendFileSync(logOf(root), `${JSON.stringify({ v: 1, at: 1, by: 'mallory', issue: 'far-aaaa', ...event })}\n`)
}

describe('a line that another program wrote', () => {
  it('may hold a time that no calendar has', () => {
    const root = repoWithIssues()
    const far = Number.MAX_SAFE_INTEGER
    append(root, { id: 'E1', seq: 40, at: far, type: 'created', title: 'far', body: '', priority: 1, tags: [] })
    append(root, { id: 'E2', seq: 41, type: 'claimed', until: far, expect: null })
    expect(tissue(root, ['show', 'far-aaaa']).stdout).toContain(`mallory until ${far} (E2)`)
    const held = `expected far-aaaa to be free, mallory holds it until ${far}; wait, or`
    expect(tissue(root, ['claim', 'far-aaaa'])).toMatchObject({ code: 5, stderr: expect.stringContaining(held) })
    expect(tissue(root, ['close', 'far-aaaa'])).toMatchObject({ code: 5, stderr: expect.stringContaining(held) })
  })

  it('may hold the largest seq there is: what is written after it counts', () => {
    const root = repoWithIssues()
    append(root, { id: '00', seq: 2 ** 52, issue: k3vd, type: 'edited', title: 'poison' })
    expect(json(root, 'edit', 'k3vd', '--title', 'cured').title).toBe('cured')
    expect(json(root, 'edit', 'k3vd', '--title', 'well').title).toBe('well')
    expect(tissue(root, ['new', 'another']).code).toBe(0)
    expect(json(root, 'doctor', '--log')).toMatchObject({ foreign: 0, corrupt: [] })
  })
})

describe('what would make no event', () => {
  it('is refused before it is written', () => {
    const root = repoWithIssues()
    const before = readFileSync(logOf(root), 'utf8')
    expect(tissue(root, ['new', 'x', '--key', ''])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected a key, got an empty one\n',
    })
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
  })
})

describe('a lease beyond the calendar', () => {
  it('is given, and shown as a number', () => {
    const root = repoWithIssues()
    const { id } = json(root, 'new', 'for ever')
    const { claim } = json(root, 'claim', id, '--ttl', '99999999d')
    expect(tissue(root, ['show', id]).stdout).toContain(`until ${claim.until} (`)
  })
})

describe('export at a terminal', () => {
  itWith('script of util-linux', 'hands over no character that acts on it', () => {
    const root = repoWithIssues()
    json(root, 'new', 'turned \u202e about')
    const shown = (mode: string) =>
      spawnSync('script', ['-qec', `${bin('tissue')} export ${mode}`, '/dev/null'], {
        cwd: root,
        env: cleanEnv({}),
        encoding: 'utf8',
      }).stdout
    expect(shown('')).toContain('turned  about')
    expect(shown('--jsonl')).toContain('turned \\u202e about')
    expect(tissue(root, ['export']).stdout).toContain('turned \u202e about')
  })
})
