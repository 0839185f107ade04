import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hosts } from '@switchyard/wire/host'
import { describe, expect, it } from 'vitest'
import { hasBlock, withBlock, withoutBlock } from '../src/install/instructions.ts'
import { home } from './home.ts'
import { hooked } from './hooked.ts'

describe('instructions', () => {
  const begin = '# Mine\n\nDo this.'
  it.each([undefined, '', '\n', begin, `${begin}\n`, `${begin}\n\n`, `${begin}\r\n`])(
    'come as a block, and go to the byte: %j',
    (before) => {
      const after = withBlock(before, 'CLAUDE.md')
      expect(hasBlock(after)).toBe(true)
      expect(after.startsWith(before ?? '')).toBe(true)
      expect(withBlock(after, 'CLAUDE.md')).toBe(after)
      expect(withoutBlock(after, 'CLAUDE.md')).toBe(before)
      expect(withoutBlock(`${after}\nMore.\n`, 'CLAUDE.md')).toContain('More.')
    },
  )

  it('of an earlier version are replaced in their place', () => {
    const old = `${begin}\n\n<!-- scope: begin -->\nold\n<!-- scope: end -->\n\nBehind.\n`
    const after = withBlock(old, 'CLAUDE.md')
    expect(after).not.toContain('\nold\n')
    expect(after.endsWith('\n\nBehind.\n')).toBe(true)
  })

  it.each(['<!-- scope: begin -->', '<!-- scope: end -->', '<!-- scope: end --><!-- scope: begin -->'])(
    'are refused where a mark stands alone: %s',
    (mark) => {
      const at = home()
      at.put('.claude/CLAUDE.md', `a\n${mark}\nb\n`)
      expect(at.scope('setup', '--agent', 'claude', '--only', 'instructions')).toMatchObject({ code: 7, stdout: '' })
      expect(at.text('.claude/CLAUDE.md')).toBe(`a\n${mark}\nb\n`)
    },
  )

  it('are written only when asked for, once where two agents read one file', () => {
    const at = home()
    at.scope('setup', '--agent', 'claude', '--agent', 'codex')
    expect(at.has('.claude/CLAUDE.md')).toBe(false)
    writeFileSync(join(at.repo, 'AGENTS.md'), `${begin}\n`)
    const all = hosts.flatMap((host) => ['--agent', host])
    const done = at.scope('setup', '--project', '--only', 'instructions', '--quiet', ...all)
    expect(
      done.stdout
        .trim()
        .split('\n')
        .map((path) => path.slice(at.repo.length + 1)),
    ).toEqual(['CLAUDE.md', 'AGENTS.md', 'GEMINI.md'])
    expect(at.scope('uninstall', '--project').code).toBe(0)
    expect(readFileSync(join(at.repo, 'AGENTS.md'), 'utf8')).toBe(`${begin}\n`)
    expect(existsSync(join(at.repo, 'CLAUDE.md'))).toBe(false)
  })
})

describe('scope prime', () => {
  it('says to an agent which session it is, and how to start one, in under 2 KB', async () => {
    const session = hooked()
    await session.begin()
    await session.begin('0.0')
    const own = session.scope(['prime'], session.env)
    expect(own.stdout).toContain('You are session 0: a person or a script started you; you started 0.0.')
    expect(session.scope(['prime'], { ...session.env, SCOPE_SESSION_ID: '0.0' }).stdout).toContain(
      'You are session 0.0: session 0 started you.',
    )
    expect(session.scope(['prime']).stdout).toContain('You are in no session of it.')
    expect(session.scope(['prime'], { SCOPE_SESSION_ID: '../0' }).stdout).toContain('You are in no session of it.')
    for (const word of ['scope spawn', 'scope wait', 'scope exit', 'scope abort']) expect(own.stdout).toContain(word)
    expect(own.stdout.length).toBeLessThan(2048)
  })
})
