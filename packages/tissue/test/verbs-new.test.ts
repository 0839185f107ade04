import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

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
      tissue(root, ['new', '--body=-b', '--', '-title']),
    ].map(({ stdout }) => stdout.trim())
    expect(ids.map((id) => json(root, 'show', id).body)).toEqual([body, body, '-b'])
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
