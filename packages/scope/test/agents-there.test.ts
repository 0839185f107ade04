import { join } from 'node:path'
import { script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { agentSchema } from '../src/agents/agent-schema.ts'
import { sessions } from './sessions.ts'

describe('scope agents', () => {
  it('lists which agents are installed, how they were found, and what they can do', () => {
    const at = sessions()
    const bin = tempFolder('bin')
    script(join(bin, 'codex'), '#!/bin/sh\necho "codex-cli 7.1"\n')
    script(join(bin, 'aider'), '#!/bin/sh\necho "no such flag" >&2; exit 2\n')
    const env = { PATH: `${bin}:/usr/bin:/bin` }
    const { code, stdout, stderr } = at.scope(['agents', '--json'], {}, env)
    expect([code, stderr]).toEqual([0, ''])
    const found = agentSchema.array().parse(JSON.parse(stdout))
    expect(found.map(({ agent }) => agent)).toEqual(['claude', 'codex', 'gemini', 'opencode', 'aider', 'socrates'])
    const [claude, codex] = found
    expect(claude).toMatchObject({ installed: false, path: null, version: null, can: { hooks: true, cost: true } })
    expect(codex).toMatchObject({ installed: true, path: join(bin, 'codex'), version: 'codex-cli 7.1' })
    expect(at.scope(['agents', '--installed', '--quiet'], {}, env).stdout).toBe('codex\naider\n')
    const lines = at.scope(['agents'], {}, env).stdout.split('\n')
    expect(lines.slice(0, 2)).toEqual([
      'claude\t\t\tterminal hooks resume cost',
      `codex\t${join(bin, 'codex')}\tcodex-cli 7.1\tterminal hooks resume`,
    ])
    expect(lines[4]).toBe(`aider\t${join(bin, 'aider')}\t\tterminal`)
  })
})

describe('scope where', () => {
  it('names the store of the repository, from any folder and before it is made', () => {
    const at = sessions()
    const store = join(at.root, '.scope')
    const why = 'the repository around the current folder'
    expect(at.scope(['where']).stdout).toBe(`${store}\n${why}; not made yet, the first session makes it\n`)
    at.wait(at.spawn('Begin'))
    expect(at.scope(['where', '--json']).stdout).toBe(
      `${JSON.stringify({ v: 1, store, base: at.root, exists: true, reason: why })}\n`,
    )
    expect(at.scope(['where', '--quiet'], {}, { SCOPE_DIR: '/nowhere/at/all' }).stdout).toBe('/nowhere/at/all\n')
  })
})
